import { and, asc, eq, lte, type SQL, sql } from "drizzle-orm";
import { isTimeKnown } from "#app/core/clock/timekeeper.server.ts";
import { commit } from "#app/core/commit.server.ts";
import type { Context } from "#app/core/context.server.ts";
import { createNotice } from "#app/core/feed/notice-writer.server.ts";
import { DAY } from "#app/core/time.ts";
import { isWritable, limitBy, prepared } from "#db/client.ts";
import { claims, verifications } from "#db/schema.ts";
import { endClaim, rowsOfClaim } from "./outcome.server.ts";
import { type ClaimRows, EXPIRING_DAY, nextNotice } from "./transition.ts";

/** Claims per transaction: few enough not to block the event loop. */
const BATCH = 10;

const overdueOf = (...which: SQL[]) =>
  prepared((db) =>
    db
      .select({ claimId: claims.id, verificationId: verifications.id })
      .from(claims)
      .innerJoin(verifications, eq(verifications.claimId, claims.id))
      .where(
        and(
          eq(claims.state, sql.raw("'pending'")),
          lte(claims.expiresAt, sql.placeholder("now")),
          ...which,
        ),
      )
      .orderBy(asc(claims.expiresAt))
      .limit(limitBy(BATCH))
      .prepare(),
  );
const overdue = overdueOf();
const overdueOfAccount = overdueOf(eq(claims.accountId, sql.placeholder("accountId")));

/**
 * Expires these claims if they are still open. Reads still under way are cut off; a read that found the token before
 * the deadline and is only waiting to be written is recorded first.
 */
async function expire(
  ctx: Context,
  batch: readonly { claimId: string; verificationId: string }[],
): Promise<void> {
  await ctx.runs.abort(batch.map(({ verificationId }) => verificationId));
  await commit(ctx, (tx, ctx) => {
    const now = ctx.clock();
    for (const { claimId } of batch) {
      const pair = rowsOfClaim(tx).get({ id: claimId });
      if (pair?.claim.state === "pending" && pair.claim.expiresAt <= now)
        endClaim(tx, pair, "deadline", now);
    }
  });
}

/** Whether any claim is past its deadline and not yet expired. */
export const hasOverdue = (ctx: Pick<Context, "db" | "clock">): boolean =>
  overdue(ctx.db).get({ now: ctx.clock() }) !== undefined;

/** Nothing expires on a read-only copy of the database or while the time is not known; claims can still be shown. */
const mayExpire = (ctx: Context) => isWritable(ctx.db) && isTimeKnown(ctx);

/** Expires one batch of overdue claims, oldest deadline first. True if there may be more. */
export async function expireOverdue(ctx: Context): Promise<boolean> {
  if (!mayExpire(ctx)) return false;
  const batch = overdue(ctx.db).all({ now: ctx.clock() });
  if (batch.length > 0) await expire(ctx, batch);
  return batch.length === BATCH;
}

/** Expires every overdue claim of the account, so that none is shown as pending. */
export async function expireOverdueOfAccount(ctx: Context, accountId: string): Promise<void> {
  while (mayExpire(ctx)) {
    const batch = overdueOfAccount(ctx.db).all({ accountId, now: ctx.clock() });
    if (batch.length > 0) await expire(ctx, batch);
    if (batch.length < BATCH) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Expires the claim if it is overdue. Returns whether it did. */
export async function expireIfOverdue(
  ctx: Context,
  claim: { id: string; state: string; expiresAt: number },
  verificationId: string,
): Promise<boolean> {
  if (claim.state !== "pending" || claim.expiresAt > ctx.clock() || !mayExpire(ctx)) return false;
  await expire(ctx, [{ claimId: claim.id, verificationId }]);
  return true;
}

const due = prepared((db) =>
  db
    .select({ id: claims.id })
    .from(claims)
    .where(lte(claims.nextNoticeAt, sql.placeholder("now")))
    .orderBy(asc(claims.nextNoticeAt))
    .limit(limitBy(BATCH))
    .prepare(),
);

/** If no read of the claim has reached DNS yet, there is nothing to nudge about: the fault is on this side. */
function kindDue({ claim, verification }: ClaimRows, now: number): "nudge" | "expiring" | null {
  if (claim.state !== "pending" || now >= claim.expiresAt) return null;
  if (now >= claim.createdAt + EXPIRING_DAY * DAY) return "expiring";
  return verification.status === "checking" ? null : "nudge";
}

/**
 * Creates one batch of the nudges and expiring notices that are due; after downtime, only the last one missed. True if
 * there may be more.
 */
export async function createReminders(ctx: Context): Promise<boolean> {
  const ids = due(ctx.db).all({ now: ctx.clock() });
  if (ids.length === 0) return false;
  await commit(ctx, (tx, ctx) => {
    const now = ctx.clock();
    for (const { id } of ids) {
      const pair = rowsOfClaim(tx).get({ id });
      if (!pair || pair.claim.nextNoticeAt === null || pair.claim.nextNoticeAt > now) continue;
      const kind = kindDue(pair, now);
      if (kind) createNotice(tx, kind, pair.claim, now);
      const nextNoticeAt = nextNotice(pair.claim.createdAt, now);
      tx.update(claims).set({ nextNoticeAt }).where(eq(claims.id, id)).run();
    }
  });
  return ids.length === BATCH;
}
