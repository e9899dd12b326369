import { desc, lte, notInArray, or } from "drizzle-orm";
import { commit } from "#app/core/commit.server.ts";
import type { Context } from "#app/core/context.server.ts";
import { DAY } from "#app/core/time.ts";
import { mailFailures } from "#db/schema.ts";

/** Rows kept, so that a flood of failures stays small. */
const KEPT = 1_000;
const MAX_REASON = 200;

/**
 * Records for the operator that a try to send a mail failed: the recipient's domain and the error's message, which has
 * no address in it. Keeps a day, and the newest 1,000. Never rejects.
 */
export async function recordMailFailure(ctx: Context, to: string, error: unknown): Promise<void> {
  const reason = (error instanceof Error ? error.message : "unknown").slice(0, MAX_REASON);
  const domain = to.slice(to.lastIndexOf("@") + 1);
  await commit(ctx, (tx, { clock }) => {
    const at = clock();
    tx.insert(mailFailures).values({ at, domain, reason }).run();
    const newest = tx
      .select({ id: mailFailures.id })
      .from(mailFailures)
      .orderBy(desc(mailFailures.id))
      .limit(KEPT);
    tx.delete(mailFailures)
      .where(or(lte(mailFailures.at, at - DAY), notInArray(mailFailures.id, newest)))
      .run();
  }).catch((failure: unknown) =>
    ctx.log.debug({ err: failure }, "a failed mail could not be recorded"),
  );
}
