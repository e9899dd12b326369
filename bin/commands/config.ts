import type { Command } from "commander";
import { EnvironmentError } from "#app/ops/environment/env.server.ts";
import { unknownNames } from "#app/ops/environment/warnings.ts";
import { loadDotEnv } from "../support/environment.ts";
import { CommandError, printJson, printTable } from "../support/output.ts";
import { type Setting, settingsInForce } from "../support/settings.ts";

export const register = (program: Command): void => {
  program
    .command("config")
    .description("print the current settings, and where each comes from")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
Each is from its default, the environment, .env in the working directory, or the file that <NAME>_FILE names. Secrets
are hidden.

Examples:
  deed config
  deed config --json | jq '.[] | select(.from != "default")'`,
    )
    .action(config);
};

/** What is in force. Says on stderr what is given and is not a setting. */
function read(): Setting[] {
  const own = { ...process.env };
  const dotEnv = loadDotEnv();
  try {
    const settings = settingsInForce(own, dotEnv);
    for (const { message } of unknownNames(process.env, dotEnv)) console.error(message);
    return settings;
  } catch (error) {
    if (error instanceof EnvironmentError) throw new CommandError(error.problems);
    throw error;
  }
}

function config({ json }: { json?: true }): void {
  const settings = read();
  if (json) {
    printJson(settings);
    return;
  }
  const rows = settings.map(({ name, value, from }) => [name, from, value ?? "(unset)"]);
  printTable([["VARIABLE", "FROM", "VALUE"], ...rows]);
}
