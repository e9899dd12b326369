import { sql } from "drizzle-orm";
import { type Db, isBusy, type Tx } from "./client.ts";

/** SQLite keeps this number in the file's header, for whoever the file belongs to; here: something was erased. */
const ERASED = 1;

/** Bytes of a file that is rewritten while a request waits, and while the schedule runs: 10 ms a megabyte. */
export const WITHIN_A_REQUEST = 16 * 1024 * 1024;
export const WITHIN_THE_SCHEDULE = 64 * 1024 * 1024;

/** Notes, in the transaction that erases, that the file is to be rewritten. */
export function markErased(tx: Tx): void {
  tx.run(sql.raw(`pragma user_version = ${ERASED}`));
}

/**
 * Moves the log into the database file and empties it, so that nothing deleted stays behind in it.
 * Another connection's read can keep it from that: false, and the next call tries again.
 */
export function emptyLog(db: Db): boolean {
  const [result] = db.$client.pragma("wal_checkpoint(TRUNCATE)") as { busy: number }[];
  return result?.busy === 0;
}

/**
 * Makes sure that nothing erased is left in the file or its log. Deleted rows are zeroed as they go
 * (secure_delete), but where a page was ever split, the copies of the rows moved out stay in its gap:
 * where something was erased and the file has at most `limit` bytes, it is rewritten (VACUUM). Where that
 * cannot be now, it stays noted. On a LiteFS mount it does nothing: there copies are LiteFS's to keep.
 */
export function scrub(db: Db, limit: number): void {
  if (db.$replication) return;
  const { $client } = db;
  const number = (name: string) => Number($client.pragma(name, { simple: true }));
  const isWanted = number("user_version") === ERASED;
  const isSmall = number("page_count") * number("page_size") <= limit;
  try {
    if (isWanted && isSmall) $client.exec("vacuum");
    const isEmpty = emptyLog(db);
    if (isWanted && isSmall && isEmpty) $client.pragma("user_version = 0");
  } catch (error) {
    if (!isBusy(error)) throw error;
  }
}
