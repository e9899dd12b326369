import type { Command } from "commander";
import { askLocalService } from "#app/ops/checks/port.ts";
import { loadEnvironment } from "../support/environment.ts";
import { EXIT, printJson, toOneLine } from "../support/output.ts";

export const HELP = `
Asks the address in HOST and PORT, and waits five seconds at most. Exit code 0 if it is healthy, 1 otherwise.

Examples:
  deed health            for a person or a monitor
  deed health --live     for what restarts it, such as a container's health check
  deed health --ready    before a load balancer sends requests`;

export const register = (command: Command) =>
  command
    .description("ask the service on this machine whether it is healthy")
    .option("--live", "ask only whether it runs")
    .option("--ready", "ask only whether it can take requests")
    .option("--json", "print JSON")
    .action(health);

async function health({ live, ready, json }: Record<string, true | undefined>): Promise<void> {
  const path = ready ? "/ready" : live ? "/live" : "";
  const { url, isWell, status, reason } = await askLocalService(loadEnvironment(), path);
  if (json) printJson({ url, status, reason });
  else console.log(toOneLine(`${status}${reason ? `: ${reason}` : ""} (${url})`));
  if (!isWell) process.exitCode = EXIT.failure;
}
