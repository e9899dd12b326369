import { randomBytes } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import type { Db, Tx } from "#db/client.ts";
import { prepared, preparedInsert } from "#db/queries.ts";
import { logEntries, logHashes, logs } from "#db/schema.ts";
import type { TxContext } from "../context.server.ts";
import {
  currentLog,
  type LogRow,
  logNamed,
  movedTo,
  type Place,
  subtreesOf,
} from "./log-rows.server.ts";
import { completedBy, inclusionPath, leafHash, rootOf } from "./merkle.ts";
import { tlogProof } from "./note.ts";

/** What the log takes from the context. It is written to by whoever has the key. */
export type LogContext = Pick<TxContext, "clock" | "settings" | "signer" | "signedTree">;

export const base64Root = (tx: Db | Tx, log: string, size: number): string =>
  Buffer.from(rootOf(subtreesOf(tx, log), size)).toString("base64");

/**
 * Whether this process may append to a log and sign it: it has this key, and the database has all that was signed of
 * it, as this installation's memory has it. Otherwise the log has ended, whatever the database says.
 */
export function isContinued(tx: Db | Tx, ctx: LogContext, log: LogRow): boolean {
  const signed = ctx.signedTree.recall(log.stamp);
  return (
    log.kid === ctx.signer.kid &&
    signed?.origin === log.origin &&
    signed.size <= log.size &&
    signed.root === base64Root(tx, log.id, signed.size)
  );
}

/** The log to append to: the current one or, if that has ended, a new one. */
export function openLog(tx: Tx, ctx: LogContext): LogRow {
  const log = currentLog(tx);
  if (log && isContinued(tx, ctx, log)) return log;
  const now = ctx.clock();
  if (log) tx.update(logs).set({ endedAt: now }).where(eq(logs.id, log.id)).run();
  return beginLog(tx, ctx, now);
}

function beginLog(tx: Tx, ctx: LogContext, begunAt: number): LogRow {
  const id = randomBytes(4).toString("hex");
  const origin = `${new URL(ctx.settings.baseUrl).host}/log/${id}`;
  const stamp = ctx.signedTree.keep({ origin, size: 0, root: base64Root(tx, id, 0) });
  return tx
    .insert(logs)
    .values({ id, origin, kid: ctx.signer.kid, stamp, begunAt })
    .returning()
    .get();
}

const insertEntry = preparedInsert(logEntries, "log", "index", "entry");
const insertHash = preparedInsert(logHashes, "log", "level", "index", "hash");
const grow = prepared((db) =>
  db
    .update(logs)
    .set({
      size: sql`${logs.size} + 1`,
      waitingSince: sql`coalesce(${logs.waitingSince}, ${sql.placeholder("now")})`,
    })
    .where(eq(logs.id, sql.placeholder("log")))
    .prepare(),
);

function append(tx: Tx, { id: log, size: index }: LogRow, entry: Uint8Array, now: number): Place {
  insertEntry(tx)({ log, index, entry: Buffer.from(entry) });
  for (const { hash, ...subtree } of completedBy(subtreesOf(tx, log), index, leafHash(entry)))
    insertHash(tx)({ log, ...subtree, hash: Buffer.from(hash) });
  grow(tx).run({ log, now });
  return { log, index };
}

/**
 * Appends an entry of 32 octets to the log of `ctx.signer`, in the transaction of what it is about. If the current log
 * is another key's, or has ended for another reason, the entry is the first of a new log.
 */
export const appendEntry = (tx: Tx, ctx: LogContext, entry: Uint8Array): Place =>
  append(tx, openLog(tx, ctx), entry, ctx.clock());

/**
 * The C2SP tlog-proof of an entry, by the place that `appendEntry` gave it; null while no checkpoint covers it. If its
 * log ended before one did, the proof is from the log that it was appended to again.
 */
export function proofOfEntry(db: Db | Tx, place: Place): string | null {
  const log = logNamed(db, place.log);
  if (!log) return null;
  if (log.checkpoint !== null && place.index < log.checkpointSize) {
    const path = inclusionPath(subtreesOf(db, log.id), place.index, log.checkpointSize);
    return tlogProof(place.index, path, log.checkpoint);
  }
  const moved = movedTo(db, place);
  return moved ? proofOfEntry(db, moved) : null;
}
