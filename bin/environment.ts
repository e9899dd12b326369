import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { type Env, EnvironmentError, parseEnvironment } from "#app/env.server.ts";
import { CommandError, messageOf } from "./output.ts";

/** Adds what .env in the working directory sets to the environment, which takes precedence. */
export function loadDotEnv(): void {
  if (!existsSync(".env")) return;
  try {
    process.loadEnvFile(".env");
  } catch (error) {
    throw new CommandError(`${resolve(".env")} cannot be read: ${messageOf(error)}`);
  }
}

/** The environment as the service reads it: the process's, and .env. Throws a CommandError on a bad value. */
export function loadEnvironment(): Env {
  loadDotEnv();
  try {
    return parseEnvironment(process.env);
  } catch (error) {
    if (error instanceof EnvironmentError) throw new CommandError(error.message);
    throw error;
  }
}
