import { resolve } from "node:path";
import { migrate } from "drizzle-orm/better-sqlite3/migrator";
import type { Db } from "./client.ts";

/**
 * Applies the committed migrations that the database lacks; running it again changes nothing.
 * The folder is found from the project's root, where the service is started.
 */
export function migrateDatabase(db: Db, folder = resolve("db/migrations")): void {
  migrate(db, { migrationsFolder: folder });
}
