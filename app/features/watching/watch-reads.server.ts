import { AddressFull } from "@deed/dns/resolve/reader.ts";
import { findingOf, type RecordFinding } from "@deed/dns/verdict/proof.ts";
import { and, asc, eq, gt, isNotNull, isNull, lte, or, sql } from "drizzle-orm";
import { isTimeKnown } from "#app/core/clock/timekeeper.server.ts";
import { commit } from "#app/core/commit.server.ts";
import type { Context, TxContext } from "#app/core/context.server.ts";
import type { UnderWay } from "#app/core/fair-share.ts";
import { createNotice, queueForWebhooks } from "#app/core/feed/feed.server.ts";
import { newId } from "#app/core/ids.server.ts";
import { limitBy, prepared, type Tx } from "#db/client.ts";
import { claims, watches } from "#db/schema.ts";
import { dueVerifications, observe } from "../claims/runs.server.ts";
import { LEASE_MS } from "../claims/transition.ts";
import { nextReadAfter, placeIn, REMOVAL_MS } from "./removal.server.ts";
import { watchOfClaim } from "./watch-rows.server.ts";
import { afterRead, type WatchMove, type WatchRow } from "./watch-states.ts";

declare module "#app/core/context.server.ts" {
  interface Context {
    watchReads: UnderWay<string>;
  }
}

/** Reads of watched records under way at once; a slow zone takes one of them for twenty seconds. */
const PLACES = 16;

/** A lease that ends later than any taken now is from before the clock went back. */
const isDue = and(
  isNotNull(watches.nextReadAt),
  lte(watches.nextReadAt, sql.placeholder("now")),
  or(
    isNull(watches.runUntil),
    lte(watches.runUntil, sql.placeholder("now")),
    gt(watches.runUntil, sql.placeholder("longestLease")),
  ),
);

const due = prepared((db) =>
  db
    .select({ watch: watches, claim: claims })
    .from(watches)
    .innerJoin(claims, eq(claims.id, watches.claimId))
    .where(isDue)
    .orderBy(asc(watches.nextReadAt))
    .limit(limitBy("limit"))
    .prepare(),
);
type Due = NonNullable<ReturnType<ReturnType<typeof due>["get"]>>;

const acquire = prepared((db) =>
  db
    .update(watches)
    .set({ runId: sql`${sql.placeholder("runId")}`, runUntil: sql`${sql.placeholder("runUntil")}` })
    .where(and(eq(watches.claimId, sql.placeholder("claimId")), isDue))
    .prepare(),
);

type Lease = Due & { runId: string };

const lease = (ctx: Context, rows: readonly Due[]): Promise<Lease[]> =>
  commit(ctx, (tx, ctx) => {
    const now = ctx.clock();
    const runUntil = now + LEASE_MS;
    return rows.flatMap((row) => {
      const runId = newId("att", now);
      const { claimId } = row.watch;
      const taken = acquire(tx).run({ claimId, runId, runUntil, longestLease: runUntil, now });
      return taken.changes === 1 ? [{ ...row, runId }] : [];
    });
  });

/** Reads that nobody waits for give way: none begins while a verification is due. */
const isVerificationDue = (ctx: Context) => dueVerifications(ctx, 1).length > 0;

/** Starts at most `limit` reads that are due, in due order; none while a verification is due. */
export async function startDueWatchReads(ctx: Context, limit: number): Promise<void> {
  const places = Math.min(limit, PLACES - ctx.watchReads.size);
  if (places <= 0 || isVerificationDue(ctx)) return;
  const now = ctx.clock();
  const rows = due(ctx.db)
    .all({ now, longestLease: now + LEASE_MS, limit: places })
    .filter(({ watch }) => !ctx.watchReads.has(watch.claimId));
  if (rows.length === 0) return;
  for (const one of await lease(ctx, rows)) {
    const { claimId } = one.watch;
    const abort = new AbortController();
    const done = readLeased(ctx, one, abort.signal).catch((error) => {
      ctx.log.error({ err: error, claimId }, "watch could not be recorded");
    });
    ctx.watchReads.add(claimId, { abort, done });
  }
}

type WatchRead = {
  finding: RecordFinding;
  place: ReturnType<typeof placeIn> | null;
  at: number;
};

async function readLeased(ctx: Context, { watch, claim, runId }: Lease, signal: AbortSignal) {
  const at = ctx.clock();
  const question = { domain: claim.name, label: claim.challengeLabel, token: claim.token };
  const seen = await observe(ctx, question, { claimId: claim.id }, signal);
  // Due again once the lease has lapsed.
  if (seen instanceof AddressFull) return;
  if ((!seen && signal.aborted) || !isTimeKnown(ctx)) return release(ctx, runId, watch.claimId);
  const finding = seen ? findingOf(seen, watch) : "unread";
  const place = seen && finding === "seen" ? placeIn(seen) : null;
  await commit(ctx, (tx, ctx) => record(ctx, tx, claim, runId, { finding, place, at }));
  ctx.onWatchRead?.(finding);
}

const release = (ctx: Context, runId: string, claimId: string): Promise<void> =>
  commit(ctx, (tx) => {
    tx.update(watches)
      .set({ runId: null, runUntil: null })
      .where(and(eq(watches.claimId, claimId), eq(watches.runId, runId)))
      .run();
  });

/** Null once the deletion of an unwatched record is seen, or was waited for long enough. */
function nextReadOf(row: WatchRow, { after, isUnconfirmed }: WatchMove, at: number): number | null {
  const isOver = after.state !== "published" || at - row.startedAt >= REMOVAL_MS;
  if (row.purpose === "removal" && isOver) return null;
  return nextReadAfter(row.claimId, at, isUnconfirmed);
}

/** Writes what a read showed, and tells the holder what they do not know, if the run still holds the lease. */
function record(
  ctx: TxContext,
  tx: Tx,
  claim: Due["claim"],
  runId: string,
  { finding, place, at }: WatchRead,
): void {
  const row = watchOfClaim(tx).get({ claimId: claim.id });
  if (row?.runId !== runId) return;
  const move = afterRead(row, finding, at);
  tx.update(watches)
    .set({
      ...move.after,
      ...place,
      nextReadAt: nextReadOf(row, move, at),
      runId: null,
      runUntil: null,
    })
    .where(eq(watches.claimId, claim.id))
    .run();
  if (row.purpose !== "watch" || move.tell === null) return;
  const now = ctx.clock();
  if (move.tell !== "published") createNotice(tx, move.tell, claim, now);
  const ids = { claimId: claim.id, domainId: claim.domainId };
  queueForWebhooks(tx, claim.accountId, `watch.${move.tell}`, ids, now);
}
