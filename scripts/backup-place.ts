import { existsSync } from "node:fs";
import { basename } from "node:path";
import { EnvironmentError, parseEnvironment } from "#app/env.server.ts";

export type Place = {
  databasePath: string;
  dataDir: string;
  /** Null on a single node. */
  litefsUrl: string | null;
};

/** Prints the reason on one line and exits with code 1. */
export function fail(what: string, error: unknown): never {
  console.error(`${what}: ${error instanceof Error ? error.message : error}`);
  process.exit(1);
}

/** Where the service described by this environment keeps its database. Reads .env, as `npm start` does. */
export function place(): Place {
  try {
    if (existsSync(".env")) process.loadEnvFile(".env");
    const env = parseEnvironment(process.env);
    return {
      databasePath: env.DATABASE_PATH,
      dataDir: env.DATA_DIR,
      litefsUrl: env.cluster?.litefsUrl ?? null,
    };
  } catch (error) {
    if (error instanceof EnvironmentError) fail("The environment is not whole", error);
    throw error;
  }
}

/** LiteFS's name for the database: its file name on the mount. */
export const baseName = (databasePath: string): string => basename(databasePath);
