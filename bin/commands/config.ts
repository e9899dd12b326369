import type { Command } from "commander";
import {
  defaults,
  type Env,
  givenIn,
  parseEnvironment,
  VARIABLES,
} from "#app/environment/env.server.ts";
import { SECRET_VARIABLES } from "#app/environment/secret-files.server.ts";
import { unknownNames } from "#app/environment/warnings.ts";
import { loadDotEnv, orCommandError } from "../support/environment.ts";
import { printJson, printTable } from "../support/output.ts";

export const HELP = `
Each comes from its default, the environment, .env in the working directory, or the file that <NAME>_FILE names. Secrets
are hidden.

Examples:
  deed config
  deed config --json | jq '.[] | select(.from != "default")'`;

export const register = (command: Command) =>
  command
    .description("print the current settings, and where each comes from")
    .option("--json", "print JSON")
    .action(config);

type Variables = Record<string, string | undefined>;

const HIDDEN = "(hidden)";

/** Drops the part after the host too, because it may contain credentials. */
const withoutCredentials = (url: string) => {
  const { protocol, username, password, host } = new URL(url);
  return `${protocol}//${username || password ? `${HIDDEN}@` : ""}${host}`;
};

function shownValue(name: string, env: Env, text: string | undefined): string | null {
  const parsedValue = env[name as keyof Env];
  if (name === "SMTP_URL") return env.SMTP_URL ? withoutCredentials(env.SMTP_URL) : null;
  if (SECRET_VARIABLES.includes(name))
    return parsedValue || (name === "CLUSTER_SECRET" && env.cluster) ? HIDDEN : null;
  // The value in use may differ from the setting: a path is absolute, and BASE_URL follows PORT.
  const isPlain = typeof parsedValue === "string" || typeof parsedValue === "number";
  return isPlain ? String(parsedValue) : (text ?? null);
}

/** `from`: default, environment, .env, or the path of a secret's file. Throws an EnvironmentError on a bad value. */
export function settingsInForce(environment: Variables, dotEnv: Variables) {
  const given = givenIn({ ...dotEnv, ...environment });
  const env = parseEnvironment(given, dotEnv);
  const defaultValues = defaults();
  return VARIABLES.map((name) => {
    const file = SECRET_VARIABLES.includes(name) ? given[`${name}_FILE`] : undefined;
    const source = environment[name] === undefined ? ".env" : "environment";
    const from = file ?? (given[name] === undefined ? "default" : source);
    return { name, value: shownValue(name, env, given[name] ?? defaultValues[name]), from };
  });
}

function config({ json }: { json?: true }): void {
  const environment = { ...process.env };
  const dotEnv = loadDotEnv();
  const settings = orCommandError(() => settingsInForce(environment, dotEnv));
  for (const { message } of unknownNames(process.env, dotEnv)) console.error(message);
  const rows = settings.map(({ name, value, from }) => [name, from, value ?? "(unset)"]);
  if (json) printJson(settings);
  else printTable([["VARIABLE", "FROM", "VALUE"], ...rows]);
}
