import type { Command } from "commander";
import { loadEnvironment } from "../environment.ts";
import { EXIT, messageOf, printJson } from "../output.ts";

const ANSWER_WITHIN_MS = 5_000;

export const register = (program: Command): void => {
  program
    .command("health")
    .description("ask the service on this machine whether it is healthy")
    .option("--ready", "ask whether it can take requests, not only whether it runs")
    .option("--json", "print the answer as JSON")
    .addHelpText(
      "after",
      `
Asks the address in HOST and PORT, and waits five seconds at most. Exit code 0 if it is well, 1 otherwise.

Examples:
  deed health            for a container's health check
  deed health --ready    before a load balancer sends requests`,
    )
    .action(health);
};

/** An address that reaches the server on this machine. A server on all addresses is on loopback too. */
function originOf(host: string | undefined, port: number): string {
  if (!host || host === "::" || host === "0.0.0.0") return `http://127.0.0.1:${port}`;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

type Answer = { status: string; reason?: string | null };

async function ask(url: string): Promise<Answer & { isWell: boolean }> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
    const { status, reason = null } = (await answer.json()) as Partial<Answer>;
    if (typeof status !== "string") throw new Error(`the answer is not Deed's (${answer.status})`);
    return { isWell: answer.ok, status, reason };
  } catch (error) {
    const { cause } = error as { cause?: unknown };
    return { isWell: false, status: "unreachable", reason: messageOf(cause ?? error) };
  }
}

async function health({ ready, json }: { ready?: true; json?: true }): Promise<void> {
  const { HOST, PORT } = loadEnvironment();
  const url = `${originOf(HOST, PORT)}/api/health/${ready ? "ready" : "live"}`;
  const { isWell, status, reason } = await ask(url);
  if (json) printJson({ url, status, reason });
  else console.log(`${status}${reason ? `: ${reason}` : ""} (${url})`);
  if (!isWell) process.exitCode = EXIT.failure;
}
