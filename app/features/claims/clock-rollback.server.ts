import { and, gt, inArray, sql } from "drizzle-orm";
import { commit } from "#app/core/commit.server.ts";
import type { Context } from "#app/core/context.server.ts";
import { DAY } from "#app/core/time.ts";
import { noticeMails, verifications, watches } from "#db/schema.ts";
import { FIRST_READ_AFTER_MS } from "./transition.ts";

const BATCH = 500;

/**
 * After the clock has gone back, reschedules reads of claims planned by the later time to within half a minute, those
 * of proofs' records to within a day, and makes mails put off by it due now. Handles one batch; true if there may be
 * more.
 */
export async function rescheduleAfterRollback(ctx: Context): Promise<boolean> {
  const now = ctx.clock();
  const soon = now + FIRST_READ_AFTER_MS;
  // Planned at a time still in the future: that of the last read, or of the claim's opening.
  const plannedAt = sql`ifnull(${verifications.lastRunAt}, ${verifications.createdAt})`;
  const ids = ctx.db
    .select({ id: verifications.id })
    .from(verifications)
    .where(and(gt(verifications.nextRunAt, soon), gt(plannedAt, now)))
    .limit(BATCH)
    .all()
    .map(({ id }) => id);
  await commit(ctx, (tx) => {
    tx.update(verifications)
      .set({ nextRunAt: soon })
      .where(and(inArray(verifications.id, ids), gt(verifications.nextRunAt, soon)))
      .run();
    // No record of a proof waits longer than a day for its next read.
    tx.update(watches)
      .set({ nextReadAt: now + DAY })
      .where(gt(watches.nextReadAt, now + DAY))
      .run();
    // No mail is ever put off for a whole day.
    tx.update(noticeMails)
      .set({ dueAt: now })
      .where(gt(noticeMails.dueAt, now + DAY))
      .run();
  });
  return ids.length === BATCH;
}
