import Database from "better-sqlite3";
import { drizzle } from "drizzle-orm/better-sqlite3";
import { type Db, openDatabase } from "./client.ts";
import { migrateDatabase } from "./migrate.ts";
import * as schema from "./schema.ts";

let image: Buffer | null = null;

const migratedImage = (): Buffer => {
  const db = openDatabase(":memory:");
  migrateDatabase(db);
  const bytes = db.$client.serialize();
  db.$client.close();
  return bytes;
};

/** A migrated database in memory, for one test: migrated once a process, copied for each. */
export function testDatabase(): Db {
  image ??= migratedImage();
  const sqlite = new Database(image);
  sqlite.pragma("foreign_keys = ON");
  sqlite.pragma("trusted_schema = OFF");
  return drizzle(sqlite, { schema });
}
