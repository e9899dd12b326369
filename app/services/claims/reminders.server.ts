import { asc, eq, lte, sql } from "drizzle-orm";
import { limitBy, prepared } from "#db/queries.ts";
import { claims } from "#db/schema.ts";
import { commit } from "../commit.server.ts";
import type { Context } from "../context.server.ts";
import { createNotice } from "../feed/notice-writer.server.ts";
import { DAY } from "../time.ts";
import { type ClaimRows, rowsOfClaim } from "./claim-lifecycle.server.ts";
import { EXPIRING_DAY, nextNotice } from "./transition.ts";

const BATCH = 10;

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
