import type { Env } from "#app/env.server.ts";

const ANSWER_WITHIN_MS = 5_000;

type Place = Pick<Env, "HOST" | "PORT">;
type Answer = { status: string; reason?: string | null };

/** An address that reaches the server on this machine. A server on all addresses is on loopback too. */
function originOf({ HOST, PORT }: Place): string {
  if (!HOST || HOST === "::" || HOST === "0.0.0.0") return `http://127.0.0.1:${PORT}`;
  return `http://${HOST.includes(":") ? `[${HOST}]` : HOST}:${PORT}`;
}

/** Asks the service on this machine for its health; `status` is "unreachable" if nothing that is Deed answers. */
export async function askOwnService(place: Place, which: "live" | "ready") {
  const url = `${originOf(place)}/api/health/${which}`;
  try {
    const answer = await fetch(url, {
      redirect: "error",
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    const { status, reason = null } = (await answer.json()) as Partial<Answer>;
    if (typeof status !== "string") throw new Error(`the answer is not Deed's (${answer.status})`);
    return { url, isWell: answer.ok, status, reason };
  } catch (error) {
    const { cause = error } = error as { cause?: unknown };
    const reason = cause instanceof Error ? cause.message : String(cause);
    return { url, isWell: false, status: "unreachable", reason };
  }
}
