import { and, asc, eq, gt, isNotNull, isNull, lte, or, sql } from "drizzle-orm";
import { limitBy, prepared } from "#db/queries.ts";
import { verifications } from "#db/schema.ts";
import { commit } from "../commit.server.ts";
import type { Context } from "../context.server.ts";
import { newId } from "../ids.server.ts";
import { LEASE_MS } from "./schedule.ts";

/** A verification leased for one read. The run's id becomes the attempt's. */
export type Lease = { runId: string; verificationId: string };

/** A lease that ends later than any lease taken now could end dates from before the clock went back. */
const isUnleased = or(
  isNull(verifications.runUntil),
  lte(verifications.runUntil, sql.placeholder("now")),
  gt(verifications.runUntil, sql.placeholder("longestLease")),
);

const due = prepared((db) =>
  db
    .select({ id: verifications.id, accountId: verifications.accountId })
    .from(verifications)
    .where(
      and(
        lte(verifications.nextRunAt, sql.placeholder("now")),
        gt(verifications.deadline, sql.placeholder("now")),
        isUnleased,
        sql`${verifications.accountId} not in (select value from json_each(${sql.placeholder("without")}))`,
      ),
    )
    .orderBy(asc(verifications.nextRunAt))
    .limit(limitBy("limit"))
    .prepare(),
);

const acquire = prepared((db) =>
  db
    .update(verifications)
    .set({
      runId: sql`${sql.placeholder("runId")}`,
      runUntil: sql`${sql.placeholder("runUntil")}`,
    })
    .where(
      and(
        eq(verifications.id, sql.placeholder("id")),
        isNotNull(verifications.nextRunAt),
        gt(verifications.deadline, sql.placeholder("now")),
        isUnleased,
      ),
    )
    .prepare(),
);

/** Verifications that are due and not leased, in due order, at most `limit`, leaving out the accounts in `without`. */
export function dueVerifications(
  ctx: Context,
  limit: number,
  without: readonly string[] = [],
): { id: string; accountId: string }[] {
  const now = ctx.clock();
  const longestLease = now + LEASE_MS;
  return due(ctx.db).all({ now, longestLease, limit, without: JSON.stringify(without) });
}

/**
 * Leases verifications by compare-and-set, each for one read of at most `LEASE_MS`; if the process dies, the lease
 * lapses. Leaves out those that have ended or that another run holds.
 */
export async function leaseVerifications(ctx: Context, ids: readonly string[]): Promise<Lease[]> {
  if (ids.length === 0) return [];
  return commit(ctx, (tx, ctx) => {
    const now = ctx.clock();
    return ids.flatMap((verificationId) => {
      const runId = newId("att", now);
      const taken = acquire(tx).run({
        id: verificationId,
        runId,
        runUntil: now + LEASE_MS,
        longestLease: now + LEASE_MS,
        now,
      });
      return taken.changes === 1 ? [{ runId, verificationId }] : [];
    });
  });
}
