import { closeSync, openSync, realpathSync, rmSync, statSync } from "node:fs";
import Database from "better-sqlite3";
import { type SQL, sql } from "drizzle-orm";
import type { BetterSQLite3Database } from "drizzle-orm/better-sqlite3";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { createDrizzle } from "./drizzled.ts";
import type * as schema from "./schema.ts";

/** Returns device and inode, which no other file has while a process keeps this one open. */
function identityOf(path: string): string | null {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return null;
  }
}

/**
 * Returns a function that tells whether the opened files are still in place: in WAL mode SQLite does not notice if one
 * is removed or replaced. Once false, the answer stays false, because the files may have missed writes.
 */
export function fileGuard(path: string, logSuffixes: readonly string[]): () => boolean {
  // SQLite keeps its log beside the file that a symlink leads to.
  const realPath = realpathSync(path);
  const files = [path, ...logSuffixes.map((end) => realPath + end)];
  const identities = files.map(identityOf);
  let isInPlace = true;
  return () => {
    isInPlace &&= files.every((file, i) => identityOf(file) === identities[i]);
    return isInPlace;
  };
}

export type Replication = {
  /** Whether the copy was writable when last checked. */
  isWritable(): boolean;
  /** Rejects with the error to show the caller. */
  waitUntilWritable(): Promise<void>;
  position(path: string): bigint;
  /** Throws if the position has not moved past `before` although something was committed. */
  confirmCommit(before: bigint, path: string): void;
  /** Makes the error for a write without effect, because this copy turned out to be read-only. */
  readOnlyError(): Error;
  /** Makes the error for a commit that failed, but may have had an effect. */
  outcomeUnknownError(): Error;
};

type Client = Database.Database;
export type Db = BetterSQLite3Database & {
  $client: Client;
  $replication?: Replication;
  /** Whether the database's files are still in place; set only where somebody checks. */
  $isInPlace?: () => boolean;
  $prepared?: Map<unknown, Map<string, unknown>>;
};

export type QueuedEvent = Omit<typeof schema.changeFeed.$inferSelect, "id" | "type"> & {
  type: (typeof schema.WEBHOOK_EVENTS)[number];
};

/** `commit` writes `$queued`, in order, at the end of the transaction. */
export type Tx = Omit<Db, "$client" | "$replication" | "$isInPlace"> & {
  $isTransaction: true;
  $queued: QueuedEvent[];
};

/** The longest that the event loop may block on another writer; after that `write` waits without blocking. */
const BUSY_TIMEOUT_MS = 5;
/** On a LiteFS mount (journal mode DELETE) the other writer is replication, and readers must wait for it too. */
const MOUNT_BUSY_TIMEOUT_MS = 2_000;
const WRITE_TIMEOUT_MS = 5_000;

/** WAL with `synchronous=FULL` survives a power cut; a LiteFS mount uses DELETE, because WAL loses commits there. */
export function openDatabase(path: string, replication?: Replication): Db {
  // SQLite would create the file with the umask's mode. Its journals inherit the file's mode.
  if (!replication && path !== ":memory:") closeSync(openSync(path, "a", 0o600));
  const timeout = replication ? MOUNT_BUSY_TIMEOUT_MS : BUSY_TIMEOUT_MS;
  const sqlite = new Database(path, { timeout });
  sqlite.pragma(`journal_mode = ${replication ? "DELETE" : "WAL"}`);
  sqlite.pragma("synchronous = FULL");
  sqlite.pragma("foreign_keys = ON");
  sqlite.pragma("trusted_schema = OFF");
  // SQLite then overwrites deleted data with zeros; see erase.ts for the rest.
  sqlite.pragma("secure_delete = ON");
  const db: Db = createDrizzle(sqlite);
  if (replication) db.$replication = replication;
  return db;
}

/** Opens a plain connection for `work`, which is synchronous. */
export function withFile<T>(path: string, options: Database.Options, work: (db: Client) => T): T {
  const db = new Database(path, options);
  try {
    return work(db);
  } finally {
    db.close();
  }
}

export function removeDatabase(path: string): void {
  for (const end of ["", "-wal", "-shm", "-journal"]) rmSync(path + end, { force: true });
}

/** Whether this copy takes writes; always true if it is the only one. */
export const isWritable = (db: Db): boolean => db.$replication?.isWritable() ?? true;

/** Whether another connection locked the database for longer than the busy timeout. */
export const isBusy = (error: unknown): boolean => hasCode(error, "SQLITE_BUSY");

/** Whether an error has one of SQLite's codes, or one that begins so. */
export const hasCode = (error: unknown, ...codes: string[]): boolean =>
  error instanceof Database.SqliteError && codes.some((code) => error.code.startsWith(code));

/** There is one connection, so a transaction's handle is the database itself. Throws if `work` is asynchronous. */
const transact = <T>(db: Db, work: (tx: Tx) => T): T =>
  db.$client.transaction(work).immediate(Object.assign(db, { $queued: [] }) as unknown as Tx);

const totalChanges = (db: Db) => db.$client.prepare("select total_changes()").pluck().get();

/** Runs a transaction on a LiteFS mount, where a commit only counts if the mount's position has moved. */
function transactReplicated<T>(db: Db, replication: Replication, work: (tx: Tx) => T): T {
  const before = replication.position(db.$client.name);
  const changes = totalChanges(db);
  let result: T;
  try {
    result = transact(db, work);
  } catch (error) {
    if (hasCode(error, "SQLITE_READONLY")) throw replication.readOnlyError();
    if (hasCode(error, "SQLITE_IOERR", "SQLITE_CANTOPEN")) throw replication.outcomeUnknownError();
    throw error;
  }
  if (totalChanges(db) !== changes) replication.confirmCommit(before, db.$client.name);
  return result;
}

function requireInPlace(db: Db): void {
  const message = `${db.$client.name} was removed, renamed or replaced`;
  if (db.$isInPlace?.() === false)
    throw new Database.SqliteError(message, "SQLITE_READONLY_DBMOVED");
}

/**
 * Runs `work`, which is synchronous, in one transaction; resolves once it is committed, with all files in place. Waits for
 * another writer without blocking the event loop, at most five seconds.
 */
export async function write<T>(db: Db, work: (tx: Tx) => T): Promise<T> {
  const { $replication } = db;
  const giveUpAt = performance.now() + WRITE_TIMEOUT_MS;
  for (;;) {
    try {
      requireInPlace(db);
      await $replication?.waitUntilWritable();
      const result = $replication ? transactReplicated(db, $replication, work) : transact(db, work);
      requireInPlace(db);
      return result;
    } catch (error) {
      if (!isBusy(error) || performance.now() > giveUpAt) throw error;
      await new Promise((resolve) => setTimeout(resolve, 10 + Math.random() * 40));
    }
  }
}

type Builder<P = unknown> = { prepare(): P };
type Prepared<T> = T extends Builder<infer P> ? P : T;

/** Builds and prepares once per database and shape, at first use: building costs ten times as much as running. */
export const prepared =
  <T extends object, S = void>(build: (db: Db, shape: S) => T) =>
  (handle: Db | Tx, shape: S): Prepared<T> => {
    // A transaction runs on the only connection.
    const db = handle as Db;
    db.$prepared ??= new Map();
    const shapes = db.$prepared.get(build) ?? new Map<string, unknown>();
    db.$prepared.set(build, shapes);
    const key = JSON.stringify(shape ?? "");
    if (!shapes.has(key)) {
      const built = build(db, shape);
      shapes.set(key, "prepare" in built ? (built as Builder).prepare() : built);
    }
    return shapes.get(key) as Prepared<T>;
  };

type Column<T extends SQLiteTable> = keyof T["$inferInsert"] & keyof T["$inferSelect"] & string;

const placeholders = (columns: readonly string[]) =>
  Object.fromEntries(columns.map((name) => [name, sql.placeholder(name)]));

/** Prepares an insert into these columns; the others get their defaults. */
export const preparedInsert = <T extends SQLiteTable, K extends Column<T>>(
  table: T,
  ...columns: readonly K[]
) =>
  prepared((db) => {
    const query = db
      .insert(table)
      .values(placeholders(columns) as T["$inferInsert"])
      .prepare();
    return (row: Pick<T["$inferSelect"], K>) => query.run(row);
  });

/** Prepares an update of these columns in the rows that `where` selects by the placeholder "id". */
export const preparedUpdate = <T extends SQLiteTable, K extends Column<T>>(
  table: T,
  where: SQL | undefined,
  ...columns: readonly K[]
) =>
  prepared((db) => {
    const set = placeholders(columns) as Partial<T["$inferInsert"]>;
    const query = db.update(table).set(set).where(where).prepare();
    return (row: Pick<T["$inferSelect"], K> & { id: string }) => query.run(row);
  });
