import { count, desc, gt, sql } from "drizzle-orm";
import type { Context } from "#app/core/context.server.ts";
import { DAY, iso, isoOrNull } from "#app/core/time.ts";
import { mailFailures } from "#db/schema.ts";

const MAX_SHOWN = 20;

export type Failures = ReturnType<typeof failuresOfLastDay>;

/** Returns the mails and DNS reads that failed in the last 24 hours, without names and addresses. */
export function failuresOfLastDay({ db, clock }: Context) {
  const since = clock() - DAY;
  const isRecent = gt(mailFailures.at, since);
  const newestFirst = db
    .select()
    .from(mailFailures)
    .where(isRecent)
    .orderBy(desc(mailFailures.id))
    .limit(MAX_SHOWN)
    .all();
  const reads = db.get<{ count: number; claims: number; newestAt: number | null }>(sql`
    select count(*) as count, count(distinct verification_id) as claims, max(at) as newestAt
    from attempts where outcome = 'unresolvable' and at > ${since}`);
  return {
    mails: {
      count: db.select({ n: count() }).from(mailFailures).where(isRecent).get()?.n ?? 0,
      newest: newestFirst.map(({ at, ...row }) => ({ ...row, at: iso(at) })),
    },
    reads: { ...reads, newestAt: isoOrNull(reads.newestAt) },
  };
}
