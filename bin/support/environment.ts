import { readDotEnv } from "#app/ops/environment/dot-env.server.ts";
import { type Env, EnvironmentError, parseEnvironment } from "#app/ops/environment/env.server.ts";
import { CommandError, messageOf } from "./output.ts";

/** Adds what .env in the working directory sets to the environment, which takes precedence, and returns it. */
export function loadDotEnv(): NodeJS.Dict<string> {
  try {
    const dotEnv = readDotEnv();
    Object.assign(process.env, { ...dotEnv, ...process.env });
    return dotEnv;
  } catch (error) {
    throw new CommandError(messageOf(error));
  }
}

/** What `read` makes of an environment. Throws a CommandError with that exit code on a bad value. */
export function wellFormed<T>(read: () => T, exitCode?: number): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof EnvironmentError) throw new CommandError(error.problems, exitCode);
    throw error;
  }
}

/** The environment as the service reads it: the process's, and .env. Throws a CommandError on a bad value. */
export function loadEnvironment(): Env {
  loadDotEnv();
  return wellFormed(() => parseEnvironment(process.env));
}
