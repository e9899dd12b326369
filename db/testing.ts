import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { type Db, openDatabase } from "./client.ts";
import { drizzled } from "./drizzled.ts";
import { migrateDatabase } from "./migrate.ts";

let image: Buffer | null = null;

const migratedImage = (): Buffer => {
  const db = openDatabase(":memory:");
  migrateDatabase(db);
  const bytes = db.$client.serialize();
  db.$client.close();
  return bytes;
};

/** A migrated in-memory database for one test. Migrations run once per process; each test gets a copy. */
export function testDatabase(): Db {
  image ??= migratedImage();
  const sqlite = new Database(image);
  sqlite.pragma("foreign_keys = ON");
  sqlite.pragma("trusted_schema = OFF");
  return drizzled(sqlite);
}

/** An in-memory database from before the named migration. */
export function databaseBefore(tag: string): Db {
  const folder = mkdtempSync(join(tmpdir(), "deed-migrations-"));
  cpSync("db/migrations", folder, { recursive: true });
  const path = join(folder, "meta/_journal.json");
  const journal = JSON.parse(readFileSync(path, "utf8"));
  const end = journal.entries.findIndex((entry: { tag: string }) => entry.tag === tag);
  writeFileSync(path, JSON.stringify({ ...journal, entries: journal.entries.slice(0, end) }));
  const db = openDatabase(":memory:");
  migrateDatabase(db, folder);
  rmSync(folder, { recursive: true });
  return db;
}
