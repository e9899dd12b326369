import { DeedError } from "#app/core/errors.server.ts";
import { readDotEnv } from "#app/environment/dot-env.server.ts";
import { type Env, EnvironmentError, parseEnvironment } from "#app/environment/env.server.ts";
import { CommandError, messageOf } from "./output.ts";

/** Adds .env to the environment, which takes precedence, and returns it. */
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
    if (error instanceof DeedError) throw new CommandError(error.message, exitCode);
    throw error;
  }
}

/** Reads all settings. Throws a CommandError on a bad value. */
export function loadEnvironment(): Env {
  const dotEnv = loadDotEnv();
  return orCommandError(() => parseEnvironment(process.env, dotEnv));
}
