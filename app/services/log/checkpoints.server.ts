import { eq } from "drizzle-orm";
import { type Db, type Tx, write } from "#db/client.ts";
import { logMoves, logs } from "#db/schema.ts";
import type { Context } from "../context.server.ts";
import { Episode } from "../episode.ts";
import { appendEntry, base64Root, isContinued, openLog } from "./log.server.ts";
import {
  currentLog,
  type LogRow,
  readEntries,
  subtreesOf,
  unsettledLog,
} from "./log-rows.server.ts";
import { rootOf } from "./merkle.ts";
import { signCheckpoint } from "./note.ts";

type Publishing = Pick<Context, "db" | "clock" | "settings" | "signer" | "signedTree">;

/** Entries of ended logs that one transaction appends anew. */
const MOVED_AT_ONCE = 500;
/** Entries that wait longer for their checkpoint are trouble. */
const LONG_MS = 10_000;

/** Whether everything appended under this key is in a checkpoint. */
export const isCovered = ({ size, checkpoint, checkpointSize }: LogRow) =>
  checkpoint !== null && checkpointSize === size;

/**
 * Appends anew, to the current log, entries of an ended log of the same key that no checkpoint covers. Statements are
 * found in logs of the key that signed them alone, so entries of another key stay where they are.
 */
function moveUnsettled(tx: Tx, ctx: Publishing): void {
  const ended = unsettledLog(tx, ctx.signer.kid);
  if (!ended) return;
  const { id, settled } = ended;
  const entries = readEntries(tx, id, settled, MOVED_AT_ONCE);
  for (const [i, entry] of entries.entries()) {
    const { log, index } = appendEntry(tx, ctx, entry);
    tx.insert(logMoves)
      .values({ log: id, index: settled + i, toLog: log, toIndex: index })
      .run();
  }
  tx.update(logs)
    .set({ settled: settled + entries.length })
    .where(eq(logs.id, id))
    .run();
}

/** Begins a log if the current one has ended, and moves what an ended one left uncovered. */
async function prepare(ctx: Publishing): Promise<void> {
  const log = currentLog(ctx.db);
  const isReady = log && isContinued(ctx.db, ctx, log);
  if (isReady && !unsettledLog(ctx.db, ctx.signer.kid)) return;
  await write(ctx.db, (tx) => {
    openLog(tx, ctx);
    moveUnsettled(tx, ctx);
  });
}

/** Signs and stores a checkpoint of the first `size` entries, unless the log has ended meanwhile. */
function sign(tx: Tx, ctx: Publishing, { id, size }: LogRow): void {
  const log = currentLog(tx);
  if (log?.id !== id || size < log.checkpointSize || !isContinued(tx, ctx, log)) return;
  const stamp = ctx.signedTree.keep({ origin: log.origin, size, root: base64Root(tx, id, size) });
  const root = rootOf(subtreesOf(tx, id), size);
  const checkpoint = signCheckpoint(log.origin, size, root, ctx.signer);
  const waitingSince = size < log.size ? ctx.clock() : null;
  tx.update(logs)
    .set({ checkpoint, checkpointSize: size, settled: size, stamp, waitingSince })
    .where(eq(logs.id, id))
    .run();
}

/** Whether another node has all that this copy of the database has now; true if there is no other. */
const isReplicated = async ({ $replication }: Db): Promise<boolean> =>
  $replication ? $replication.isCopied($replication.position()) : true;

/**
 * Signs a checkpoint of all that was appended under `ctx.signer`, in a cluster once another node has it, and resolves
 * with whether every entry is covered now.
 */
export async function publishCheckpoint(ctx: Publishing): Promise<boolean> {
  await prepare(ctx);
  const log = currentLog(ctx.db);
  if (!log || log.kid !== ctx.signer.kid) return false;
  if (!isCovered(log)) {
    if (!(await isReplicated(ctx.db))) return false;
    await write(ctx.db, (tx) => sign(tx, ctx, log));
  }
  const after = currentLog(ctx.db);
  return after !== undefined && isCovered(after) && !unsettledLog(ctx.db, ctx.signer.kid);
}

/** Returns what publishes a checkpoint, and logs when entries wait for another node, and when they no longer do. */
export function checkpointPublisher(ctx: Publishing & Pick<Context, "log">): () => Promise<void> {
  const trouble = new Episode(
    "no checkpoint of the log is signed, because no other node has what was written last",
    "checkpoints of the log are signed again",
  );
  return async () => {
    const isDone = await publishCheckpoint(ctx);
    const waitingSince = currentLog(ctx.db)?.waitingSince ?? null;
    const waitsLong = waitingSince !== null && ctx.clock() - waitingSince > LONG_MS;
    trouble.note(ctx.log, !isDone && waitsLong);
  };
}
