import type { Context } from "#app/core/context.server.ts";
import { SECOND } from "#app/core/time.ts";
import { prepared } from "#db/queries.ts";

/** The first moment at which a job has something to do; null if nothing is planned. */
const firstDue = prepared((db) =>
  db.$client
    .prepare<[], number | null>(
      `select min(at) from (
         select min(next_run_at) as at from verifications where next_run_at is not null
         union all select min(next_read_at) from watches where next_read_at is not null
         union all select min(expires_at) from claims where state = 'pending'
         union all select min(next_notice_at) from claims where next_notice_at is not null
         union all select min(due_at) from notice_mails where due_at is not null
         union all select min(mail_due_at) from webhooks where mail_due_at is not null)`,
    )
    .pluck(),
);

/** Returns what tells whether anything is due: one query for all jobs of a second. */
export function dueLook(ctx: Context): () => boolean {
  let lookedAt = Number.NEGATIVE_INFINITY;
  let isDue = false;
  return () => {
    if (performance.now() - lookedAt < SECOND / 2) return isDue;
    const first = firstDue(ctx.db).get() ?? null;
    isDue = first !== null && first <= ctx.clock();
    lookedAt = performance.now();
    return isDue;
  };
}
