import { and, desc, eq, getTableColumns, sql } from "drizzle-orm";
import { prepared } from "#db/queries.ts";
import { attempts, claims, verifications } from "#db/schema.ts";
import { requireKnownTime } from "../clock/timekeeper.server.ts";
import type { Context } from "../context.server.ts";
import { DeedError } from "../errors.server.ts";
import type { Attempt, Verification } from "../resources.ts";
import { unlessAborted } from "../unless-aborted.ts";
import type { ClaimRows } from "./claim-lifecycle.server.ts";
import { expireIfOverdue } from "./expiry.server.ts";
import { isRunning, runNow } from "./runs.server.ts";
import { diagnosisOfAttempt } from "./stored-evidence.server.ts";
import { toAttempt, toVerification } from "./verification-view.ts";

const verificationOfAccount = prepared((db) =>
  db
    .select({ claim: claims, verification: verifications })
    .from(verifications)
    .innerJoin(claims, eq(claims.id, verifications.claimId))
    .where(
      and(
        eq(verifications.id, sql.placeholder("id")),
        eq(verifications.accountId, sql.placeholder("accountId")),
      ),
    )
    .prepare(),
);

const newestFirst = [desc(attempts.at), desc(attempts.id)] as const;

const attemptsOf = prepared((db) =>
  db
    .select({ ...getTableColumns(attempts), diagnosis: diagnosisOfAttempt })
    .from(attempts)
    .where(eq(attempts.verificationId, sql.placeholder("id")))
    .orderBy(...newestFirst)
    .prepare(),
);

/** Throws verification_not_found. */
function found(ctx: Context, accountId: string, id: string) {
  const pair = verificationOfAccount(ctx.db).get({ id, accountId });
  if (!pair) throw new DeedError("verification_not_found");
  return pair;
}

/** The verification, after its claim is expired if overdue. Throws verification_not_found. */
async function settled(ctx: Context, accountId: string, id: string) {
  const pair = found(ctx, accountId, id);
  return (await expireIfOverdue(ctx, pair.claim, id)) ? found(ctx, accountId, id) : pair;
}

/** Throws verification_not_found. */
export async function readVerification(
  ctx: Context,
  accountId: string,
  id: string,
): Promise<Verification> {
  return toVerification(ctx.db, await settled(ctx, accountId, id), ctx.clock());
}

/** Every attempt, newest first. Throws verification_not_found. */
export async function listAttempts(
  ctx: Context,
  accountId: string,
  id: string,
): Promise<Attempt[]> {
  const pair = await settled(ctx, accountId, id);
  return attemptsOf(ctx.db)
    .all({ id })
    .map((attempt) => toAttempt(attempt, pair));
}

/** Single flight: concurrent requests for one verification share the run, including its draw on the budget. */
function sharedRun(
  ctx: Context,
  accountId: string,
  id: string,
  draw: () => Promise<void>,
): Promise<boolean> {
  const { forced } = ctx.runs;
  const known = forced.get(id);
  if (known) return known;
  const run = draw()
    .then(() => runNow(ctx, accountId, id))
    .finally(() => forced.delete(id));
  forced.set(id, run);
  return run;
}

/** Throws verification_not_running. */
function requireRunning(rows: ClaimRows): void {
  if (!isRunning(rows)) throw new DeedError("verification_not_running");
}

/**
 * Reads DNS now, after `draw` has drawn on the budget. Concurrent calls share both, and the read completes even if the
 * caller leaves. Throws verification_not_found, verification_not_running (also if the claim ends meanwhile without
 * proof), whatever `draw` throws, and unavailable while shutting down or while the time is not known. Rejects when
 * `signal` aborts.
 */
export async function runVerification(
  ctx: Context,
  accountId: string,
  id: string,
  signal: AbortSignal,
  draw: () => Promise<void> = async () => {},
): Promise<Verification> {
  requireRunning(await settled(ctx, accountId, id));
  requireKnownTime(ctx);
  signal.throwIfAborted();
  const recorded = await unlessAborted(sharedRun(ctx, accountId, id, draw), signal);
  const rows = await settled(ctx, accountId, id);
  if (rows.verification.status !== "proved") {
    requireRunning(rows);
    if (!recorded) throw new DeedError("unavailable", { retryAfter: 1 });
  }
  return toVerification(ctx.db, rows, ctx.clock());
}
