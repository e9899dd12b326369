import { sql } from "drizzle-orm";
import { type Db, isBusy, type Tx } from "./client.ts";

/**
 * Values of `user_version`, a header field that SQLite leaves to the application: something was erased; the file was
 * rewritten since, and the log still has to be emptied.
 */
const ERASED = 1;
const REWRITTEN = 2;

/** Largest file, in bytes, to rewrite within a request or on the schedule; a rewrite takes 10 ms per megabyte. */
export const MAX_BYTES_IN_REQUEST = 16 * 1024 * 1024;
export const MAX_BYTES_SCHEDULED = 64 * 1024 * 1024;

/** Marks the file for a rewrite, in the transaction that erases. */
export function markErased(tx: Tx): void {
  tx.run(sql.raw(`pragma user_version = ${ERASED}`));
}

/**
 * Moves the log into the database file and truncates it, so that no deleted data remains in it. Returns false if
 * another connection's read prevents this; the next call tries again.
 */
export function emptyLog(db: Db): boolean {
  const [result] = db.$client.pragma("wal_checkpoint(TRUNCATE)") as { busy: number }[];
  return result?.busy === 0;
}

/**
 * Removes all erased data from the file and its log. Deleted rows are zeroed at once (secure_delete), but after a page
 * split, copies of the rows moved out stay in the page's gap. So if something was erased and the file has at most
 * `limit` bytes, the file is rewritten (VACUUM), once: while another connection's read keeps the log from being emptied
 * (Litestream has one open always), only that is tried again. Does nothing on a LiteFS mount, where LiteFS keeps the
 * copies.
 */
export function scrub(db: Db, limit: number): void {
  if (db.$replication) return;
  const { $client } = db;
  const number = (name: string) => Number($client.pragma(name, { simple: true }));
  const isSmall = number("page_count") * number("page_size") <= limit;
  try {
    if (number("user_version") === ERASED && isSmall) {
      // The search index keeps what was deleted until its parts are merged.
      $client.exec("insert into domain_search (domain_search) values ('optimize')");
      $client.exec("vacuum");
      $client.pragma(`user_version = ${REWRITTEN}`);
    }
    if (emptyLog(db) && number("user_version") === REWRITTEN) $client.pragma("user_version = 0");
  } catch (error) {
    if (!isBusy(error)) throw error;
  }
}
