import { AddressFull, type ChallengeQuestion } from "@deed/dns/resolve/reader.ts";
import { decide, progressOf } from "@deed/dns/verdict/decide.ts";
import { digestOf, evidenceOf } from "@deed/dns/verdict/evidence.ts";
import type { Observation } from "@deed/dns/verdict/observation.ts";
import { earliestAsk } from "@deed/dns/verdict/shut-port.ts";
import { standingOf } from "@deed/dns/verdict/standing.ts";
import { and, asc, eq, gt, isNotNull, isNull, lte, or, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { isTimeKnown } from "#app/core/clock/timekeeper.server.ts";
import { commit } from "#app/core/commit.server.ts";
import type { Context } from "#app/core/context.server.ts";
import { newId } from "#app/core/ids.server.ts";
import { withTimeLimit } from "#app/core/time.ts";
import { wantRegistry } from "#app/features/zones/registry/registrations.server.ts";
import { prepared } from "#db/client.ts";
import { readDueAt, verifications } from "#db/schema.ts";
import { type ActiveRun, MAX_WAIT_MS, type QueuedRead } from "./active-runs.ts";
import { earlierRead, formerNameservers, historyOf, memoryOf } from "./history.server.ts";
import {
  type Lease,
  type LeasedRun,
  type ReadResult,
  recordRead,
  rowsOfVerification,
} from "./outcome.server.ts";
import { type ClaimRows, LEASE_MS, READ_TIMEOUT_MS } from "./transition.ts";

/** Reads DNS. Returns null if that failed for any reason, and AddressFull if it must be repeated. */
export async function observe(
  ctx: Context,
  question: ChallengeQuestion,
  logFields: object,
  signal: AbortSignal,
): Promise<Observation | AddressFull | null> {
  try {
    const read = (timeLimit: AbortSignal) => ctx.reader.readChallenge(question, timeLimit);
    return await withTimeLimit(READ_TIMEOUT_MS, signal, read);
  } catch (error) {
    if (error instanceof AddressFull) return error;
    if (!signal.aborted) ctx.log.error({ err: error, ...logFields }, "DNS read failed");
    return null;
  }
}

function warnOperator(ctx: Context, { limit, servers, domain, witnesses, shut }: Observation) {
  // Without a valid certificate, anyone on the path could answer in the witness's place.
  for (const { name, address, result } of witnesses ?? [])
    if (result === "untrusted")
      ctx.log.warn({ witness: name, address }, "a witness's certificate is invalid");
  if (shut) ctx.log.warn({ domain }, "nothing answers this server on port 53: open that port");
  else if (limit === "tcp")
    ctx.log.warn({ domain }, "this server cannot open TCP connections to port 53");
  else if (servers.length > 0 && servers.every(({ result }) => result === "ipv6_only"))
    ctx.log.warn(
      { domain },
      "this server has no IPv6, and the zone's nameservers have only IPv6 addresses",
    );
}

/** Judges a read. If that throws, it is a failure on this side, and never a proof. */
function judge(
  ctx: Context,
  { claim, verification }: ClaimRows,
  observation: Observation | null,
): Omit<ReadResult, "startedAt" | "endedAt" | "forced"> {
  const emptyResult = { evidence: null, seen: null, chain: null, progress: {} };
  const failure = { ...emptyResult, decision: { outcome: "unresolvable" } } as const;
  if (!observation) return failure;
  try {
    const evidence = evidenceOf(observation);
    const standing = standingOf(observation, historyOf(ctx, claim, verification));
    const decision = decide(standing);
    return {
      decision,
      evidence: JSON.stringify(evidence),
      seen: digestOf(decision, evidence),
      chain: observation.chain,
      progress: progressOf(standing),
      askableFrom: earliestAsk(observation),
    };
  } catch (error) {
    ctx.log.error({ err: error, verificationId: verification.id }, "DNS read could not be judged");
    return failure;
  }
}

/** Reads and records. If aborted, or if the time is not known, writes nothing and returns null. `isForced` may turn true. */
export async function runCheck(
  ctx: Context,
  run: LeasedRun,
  signal: AbortSignal,
  isForced: () => boolean,
): Promise<ClaimRows | AddressFull | null> {
  const startedAt = ctx.clock();
  const { claim, verification } = run;
  const { held, tried, known, outside } = memoryOf(verification.seen);
  const question = {
    domain: claim.name,
    label: claim.challengeLabel,
    token: claim.token,
    formerNameservers: () => formerNameservers(ctx.db, claim.domainId),
    isAwaited: isForced,
    tried,
    known,
    outside,
    overHttps: { openedAt: claim.createdAt, held },
    before: () => (isForced() ? null : earlierRead(ctx.db, verification.seen)),
  };
  const observation = await observe(ctx, question, { verificationId: verification.id }, signal);
  if (observation instanceof AddressFull) return observation;
  const endedAt = ctx.clock();
  if ((!observation && signal.aborted) || !isTimeKnown(ctx)) return null;
  if (observation) warnOperator(ctx, observation);
  const judgement = judge(ctx, run, observation);
  const isGlanced = ctx.glances.noteRead(verification.id, observation, endedAt);
  const read = { ...judgement, startedAt, endedAt, forced: isForced(), isGlanced };
  const after = await recordRead(ctx, run, read);
  const zone = judgement.progress.zone ?? verification.zone;
  wantRegistry(ctx, { name: claim.name, zone }, judgement.decision);
  ctx.onRead?.(judgement.decision);
  return after;
}

/** Whether no lease holds. One that ends later than any lease taken now was made before the clock went back. */
export const hasNoLease = (until: SQLiteColumn) =>
  or(isNull(until), lte(until, sql.placeholder("now")), gt(until, sql.placeholder("longestLease")));

export const LEASE_COLUMNS = {
  runId: sql`${sql.placeholder("runId")}`,
  runUntil: sql`${sql.placeholder("longestLease")}`,
};

const acquireLease = prepared((db) => {
  const { id, nextRunAt, deadline, runUntil } = verifications;
  const isOpen = and(isNotNull(nextRunAt), gt(deadline, sql.placeholder("now")));
  const isFree = and(eq(id, sql.placeholder("id")), isOpen, hasNoLease(runUntil));
  return db.update(verifications).set(LEASE_COLUMNS).where(isFree).returning();
});

const selectDue = prepared((db) => {
  const { id, accountId, deadline, runUntil } = verifications;
  const now = sql.placeholder("now");
  const isOtherAccount = sql`${accountId} not in (select value from json_each(${sql.placeholder("without")}))`;
  return db
    .select({ id, accountId })
    .from(verifications)
    .where(and(lte(readDueAt, now), gt(deadline, now), hasNoLease(runUntil), isOtherAccount))
    .orderBy(asc(readDueAt))
    .limit(sql.placeholder("limit"));
});

/** Lists verifications that are due and not leased, in due order, at most `limit`, without those of accounts in `except`. */
export function dueVerifications(ctx: Context, limit: number, except: readonly string[] = []) {
  const now = ctx.clock();
  const times = { now, longestLease: now + LEASE_MS };
  return selectDue(ctx.db).all({ ...times, limit, without: JSON.stringify(except) });
}

/** Leases each verification for one read by compare-and-set; skips ended and leased ones. A lease expires after a crash. */
export async function leaseVerifications(ctx: Context, rows: readonly ClaimRows[]) {
  if (rows.length === 0) return [];
  return commit(ctx, (tx, _, now): Lease[] => {
    const longestLease = now + LEASE_MS;
    return rows.flatMap(({ claim, verification: { id } }) => {
      const runId = newId("att", now);
      const verification = acquireLease(tx).get({ id, runId, longestLease, now });
      return verification ? [{ claim, verification, runId }] : [];
    });
  });
}

/** Leases a verification once no other process runs it. Null if it ended meanwhile, or after the time of two leases. */
async function leaseWhenFree(ctx: Context, rows: ClaimRows, signal: AbortSignal) {
  const giveUpAt = performance.now() + 2 * LEASE_MS;
  while (!signal.aborted && performance.now() < giveUpAt) {
    const [lease] = await leaseVerifications(ctx, [rows]);
    if (lease) return lease;
    const current = rowsOfVerification(ctx.db).get({ id: rows.verification.id });
    if (!current?.verification.nextRunAt) return null;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return null;
}

/** Makes a read wait until there is room at the addresses that were full, and at its zone's addresses of the last read. */
function enqueue(ctx: Context, { verification }: ClaimRows, isAwaited: boolean, full: string[]) {
  const { id, accountId, status, lastRunAt, seen } = verification;
  const isLikely = lastRunAt === null || status === "propagating";
  const addresses = [...new Set([...memoryOf(seen).addresses, ...full])];
  const rank = isAwaited ? "awaited" : isLikely ? "likely" : "other";
  ctx.runs.queue.enqueue({ id, accountId, rank, addresses });
}

/** Waits for the turn of a queued read; returns false if it does not come before `giveUpAt`, or if `signal` aborts. */
async function waitForTurn(ctx: Context, id: string, giveUpAt: number, signal: AbortSignal) {
  const { queue } = ctx.runs;
  while (!signal.aborted && performance.now() < giveUpAt) {
    if (queue.take(id, ctx.reader.hasRoom)) return true;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  queue.drop(id);
  return false;
}

/** Reads with a lease. If an address is full, tries again while somebody waits, else queues the read and returns null. */
async function readLeased(
  ctx: Context,
  first: Lease | null,
  run: ActiveRun,
  fullBefore: readonly string[],
): Promise<ClaimRows | null> {
  const { signal } = run.abort;
  const giveUpAt = performance.now() + MAX_WAIT_MS;
  const full = [...fullBefore];
  for (let lease = first; lease; lease = await leaseWhenFree(ctx, lease, signal)) {
    const { id } = lease.verification;
    const leased = { ...lease, requested: run.isRequested };
    const outcome = signal.aborted ? null : await runCheck(ctx, leased, signal, () => run.isForced);
    if (outcome && !(outcome instanceof AddressFull)) return outcome;
    // If aborted, or if an address was full, no attempt is recorded, and the lease is released.
    const isHeld = and(eq(verifications.id, id), eq(verifications.runId, lease.runId));
    const noLease = { runId: null, runUntil: null };
    await commit(ctx, (tx) => tx.update(verifications).set(noLease).where(isHeld).run());
    if (!outcome) return null;
    full.push(outcome.address);
    enqueue(ctx, lease, run.isForced, full);
    if (!run.isForced || !(await waitForTurn(ctx, id, giveUpAt, signal))) return null;
  }
  return null;
}

/** A read that has a place. `full` are the addresses that were full before. */
type PlacedRead = ClaimRows & { full: readonly string[] };

function startPlaced(ctx: Context, { full, ...rows }: PlacedRead, leases: Promise<Lease[]>): void {
  const { id, accountId } = rows.verification;
  const read = async (run: ActiveRun) => {
    const lease =
      (await leases).find(({ verification }) => verification.id === id) ??
      (run.isForced ? await leaseWhenFree(ctx, rows, run.abort.signal) : null);
    return readLeased(ctx, lease, run, full);
  };
  const work = (run: ActiveRun) => read(run).finally(() => ctx.runs.places.release(accountId));
  ctx.runs.start(id, false, work).done.catch((error: unknown) => {
    ctx.log.error({ err: error, verificationId: id }, "DNS read could not be recorded");
  });
}

/** Starts a scheduled read at once; returns false if it runs or waits already, or if no place is free. */
export function startRead(ctx: Context, rows: ClaimRows): boolean {
  const { id, accountId } = rows.verification;
  if (ctx.runs.has(id) || ctx.runs.queue.reads.has(id)) return false;
  if (!ctx.runs.places.tryAcquire(accountId)) return false;
  startPlaced(ctx, { ...rows, full: [] }, leaseVerifications(ctx, [rows]));
  return true;
}

/** Starts waiting reads, then due ones. "all": nothing more is due; "held": reads wait for a place or for room. */
export async function startDueReads(ctx: Context, limit: number): Promise<"all" | "more" | "held"> {
  const { places, queue } = ctx.runs;
  const placed: PlacedRead[] = [];
  const mayBegin = ({ id, accountId }: QueuedRead) =>
    !ctx.runs.has(id) && places.tryAcquire(accountId);
  while (placed.length < limit) {
    const read = queue.takeNext(ctx.reader.hasRoom, mayBegin);
    if (!read) break;
    const rows = rowsOfVerification(ctx.db).get({ id: read.id });
    if (rows) placed.push({ ...rows, full: read.addresses });
    else places.release(read.accountId);
  }
  const saturated = [...places.saturatedKeys(), ...queue.shares.saturatedKeys()];
  // Waiting reads are due too.
  const maxDue = limit + queue.reads.size;
  const due = places.hasFreePlace ? dueVerifications(ctx, maxDue, saturated) : [];
  const begun = new Set(placed.map(({ verification }) => verification.id));
  const unread = due.filter(
    ({ id }) => !ctx.runs.has(id) && !queue.reads.has(id) && !begun.has(id),
  );
  const queuedBefore = queue.reads.size;
  for (const { id, accountId } of unread.slice(0, limit - placed.length)) {
    const rows = rowsOfVerification(ctx.db).get({ id });
    if (!rows) continue;
    const { addresses } = memoryOf(rows.verification.seen);
    if (!addresses.every(ctx.reader.hasRoom) || queue.hasReadAt(addresses))
      enqueue(ctx, rows, false, []);
    else if (places.tryAcquire(accountId)) placed.push({ ...rows, full: [] });
  }
  const leasing = leaseVerifications(ctx, placed);
  const leases = leasing.catch((): Lease[] => []);
  for (const read of placed) startPlaced(ctx, read, leases);
  const hasProgress = placed.length > 0 || queue.reads.size > queuedBefore;
  await leasing;
  if (hasProgress && due.length === maxDue) return "more";
  const isWaiting = saturated.length > 0 || queue.reads.size > 0;
  return isWaiting || placed.length < begun.size + unread.length ? "held" : "all";
}

/** Reads a claim now. Concurrent calls share the draw and the read, which finishes even if the caller leaves. */
export const forceRead = (ctx: Context, rows: ClaimRows, draw: () => Promise<void>) =>
  ctx.runs.force(rows, draw, async (run) =>
    readLeased(ctx, await leaseWhenFree(ctx, rows, run.abort.signal), run, []),
  );
