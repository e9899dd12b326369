import type { Command } from "commander";
import { askOwnService } from "#app/ops/checks/port.ts";
import { loadEnvironment } from "../support/environment.ts";
import { EXIT, oneLine, printJson } from "../support/output.ts";

export const register = (program: Command) =>
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

async function health({ ready, json }: { ready?: true; json?: true }): Promise<void> {
  const asked = await askOwnService(loadEnvironment(), ready ? "ready" : "live");
  const { url, isWell, status, reason } = asked;
  if (json) printJson({ url, status, reason });
  else console.log(oneLine(`${status}${reason ? `: ${reason}` : ""} (${url})`));
  if (!isWell) process.exitCode = EXIT.failure;
}
