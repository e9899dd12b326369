import { closeSync, openSync } from "node:fs";
import Database from "better-sqlite3";
import { type BetterSQLite3Database, drizzle } from "drizzle-orm/better-sqlite3";
import * as schema from "./schema.ts";

/** A database of which other nodes hold copies: who may write, and what vouches for a commit. */
export type Replication = {
  /** Whether this copy takes writes, as far as was known a moment ago. */
  isWritable(): boolean;
  /** Resolves where this copy may be written; rejects with what the writer's asker shall see. */
  admit(): Promise<void>;
  /** The newest transaction of this copy. */
  position(): bigint;
  /** Throws where the position has not moved past `before` although something was committed. */
  receipt(before: bigint): void;
  /** What to throw where nothing was written, because this copy takes no writes after all. */
  refused(): Error;
  /** What to throw where a commit failed and may stand all the same. */
  lost(): Error;
};

export type Db = BetterSQLite3Database<typeof schema> & {
  $client: Database.Database;
  $replication?: Replication;
};

/** The handle inside a transaction: the same queries, for there is one connection. */
export type Tx = Db & {
  /** Its database, by which prepared queries are known. */
  $db: Db;
};

/** Longest the event loop may stand still for another writer; past it `write` waits without blocking. */
const BUSY_TIMEOUT_MS = 5;
/** On a mount the other writer is replication, which a reader must sit out (LiteFS, journal mode DELETE). */
const MOUNT_BUSY_TIMEOUT_MS = 2_000;
const RETRY_FOR_MS = 5_000;

/**
 * Opens the database file, creating it (0600) where it is absent.
 * WAL and `synchronous=FULL`: an acknowledged write survives a power cut.
 * With `replication` the file stands on a LiteFS mount: journal mode DELETE, since WAL there loses commits.
 */
export function openDatabase(path: string, replication?: Replication): Db {
  // SQLite gives its journals the mode of the file, and the file that of the umask.
  if (!replication && path !== ":memory:") closeSync(openSync(path, "a", 0o600));
  const sqlite = new Database(path, {
    timeout: replication ? MOUNT_BUSY_TIMEOUT_MS : BUSY_TIMEOUT_MS,
  });
  sqlite.pragma(`journal_mode = ${replication ? "DELETE" : "WAL"}`);
  sqlite.pragma("synchronous = FULL");
  sqlite.pragma("foreign_keys = ON");
  sqlite.pragma("trusted_schema = OFF");
  // What is deleted is overwritten with zeros; see erase.ts for the rest.
  sqlite.pragma("secure_delete = ON");
  const db: Db = drizzle(sqlite, { schema });
  if (replication) db.$replication = replication;
  return db;
}

/** Whether this copy of the database takes writes; always, where it is the only one. */
export const isWritable = (db: Db): boolean => db.$replication?.isWritable() ?? true;

/** Another connection held the database longer than the busy timeout. */
export const isBusy = (error: unknown): boolean =>
  error instanceof Database.SqliteError && error.code.startsWith("SQLITE_BUSY");

const failedAs = (error: unknown, ...codes: string[]): boolean =>
  error instanceof Database.SqliteError && codes.some((code) => error.code.startsWith(code));

const transaction = prepared((db) => ({
  begin: db.$client.prepare("begin immediate"),
  commit: db.$client.prepare("commit"),
  rollback: db.$client.prepare("rollback"),
  tx: Object.assign(Object.create(db), { $db: db }) as Tx,
}));

/** By statements of its own: drizzle's transaction takes longer than that of one insert. */
function runIn<T>(db: Db, work: (tx: Tx) => T): T {
  const { begin, commit, rollback, tx } = transaction(db);
  begin.run();
  try {
    const result = work(tx);
    // Its queries would go on outside the transaction.
    if (result instanceof Promise) throw new TypeError("a transaction waits for nothing");
    commit.run();
    return result;
  } catch (error) {
    // A full disk or a failed one has rolled it back already.
    if (db.$client.inTransaction) rollback.run();
    throw error;
  }
}

const totalChanges = prepared((db) => db.$client.prepare("select total_changes()").pluck());

/** One transaction with its receipt: acknowledged is what the mount's position vouches for. */
function runWithReceipt<T>(db: Db, replication: Replication, work: (tx: Tx) => T): T {
  const before = replication.position();
  const changes = totalChanges(db).get();
  let result: T;
  try {
    result = runIn(db, work);
  } catch (error) {
    if (failedAs(error, "SQLITE_READONLY")) throw replication.refused();
    if (failedAs(error, "SQLITE_IOERR", "SQLITE_CANTOPEN")) throw replication.lost();
    throw error;
  }
  if (totalChanges(db).get() !== changes) replication.receipt(before);
  return result;
}

/**
 * Runs `work` in one `immediate` transaction and resolves once it is committed.
 * `work` is synchronous; what it throws rolls everything back and is rethrown.
 * Another writer is waited for without blocking the event loop, for five seconds at most.
 */
export async function write<T>(db: Db, work: (tx: Tx) => T): Promise<T> {
  const { $replication } = db;
  const giveUpAt = performance.now() + RETRY_FOR_MS;
  for (;;) {
    try {
      if (!$replication) return runIn(db, work);
      await $replication.admit();
      return runWithReceipt(db, $replication, work);
    } catch (error) {
      if (!isBusy(error) || performance.now() > giveUpAt) throw error;
      await new Promise((resolve) => setTimeout(resolve, 10 + Math.random() * 40));
    }
  }
}

/**
 * Queries prepared once a database: a drizzle query not prepared costs nine times a prepared one.
 * `build` is called at the first use with each database.
 */
export function prepared<T>(build: (db: Db) => T): (handle: Db | Tx) => T {
  const made = new WeakMap<Db, T>();
  return (handle) => {
    const db = "$db" in handle ? handle.$db : handle;
    const known = made.get(db);
    if (known) return known;
    const fresh = build(db);
    made.set(db, fresh);
    return fresh;
  };
}
