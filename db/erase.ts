import { sql } from "drizzle-orm";
import { type Db, isBusy, type Tx } from "./client.ts";

/** The pragma `user_version` is ERASED until the file is rewritten, and then REWRITTEN until the log is emptied. */
const ERASED = 1;
const REWRITTEN = 2;

/** The largest file rewritten in a request, in bytes; a rewrite takes 10 ms per megabyte. */
export const MAX_BYTES_IN_REQUEST = 16 * 1024 * 1024;
export const MAX_BYTES_SCHEDULED = 64 * 1024 * 1024;

export function markErased(tx: Tx): void {
  tx.run(sql.raw(`pragma user_version = ${ERASED}`));
}

/** Moves the log into the file and truncates it; false if another connection's read prevents this. */
export function emptyLog(db: Db): boolean {
  const [result] = db.$client.pragma("wal_checkpoint(TRUNCATE)") as { busy: number }[];
  return result?.busy === 0;
}

/**
 * Page splits leave copies of deleted rows, so a file of at most `limit` bytes is rewritten, once. Other readers
 * (Litestream always reads) may prevent emptying the log, which is then tried again.
 */
export function scrub(db: Db, limit: number): void {
  if (db.$replication) return;
  const { $client } = db;
  const pragma = (name: string) => Number($client.pragma(name, { simple: true }));
  const isSmall = pragma("page_count") * pragma("page_size") <= limit;
  try {
    if (pragma("user_version") === ERASED && isSmall) {
      // The search index keeps deleted text until its parts are merged.
      $client.exec("insert into domain_search (domain_search) values ('optimize')");
      $client.exec("vacuum");
      $client.pragma(`user_version = ${REWRITTEN}`);
    }
    if (emptyLog(db) && pragma("user_version") === REWRITTEN) $client.pragma("user_version = 0");
  } catch (error) {
    if (!isBusy(error)) throw error;
  }
}
