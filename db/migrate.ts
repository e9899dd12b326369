import { readFileSync } from "node:fs";
import { migrate } from "drizzle-orm/better-sqlite3/migrator";
import type { Db } from "./client.ts";
import { packageFile } from "./package-file.ts";

/** Applies the committed migrations that the database lacks. Idempotent. */
export function migrateDatabase(db: Db, folder = packageFile("db/migrations")): void {
  migrate(db, { migrationsFolder: folder });
}

type Journal = { entries: { when: number }[] };

/** Whether the database has every committed migration. A replica waits for the primary to apply them. */
export function isMigrated(db: Db, folder = packageFile("db/migrations")): boolean {
  const { entries }: Journal = JSON.parse(readFileSync(`${folder}/meta/_journal.json`, "utf8"));
  const newest = Math.max(...entries.map(({ when }) => when));
  const tables = db.$client.prepare(
    "select 1 from sqlite_master where name = '__drizzle_migrations'",
  );
  if (!tables.get()) return false;
  const applied = db.$client.prepare("select max(created_at) from __drizzle_migrations").pluck();
  return Number(applied.get()) >= newest;
}
