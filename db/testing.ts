import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { type Db, openDatabase } from "./client.ts";
import { createDrizzle } from "./drizzled.ts";
import { migrateDatabase } from "./migrate.ts";

let image: Buffer | null = null;

/** The bytes of a migrated database. Migrations run once per process. */
function migratedImage(): Buffer {
  if (image) return image;
  const db = openDatabase(":memory:");
  migrateDatabase(db);
  image = db.$client.serialize();
  db.$client.close();
  return image;
}

export const copyMigrated = (path: string): void =>
  writeFileSync(path, migratedImage(), { mode: 0o600 });

/** An in-memory database for one test: a migrated one, or that of these bytes. */
export function testDatabase(image = migratedImage()): Db {
  const sqlite = new Database(image);
  sqlite.pragma("foreign_keys = ON");
  sqlite.pragma("trusted_schema = OFF");
  return createDrizzle(sqlite);
}

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
