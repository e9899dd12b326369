import { once } from "node:events";
import { createServer } from "node:net";
import type { Env } from "#app/environment/env.server.ts";
import { causeOf } from "#app/environment/error-messages.ts";
import { about, type Finding, SETTINGS } from "./finding.ts";

const { ok, broken } = about("Port");

type ListenAddress = Pick<Env, "HOST" | "PORT">;

function listenProblem(error: NodeJS.ErrnoException, { HOST, PORT }: ListenAddress): string {
  const { code = "", message } = error;
  if (code === "EADDRINUSE") return `PORT must be free: ${PORT} is in use by another process`;
  if (code === "EACCES")
    return `PORT must be one that this user may open: ${PORT} needs CAP_NET_BIND_SERVICE`;
  if (["EADDRNOTAVAIL", "EINVAL", "ENOTFOUND", "EAI_AGAIN"].includes(code))
    return `HOST must be an address of this machine, such as 127.0.0.1 or ::1; ${HOST} is not one`;
  return `HOST and PORT must be an address to listen on: ${message}`;
}

export async function examineListening({ METRICS, ...place }: Env): Promise<Finding[]> {
  const [server, metrics] = [createServer(), createServer()];
  try {
    await once(server.listen(place.PORT, place.HOST), "listening");
    if (METRICS instanceof Object) await once(metrics.listen(METRICS), "listening");
    return ok(`${place.PORT} is free`);
  } catch (error) {
    if (server.listening)
      return broken(
        `METRICS must be an address and port to listen on: ${causeOf(error)}`,
        SETTINGS,
      );
    const problem = listenProblem(error as NodeJS.ErrnoException, place);
    const advice = problem.includes("in use") ? "End that process, or set another PORT." : SETTINGS;
    return broken(problem, advice);
  } finally {
    server.close();
    metrics.close();
  }
}

const ANSWER_TIMEOUT_MS = 5_000;

/** Returns the address of the service for this machine: a server on all addresses is on loopback too. */
function originOf({ HOST, PORT }: ListenAddress): string {
  if (!HOST || HOST === "::" || HOST === "0.0.0.0") return `http://127.0.0.1:${PORT}`;
  return `http://${HOST.includes(":") ? `[${HOST}]` : HOST}:${PORT}`;
}

/** `status` is "unreachable" unless Deed answers. */
export async function askLocalService(place: ListenAddress, path: "" | "/live" | "/ready") {
  const url = `${originOf(place)}/api/health${path}`;
  try {
    const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
    const answer = await fetch(url, { redirect: "error", signal });
    const { status, reason = null } = (await answer.json()) as Record<string, string | null>;
    if (typeof status !== "string") throw new Error(`the answer is not Deed's (${answer.status})`);
    return { url, isWell: answer.ok, status, reason };
  } catch (error) {
    return { url, isWell: false, status: "unreachable", reason: causeOf(error) };
  }
}

export async function examinePort(env: Env): Promise<Finding[]> {
  const findings = await examineListening(env);
  if (findings.every(({ status }) => status === "ok")) return findings;
  const { status } = await askLocalService(env, "/live");
  return status === "unreachable" ? findings : ok(`Deed answers on ${env.PORT}`);
}
