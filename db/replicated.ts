import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import Database from "better-sqlite3";
import { type Db, openDatabase, placeOf, type Replication } from "./client.ts";
import { isMigrated, type Migration, migrateDatabase } from "./migrate.ts";

const POLL_MS = 200;

const isTransient = (error: unknown) =>
  error instanceof Database.SqliteError &&
  /^SQLITE_(BUSY|READONLY|CANTOPEN|IOERR)/.test(error.code);

type Report = (migration: Migration) => void;

function openMigrated(path: string, replication: Replication, report: Report): Db | null {
  const db = openDatabase(path, replication);
  try {
    const migration = replication.isWritable() ? migrateDatabase(db) : null;
    if (migration) report(migration);
    if (isMigrated(db)) {
      // LiteFS keeps the inode through an import, refuses to rename, and has no log to lose.
      db.$isInPlace = placeOf(path, []);
      return db;
    }
  } catch (error) {
    if (!isTransient(error)) throw error;
  }
  db.$client.close();
  return null;
}

/**
 * Opens the database on a LiteFS mount, and resolves once it has its schema. A writable copy is migrated; any other
 * waits for the primary's migrations to arrive. Throws a RefusedDatabase if the schema is newer than this version.
 */
export async function openReplicated(
  path: string,
  replication: Replication,
  report: Report,
): Promise<Db> {
  for (;;) {
    if (replication.isWritable() || existsSync(path)) {
      const db = openMigrated(path, replication, report);
      if (db) return db;
    }
    await sleep(POLL_MS);
  }
}
