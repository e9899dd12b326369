import { AddressFull } from "@deed/dns/resolve/reader.ts";
import {
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  gt,
  isNotNull,
  isNull,
  lte,
  or,
  sql,
} from "drizzle-orm";
import { requireKnownTime } from "#app/core/clock/timekeeper.server.ts";
import { commit } from "#app/core/commit.server.ts";
import type { Context } from "#app/core/context.server.ts";
import { DeedError } from "#app/core/errors.server.ts";
import { newId } from "#app/core/ids.server.ts";
import { unlessAborted } from "#app/core/unless-aborted.ts";
import type { Verification } from "#app/features/claims/resources.ts";
import { limitBy, prepared } from "#db/client.ts";
import { attempts, verifications } from "#db/schema.ts";
import { type ActiveRun, type HeldRead, WAIT_MS } from "./active-runs.ts";
import { expireIfOverdue } from "./expiry.server.ts";
import { type Lease, rowsOfVerification } from "./outcome.server.ts";
import { runCheck } from "./run-check.server.ts";
import { diagnosisOfAttempt, lastSeen } from "./stored-evidence.server.ts";
import { type ClaimRows, LEASE_MS } from "./transition.ts";
import { toAttempt, toVerification } from "./verification-view.ts";

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
    .returning()
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
export async function leaseVerifications(ctx: Context, rows: readonly ClaimRows[]) {
  if (rows.length === 0) return [];
  return commit(ctx, (tx, ctx): Lease[] => {
    const now = ctx.clock();
    const runUntil = now + LEASE_MS;
    return rows.flatMap(({ claim, verification: { id } }) => {
      const runId = newId("att", now);
      const verification = acquire(tx).get({ id, runId, runUntil, longestLease: runUntil, now });
      return verification ? [{ claim, verification, runId }] : [];
    });
  });
}

/** Releases the verification after a read that was cut off, leaving no attempt. */
const release = (ctx: Context, { runId, verification: { id } }: Lease): Promise<void> =>
  commit(ctx, (tx) => {
    tx.update(verifications)
      .set({ runId: null, runUntil: null })
      .where(and(eq(verifications.id, id), eq(verifications.runId, runId)))
      .run();
  });

/** Whether reads of the verification go on: until it ends. */
const isRunning = ({ verification }: ClaimRows): boolean => verification.nextRunAt !== null;

/**
 * Leases one verification, waiting for another process to finish its run. Null if the verification ended, `signal`
 * aborted, or the wait took longer than two leases.
 */
async function leaseWhenFree(ctx: Context, rows: ClaimRows, signal: AbortSignal) {
  const giveUpAt = performance.now() + 2 * LEASE_MS;
  while (!signal.aborted && performance.now() < giveUpAt) {
    const [lease] = await leaseVerifications(ctx, [rows]);
    if (lease) return lease;
    const now = rowsOfVerification(ctx.db).get({ id: rows.verification.id });
    if (!now || !isRunning(now)) return null;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return null;
}

/** Holds a read back until the addresses that turned it away have room, and those its zone had at the last read. */
function hold(ctx: Context, { verification }: ClaimRows, isAwaited: boolean, full: string[]): void {
  const { id, accountId, status, lastRunAt, seen } = verification;
  const isLikely = lastRunAt === null || status === "propagating";
  const addresses = [...new Set([...lastSeen(seen).addresses, ...full])];
  const rank = isAwaited ? "awaited" : isLikely ? "likely" : "other";
  ctx.runs.held.hold({ id, accountId, rank, addresses });
}

/** Waits for the turn of a read that is held; false if it does not come before `giveUpAt`, or `signal` aborts. */
async function turnOf(ctx: Context, id: string, giveUpAt: number, signal: AbortSignal) {
  const { held } = ctx.runs;
  while (!signal.aborted && performance.now() < giveUpAt) {
    if (held.take(id, ctx.reader.hasRoom)) return true;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  held.drop(id);
  return false;
}

/**
 * Reads a leased verification, again and again while an address is full, if somebody waits; otherwise holds it. `known`:
 * addresses that turned it away before. Resolves to the rows once the outcome is committed, to null if there is none.
 */
async function readLeased(
  ctx: Context,
  first: Lease | null,
  run: ActiveRun,
  requested: boolean,
  known: readonly string[] = [],
): Promise<ClaimRows | null> {
  const { signal } = run.abort;
  const giveUpAt = performance.now() + WAIT_MS;
  const full = [...known];
  for (let lease = first; lease; lease = await leaseWhenFree(ctx, lease, signal)) {
    const leased = { ...lease, requested };
    const outcome = signal.aborted ? null : await runCheck(ctx, leased, signal, () => run.forced);
    if (outcome && !(outcome instanceof AddressFull)) return outcome;
    await release(ctx, lease);
    if (!outcome) return null;
    full.push(outcome.address);
    hold(ctx, lease, run.forced, full);
    if (!run.forced || !(await turnOf(ctx, lease.verification.id, giveUpAt, signal))) return null;
  }
  return null;
}

/** A read that has its place. `full`: addresses that turned it away before. */
type Placed = ClaimRows & { full: readonly string[] };

/** At most `limit` reads that were held and may begin, each with a place. */
function unheld(ctx: Context, limit: number): Placed[] {
  const { byVerification, places, held } = ctx.runs;
  const ready: Placed[] = [];
  const mayBegin = ({ id, accountId }: HeldRead) =>
    !byVerification.has(id) && places.tryAcquire(accountId);
  while (ready.length < limit) {
    const read = held.next(ctx.reader.hasRoom, mayBegin);
    if (!read) break;
    const rows = rowsOfVerification(ctx.db).get({ id: read.id });
    if (rows) ready.push({ ...rows, full: read.addresses });
    else places.release(read.accountId);
  }
  return ready;
}

/**
 * Starts at most `limit` reads: those held before that find room now, then due ones in due order, of accounts within
 * their share of the places. Resolves once the reads have started: "all" if nothing more is due, "more" if more may
 * start at once, "held" if reads wait for a place or for room.
 */
export async function startDueReads(ctx: Context, limit: number): Promise<"all" | "more" | "held"> {
  const { byVerification, places, held } = ctx.runs;
  const placed = unheld(ctx, limit);
  const saturated = [...places.saturatedKeys(), ...held.saturatedAccounts()];
  // What is held is due too.
  const most = limit + held.size;
  const due = places.hasFreePlace ? dueVerifications(ctx, most, saturated) : [];
  const begun = new Set(placed.map(({ verification }) => verification.id));
  const unread = due.filter(({ id }) => !byVerification.has(id) && !held.has(id) && !begun.has(id));
  const heldBefore = held.size;
  for (const { id, accountId } of unread.slice(0, limit - placed.length)) {
    const rows = rowsOfVerification(ctx.db).get({ id });
    if (!rows) continue;
    if (!lastSeen(rows.verification.seen).addresses.every(ctx.reader.hasRoom))
      hold(ctx, rows, false, []);
    else if (places.tryAcquire(accountId)) placed.push({ ...rows, full: [] });
  }
  const leasing = leaseVerifications(ctx, placed);
  const leases = leasing.catch((): Lease[] => []);
  for (const { full, ...rows } of placed) {
    const { id } = rows.verification;
    const read = async (run: ActiveRun) => {
      const lease =
        (await leases).find(({ verification }) => verification.id === id) ??
        (run.forced ? await leaseWhenFree(ctx, rows, run.abort.signal) : null);
      return readLeased(ctx, lease, run, false, full);
    };
    ctx.runs.start(rows, read).done.catch((error: unknown) => {
      ctx.log.error({ err: error, verificationId: id }, "DNS read could not be recorded");
    });
  }
  const isMoving = placed.length > 0 || held.size > heldBefore;
  await leasing;
  if (isMoving && due.length === most) return "more";
  const isWaiting = saturated.length > 0 || held.size > 0;
  return isWaiting || placed.length < begun.size + unread.length ? "held" : "all";
}

/** Throws verification_not_found. */
function found(ctx: Context, accountId: string, id: string) {
  const pair = rowsOfVerification(ctx.db).get({ id });
  if (pair?.verification.accountId !== accountId) throw new DeedError("verification_not_found");
  return pair;
}

/** The rows, after the claim is expired if overdue. Throws verification_not_found. */
async function settled(ctx: Context, accountId: string, id: string, known?: ClaimRows | null) {
  const pair = known ?? found(ctx, accountId, id);
  return (await expireIfOverdue(ctx, pair.claim, id)) ? found(ctx, accountId, id) : pair;
}

/** Throws verification_not_found. */
export const readVerification = async (ctx: Context, accountId: string, id: string) =>
  toVerification(ctx.db, await settled(ctx, accountId, id), ctx.clock());

/** Every attempt, newest first. Throws verification_not_found. */
export async function listAttempts(ctx: Context, accountId: string, id: string) {
  const pair = await settled(ctx, accountId, id);
  return ctx.db
    .select({ ...getTableColumns(attempts), diagnosis: diagnosisOfAttempt })
    .from(attempts)
    .where(eq(attempts.verificationId, id))
    .orderBy(desc(attempts.at), desc(attempts.id))
    .all()
    .map((attempt) => toAttempt(attempt, pair));
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
  const before = await settled(ctx, accountId, id);
  if (!isRunning(before)) throw new DeedError("verification_not_running");
  requireKnownTime(ctx);
  signal.throwIfAborted();
  const read = async (run: ActiveRun) =>
    readLeased(ctx, await leaseWhenFree(ctx, before, run.abort.signal), run, true);
  const recorded = await unlessAborted(ctx.runs.force(before, draw, read), signal);
  const rows = await settled(ctx, accountId, id, recorded);
  if (rows.verification.status !== "proved") {
    if (!isRunning(rows)) throw new DeedError("verification_not_running");
    if (!recorded) throw new DeedError("unavailable", { retryAfter: 1 });
  }
  return toVerification(ctx.db, rows, ctx.clock());
}
