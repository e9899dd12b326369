import { existsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Database from "better-sqlite3";
import { type Db, fileGuard, hasCode, openDatabase, type Replication, withFile } from "./client.ts";
import { scrub } from "./erase.ts";
import { type Migration, migrateDatabase, RefusedDatabase, schemaOf } from "./migrate.ts";

const REFUSALS: [code: string, describe: (path: string) => string][] = [
  ["SQLITE_NOTADB", (path) => `${path} is not a database`],
  ["SQLITE_CORRUPT", (path) => `${path} is damaged: restore a backup`],
  ["SQLITE_FULL", (path) => `the disk of ${path} is full`],
  ["SQLITE_BUSY", (path) => `${path} is locked by another process`],
  ["SQLITE_READONLY", (path) => `${path} cannot be written`],
  ["SQLITE_CANTOPEN", (path) => `${path}, or its -wal or -shm file, cannot be opened`],
];

function refusalFor(error: unknown, path: string): unknown {
  if (!(error instanceof Database.SqliteError)) return error;
  const { code, message } = error;
  const [, describe] = REFUSALS.find(([start]) => code.startsWith(start)) ?? [];
  return new RefusedDatabase(describe?.(path) ?? `${path} cannot be opened (${message}, ${code})`);
}

const isEmpty = (path: string) => !statSync(path, { throwIfNoEntry: false })?.size;

/** Reads the schema; null if there is no database yet. Throws a RefusedDatabase if Deed must leave the file as it is. */
export function checkDatabase(path: string, readonly = false) {
  try {
    return isEmpty(path) ? null : withFile(path, { readonly }, (db) => schemaOf(db));
  } catch (error) {
    throw refusalFor(error, path);
  }
}

/** A file next to the secrets that shows that a database existed. */
export const traceFile = ({ DATA_DIR }: { DATA_DIR: string }) => join(DATA_DIR, "database-made");

export function leaveTrace(trace: string): void {
  const text = "Deed has a database. Without it, Deed does not start while this file is here.\n";
  if (!existsSync(trace)) writeFileSync(trace, text);
}

/** Throws a RefusedDatabase if the database is missing although `trace` shows that one existed. */
export function checkNotLost(path: string, trace: string): void {
  if (existsSync(trace) && isEmpty(path))
    throw new RefusedDatabase(
      `${path} is missing or empty, and ${trace} shows that there was a database: put it back, restore a backup (deed restore FILE), or delete ${trace} to begin with an empty one`,
    );
}

/** Opens and migrates the database, and finishes due erasing. Call `checkDatabase` and `reserveDatabase` first. */
export function openOwnDatabase(path: string, report: (migration: Migration) => void): Db {
  try {
    const db = openDatabase(path);
    const migration = migrateDatabase(db);
    if (migration) report(migration);
    scrub(db, Number.POSITIVE_INFINITY);
    db.$isInPlace = fileGuard(path, ["-wal", "-shm"]);
    return db;
  } catch (error) {
    throw refusalFor(error, path);
  }
}

const POLL_MS = 200;

type Report = (migration: Migration) => void;

function openMigrated(path: string, replication: Replication, report: Report): Db | null {
  const db = openDatabase(path, replication);
  try {
    const migration = replication.isWritable() ? migrateDatabase(db) : null;
    if (migration) report(migration);
    if (schemaOf(db.$client).pending.length === 0) {
      // LiteFS keeps the inode in an import, refuses to rename files, and has no log to lose.
      db.$isInPlace = fileGuard(path, []);
      return db;
    }
  } catch (error) {
    if (!hasCode(error, "SQLITE_BUSY", "SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_IOERR"))
      throw error;
  }
  db.$client.close();
  return null;
}

/** Opens a node's copy. A writable one is migrated; others wait for the primary's migrations. Throws a RefusedDatabase. */
export async function openReplicated(path: string, replication: Replication, report: Report) {
  for (;;) {
    if (replication.isWritable() || existsSync(path)) {
      const db = openMigrated(path, replication, report);
      if (db) return db;
    }
    await sleep(POLL_MS);
  }
}
