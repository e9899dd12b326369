import { readFileSync } from "node:fs";
import { migrate } from "drizzle-orm/better-sqlite3/migrator";
import type { Db } from "./client.ts";
import { packageFile } from "./package-file.ts";

/** Applies the committed migrations that the database lacks. Idempotent. */
export function migrateDatabase(db: Db, folder = packageFile("db/migrations")): void {
  // Takes effect outside a transaction only. A migration that rebuilds a table checks the references itself.
  db.$client.pragma("foreign_keys = OFF");
  try {
    migrate(db, { migrationsFolder: folder });
  } finally {
    db.$client.pragma("foreign_keys = ON");
  }
}

type Journal = { entries: { idx: number; when: number }[] };

const readJournal = (folder: string): Journal =>
  JSON.parse(readFileSync(`${folder}/meta/_journal.json`, "utf8"));

/** The number of the newest committed migration. */
export const newestSchema = (folder = packageFile("db/migrations")): number =>
  Math.max(...readJournal(folder).entries.map(({ idx }) => idx));

/** Whether the database has every committed migration. A replica waits for the primary to apply them. */
export function isMigrated(db: Db, folder = packageFile("db/migrations")): boolean {
  const newest = Math.max(...readJournal(folder).entries.map(({ when }) => when));
  const tables = db.$client.prepare(
    "select 1 from sqlite_master where name = '__drizzle_migrations'",
  );
  if (!tables.get()) return false;
  const applied = db.$client.prepare("select max(created_at) from __drizzle_migrations").pluck();
  return Number(applied.get()) >= newest;
}
