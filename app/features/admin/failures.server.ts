import { and, desc, eq, gt, sql } from "drizzle-orm";
import type { Context } from "#app/core/context.server.ts";
import { DAY, iso, isoOrNull } from "#app/core/time.ts";
import { limitBy, prepared } from "#db/queries.ts";
import { attempts, mailFailures } from "#db/schema.ts";

/** What failed in the last day. Which names and addresses it concerned is not told. */
export type Failures = {
  mails: { count: number; newest: { id: number; at: string; domain: string; reason: string }[] };
  /** Reads of DNS that could not be made, of how many claims, and when the newest was. */
  reads: { count: number; claims: number; newestAt: string | null };
};

const SHOWN = 20;
const since = sql.placeholder("since");

const mailCount = prepared((db) =>
  db
    .select({ count: sql<number>`count(*)` })
    .from(mailFailures)
    .where(gt(mailFailures.at, since))
    .prepare(),
);

const newestMails = prepared((db) =>
  db
    .select()
    .from(mailFailures)
    .where(gt(mailFailures.at, since))
    .orderBy(desc(mailFailures.id))
    .limit(limitBy(SHOWN))
    .prepare(),
);

const failedReads = prepared((db) =>
  db
    .select({
      count: sql<number>`count(*)`,
      claims: sql<number>`count(distinct ${attempts.verificationId})`,
      newestAt: sql<number | null>`max(${attempts.at})`,
    })
    .from(attempts)
    .where(and(eq(attempts.outcome, sql.raw("'unresolvable'")), gt(attempts.at, since)))
    .prepare(),
);

/** Mails and DNS reads that failed in the last 24 hours. */
export function failuresOfLastDay(ctx: Context): Failures {
  const day = { since: ctx.clock() - DAY };
  const reads = failedReads(ctx.db).get(day);
  return {
    mails: {
      count: mailCount(ctx.db).get(day)?.count ?? 0,
      newest: newestMails(ctx.db)
        .all(day)
        .map(({ at, ...row }) => ({ ...row, at: iso(at) })),
    },
    reads: {
      count: reads?.count ?? 0,
      claims: reads?.claims ?? 0,
      newestAt: isoOrNull(reads?.newestAt ?? null),
    },
  };
}
