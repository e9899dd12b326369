import Database from "better-sqlite3";
import { type BetterSQLite3Database, drizzle } from "drizzle-orm/better-sqlite3";
import * as schema from "./schema.ts";

export type Db = BetterSQLite3Database<typeof schema> & { $client: Database.Database };

/** The handle inside a transaction: the same queries, bound to it. */
export type Tx = Parameters<Parameters<Db["transaction"]>[0]>[0];

/** Longest the event loop may stand still for another writer; past it `write` waits without blocking. */
const BUSY_TIMEOUT_MS = 100;
const RETRY_FOR_MS = 5_000;

/**
 * Opens the database file, creating it (0600) where it is absent.
 * WAL and `synchronous=FULL`: an acknowledged write survives a power cut.
 */
export function openDatabase(path: string): Db {
  const sqlite = new Database(path, { timeout: BUSY_TIMEOUT_MS });
  sqlite.pragma("journal_mode = WAL");
  sqlite.pragma("synchronous = FULL");
  sqlite.pragma("foreign_keys = ON");
  sqlite.pragma("trusted_schema = OFF");
  return drizzle(sqlite, { schema });
}

/** Another connection held the database longer than the busy timeout. */
export const isBusy = (error: unknown): boolean =>
  error instanceof Database.SqliteError && error.code.startsWith("SQLITE_BUSY");

/**
 * Runs `work` in one `immediate` transaction and resolves once it is committed.
 * `work` is synchronous; what it throws rolls everything back and is rethrown.
 * Another writer is waited for without blocking the event loop, for five seconds at most.
 */
export async function write<T>(db: Db, work: (tx: Tx) => T): Promise<T> {
  const giveUpAt = Date.now() + RETRY_FOR_MS;
  for (;;) {
    try {
      return db.transaction(work, { behavior: "immediate" });
    } catch (error) {
      if (!isBusy(error) || Date.now() > giveUpAt) throw error;
      await new Promise((resolve) => setTimeout(resolve, 10 + Math.random() * 40));
    }
  }
}

/**
 * Queries prepared once a database: a drizzle query not prepared costs nine times a prepared one.
 * `build` is called at the first use with each database.
 */
export function prepared<T>(build: (db: Db) => T): (db: Db) => T {
  const made = new WeakMap<Db, T>();
  return (db) => {
    const known = made.get(db);
    if (known) return known;
    const fresh = build(db);
    made.set(db, fresh);
    return fresh;
  };
}
