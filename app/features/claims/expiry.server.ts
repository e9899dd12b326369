import { and, asc, eq, gt, inArray, lte, sql } from "drizzle-orm";
import { isTimeKnown } from "#app/core/clock/timekeeper.server.ts";
import { commit } from "#app/core/commit.server.ts";
import type { Clock, Context } from "#app/core/context.server.ts";
import { createNotice } from "#app/core/feed/feed.server.ts";
import { DAY } from "#app/core/time.ts";
import { type Db, isWritable, prepared } from "#db/client.ts";
import { claims, noticeMails, readDueAt, verifications, watches } from "#db/schema.ts";
import { endClaim, rowsOfClaim } from "./outcome.server.ts";
import { type ClaimRows, EXPIRING_DAY, FIRST_READ_AFTER_MS, nextNotice } from "./transition.ts";

/** The number of claims in a transaction is small, so that the event loop is not blocked. */
const BATCH_SIZE = 10;

const selectOverdue = prepared((db, scope: "all" | "account") =>
  db
    .select({ claimId: claims.id, verificationId: verifications.id })
    .from(claims)
    .innerJoin(verifications, eq(verifications.claimId, claims.id))
    .where(
      and(
        // The index needs the condition in this form.
        sql`${claims.state} = 'pending'`,
        lte(claims.expiresAt, sql.placeholder("now")),
        scope === "all" ? undefined : eq(claims.accountId, sql.placeholder("accountId")),
      ),
    )
    .orderBy(asc(claims.expiresAt))
    .limit(BATCH_SIZE),
);

const overdueBatch = ({ db, clock }: { db: Db; clock: Clock }, accountId?: string) =>
  selectOverdue(db, accountId === undefined ? "all" : "account").all({ accountId, now: clock() });

export const hasOverdue = (ctx: { db: Db; clock: Clock }): boolean => overdueBatch(ctx).length > 0;

/** Expires one batch of claims, oldest deadline first. Returns true if there may be more. */
export async function expireOverdue(ctx: Context, accountId?: string): Promise<boolean> {
  // On a read-only copy, or while the time is not known, claims are shown without being expired.
  if (!isWritable(ctx.db) || !isTimeKnown(ctx)) return false;
  const batch = overdueBatch(ctx, accountId);
  if (batch.length === 0) return false;
  // A read may have found the token in time and not be written yet, so it is recorded first.
  await ctx.runs.abort(batch.map(({ verificationId }) => verificationId));
  await commit(ctx, (tx, _, now) => {
    for (const { claimId } of batch) {
      const rows = rowsOfClaim(tx).get({ id: claimId });
      if (rows && rows.claim.expiresAt <= now) endClaim(tx, rows, "expired", now);
    }
  });
  return batch.length === BATCH_SIZE;
}

export async function expireOverdueOfAccount(ctx: Context, accountId: string): Promise<void> {
  while (await expireOverdue(ctx, accountId)) await new Promise((resolve) => setImmediate(resolve));
}

/** Returns the kind of notice that is due. No nudge is due until a read has reached DNS, because that fault is not theirs. */
function dueNotice({ claim, verification }: ClaimRows, now: number): "nudge" | "expiring" | null {
  if (claim.state !== "pending" || now >= claim.expiresAt) return null;
  if (now >= claim.createdAt + EXPIRING_DAY * DAY) return "expiring";
  return verification.status === "checking" ? null : "nudge";
}

/** Creates a batch of due nudges and expiring notices; after downtime only the last. Returns true if more may be due. */
export async function createReminders(ctx: Context): Promise<boolean> {
  const ids = ctx.db
    .select({ id: claims.id })
    .from(claims)
    .where(lte(claims.nextNoticeAt, ctx.clock()))
    .orderBy(asc(claims.nextNoticeAt))
    .limit(BATCH_SIZE)
    .all();
  if (ids.length === 0) return false;
  await commit(ctx, (tx, _, now) => {
    for (const { id } of ids) {
      const rows = rowsOfClaim(tx).get({ id });
      if (!rows || rows.claim.nextNoticeAt === null || rows.claim.nextNoticeAt > now) continue;
      const kind = dueNotice(rows, now);
      if (kind) createNotice(tx, kind, rows.claim, now);
      const nextNoticeAt = nextNotice(rows.claim.createdAt, now);
      tx.update(claims).set({ nextNoticeAt }).where(eq(claims.id, id)).run();
    }
  });
  return ids.length === BATCH_SIZE;
}

const ROLLBACK_BATCH_SIZE = 500;

/** Replans one batch of the reads that are too late after the clock went back. Returns true if there may be more. */
export async function rescheduleAfterRollback(ctx: Context): Promise<boolean> {
  const now = ctx.clock();
  const soon = now + FIRST_READ_AFTER_MS;
  const tomorrow = now + DAY;
  // Reads were planned at the last read, or when the claim was opened: in the future if the clock went back.
  const plannedAt = sql`ifnull(${verifications.lastRunAt}, ${verifications.createdAt})`;
  return commit(ctx, (tx) => {
    const batch = tx
      .select({ id: verifications.id })
      .from(verifications)
      .where(and(gt(readDueAt, soon), gt(plannedAt, now)))
      .limit(ROLLBACK_BATCH_SIZE);
    const isInBatch = inArray(verifications.id, batch);
    const { changes } = tx.update(verifications).set({ nextRunAt: soon }).where(isInBatch).run();
    // No proof's record waits longer than a day for its next read, and no mail waits a whole day.
    tx.update(watches).set({ nextReadAt: tomorrow }).where(gt(watches.nextReadAt, tomorrow)).run();
    const nextWeek = now + 7 * DAY;
    tx.update(watches).set({ nextAskAt: nextWeek }).where(gt(watches.nextAskAt, nextWeek)).run();
    tx.update(noticeMails).set({ dueAt: now }).where(gt(noticeMails.dueAt, tomorrow)).run();
    return changes === ROLLBACK_BATCH_SIZE;
  });
}
