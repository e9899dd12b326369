import { and, asc, eq, lte, sql } from "drizzle-orm";
import { isWritable } from "#db/client.ts";
import { limitBy, prepared } from "#db/queries.ts";
import { claims, verifications } from "#db/schema.ts";
import { isTimeKnown } from "../clock/timekeeper.server.ts";
import { commit } from "../commit.server.ts";
import type { Context } from "../context.server.ts";
import { endClaim, rowsOfClaim } from "./claim-lifecycle.server.ts";
import { abortRuns } from "./runs.server.ts";

/** Claims expired per transaction: few enough not to block the event loop. */
const BATCH = 10;

type Overdue = { claimId: string; verificationId: string };

const select = { claimId: claims.id, verificationId: verifications.id };
const isOverdue = and(
  eq(claims.state, sql.raw("'pending'")),
  lte(claims.expiresAt, sql.placeholder("now")),
);

const overdue = prepared((db) =>
  db
    .select(select)
    .from(claims)
    .innerJoin(verifications, eq(verifications.claimId, claims.id))
    .where(isOverdue)
    .orderBy(asc(claims.expiresAt))
    .limit(limitBy(BATCH))
    .prepare(),
);

const overdueOfAccount = prepared((db) =>
  db
    .select(select)
    .from(claims)
    .innerJoin(verifications, eq(verifications.claimId, claims.id))
    .where(and(isOverdue, eq(claims.accountId, sql.placeholder("accountId"))))
    .limit(limitBy(BATCH))
    .prepare(),
);

/**
 * Expires these claims if they are still open. Reads still under way are cut off; a read that found the token before
 * the deadline and is only waiting to be written is recorded first.
 */
async function expire(ctx: Context, batch: readonly Overdue[]): Promise<void> {
  await abortRuns(
    ctx,
    batch.map(({ verificationId }) => verificationId),
  );
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
  if (claim.state !== "pending" || claim.expiresAt > ctx.clock()) return false;
  if (!mayExpire(ctx)) return false;
  await expire(ctx, [{ claimId: claim.id, verificationId }]);
  return true;
}
