import { readDotEnv } from "#app/environment/dot-env.server.ts";
import { type Env, EnvironmentError, parseEnvironment } from "#app/environment/env.server.ts";
import { CommandError, messageOf } from "./output.ts";

/** The environment takes precedence over .env. */
export function loadDotEnv(): NodeJS.Dict<string> {
  try {
    const dotEnv = readDotEnv();
    Object.assign(process.env, { ...dotEnv, ...process.env });
    return dotEnv;
  } catch (error) {
    throw new CommandError(messageOf(error), EnvironmentError.exitCode);
  }
}

export function orCommandError<T>(read: () => T, exitCode = EnvironmentError.exitCode): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof EnvironmentError) throw new CommandError(error.problems, exitCode);
    throw error;
  }
}

/** Throws a CommandError on a bad value. */
export function loadEnvironment(): Env {
  const dotEnv = loadDotEnv();
  return orCommandError(() => parseEnvironment(process.env, dotEnv));
}
