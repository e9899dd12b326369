import type { Context } from "../context.server.ts";
import { type ActiveRun, WAIT_MS } from "./active-runs.ts";
import { type ClaimRows, rowsOfVerification } from "./claim-lifecycle.server.ts";
import type { HeldRead } from "./held-reads.ts";
import { dueVerifications, type Lease, leaseVerifications } from "./leases.server.ts";
import { releaseRun } from "./outcome.server.ts";
import { lastSeen } from "./repeats.ts";
import { runCheck } from "./run-check.server.ts";
import { LEASE_MS } from "./schedule.ts";

/** How often to retry a verification that another process holds. */
const LEASE_RETRY_MS = 100;
/** How often an awaited read looks for room. */
const ROOM_RETRY_MS = 25;

/** Whether reads of the verification go on: until it ends. */
export const isRunning = ({ verification }: Pick<ClaimRows, "verification">): boolean =>
  verification.nextRunAt !== null;

/**
 * Leases one verification, waiting for another process to finish its run. Null if the verification ended, `signal`
 * aborted, or the wait took longer than two leases.
 */
async function leaseWhenFree(ctx: Context, id: string, signal: AbortSignal): Promise<Lease | null> {
  const giveUpAt = performance.now() + 2 * LEASE_MS;
  while (!signal.aborted && performance.now() < giveUpAt) {
    const [lease] = await leaseVerifications(ctx, [id]);
    if (lease) return lease;
    const rows = rowsOfVerification(ctx.db).get({ id });
    if (!rows || !isRunning(rows)) return null;
    await new Promise((resolve) => setTimeout(resolve, LEASE_RETRY_MS));
  }
  return null;
}

/** Holds a read back until the address that turned it away has room, and those its zone had at the last read. */
function hold(ctx: Context, id: string, rank: HeldRead["rank"] | null, full: string[]): boolean {
  const rows = rowsOfVerification(ctx.db).get({ id });
  if (!rows || !isRunning(rows)) return false;
  const { accountId, status, lastRunAt, seen } = rows.verification;
  const isLikely = lastRunAt === null || status === "propagating";
  const addresses = [...new Set([...lastSeen(seen).addresses, ...full])];
  ctx.runs.held.hold({
    id,
    accountId,
    rank: rank ?? (isLikely ? "likely" : "other"),
    addresses,
  });
  return true;
}

/** Waits for the turn of a read that is held; false if it does not come before `giveUpAt`, or `signal` aborts. */
async function turnOf(ctx: Context, id: string, giveUpAt: number, signal: AbortSignal) {
  const { held } = ctx.runs;
  while (!signal.aborted && performance.now() < giveUpAt) {
    if (held.take(id, ctx.reader.hasRoom)) return true;
    await new Promise((resolve) => setTimeout(resolve, ROOM_RETRY_MS));
  }
  held.drop(id);
  return false;
}

/**
 * Reads a leased verification, again and again while an address is full, if somebody waits; otherwise holds it. `known`:
 * addresses that turned it away before.
 */
async function readLeased(
  ctx: Context,
  first: Lease,
  run: ActiveRun,
  requested: boolean,
  known: readonly string[] = [],
): Promise<boolean> {
  const { signal } = run.abort;
  const id = first.verificationId;
  const giveUpAt = performance.now() + WAIT_MS;
  const full = [...known];
  for (let lease: Lease | null = first; lease; lease = await leaseWhenFree(ctx, id, signal)) {
    const outcome =
      !signal.aborted && (await runCheck(ctx, { ...lease, requested }, signal, () => run.forced));
    if (outcome === true) return true;
    await releaseRun(ctx, lease);
    if (outcome === false) return false;
    full.push(outcome.address);
    if (!hold(ctx, id, run.forced ? "awaited" : null, full) || !run.forced) return false;
    if (!(await turnOf(ctx, id, giveUpAt, signal))) return false;
  }
  return false;
}

/**
 * Reads one verification of the account now, or joins the read under way. Resolves to true once the outcome is
 * committed, to false if the verification ended, the read was cut off, or there was no place or room for it.
 */
export function runNow(ctx: Context, accountId: string, id: string): Promise<boolean> {
  const active = ctx.runs.byVerification.get(id);
  if (active) {
    active.forced = true;
    return active.done;
  }
  ctx.runs.held.drop(id);
  return ctx.runs.start(id, accountId, true, async (run) => {
    const lease = await leaseWhenFree(ctx, id, run.abort.signal);
    return lease !== null && readLeased(ctx, lease, run, true);
  }).done;
}

type Due = { id: string; accountId: string; addresses?: readonly string[] };

/** At most `limit` reads that were held and may begin, each with a place. */
function unheld({ reader, runs: { byVerification, places, held } }: Context, limit: number): Due[] {
  const ready: Due[] = [];
  const mayBegin = ({ id, accountId }: Due) =>
    !byVerification.has(id) && places.tryAcquire(accountId);
  while (ready.length < limit) {
    const read = held.next(reader.hasRoom, mayBegin);
    if (!read) break;
    ready.push(read);
  }
  return ready;
}

/** Whether the addresses that the verification's zone had at its last read have room. */
function hasRoom({ db, reader }: Context, { id }: Due): boolean {
  const seen = rowsOfVerification(db).get({ id })?.verification.seen ?? null;
  return lastSeen(seen).addresses.every(reader.hasRoom);
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
  const begun = new Set(placed.map(({ id }) => id));
  const unread = due.filter(({ id }) => !byVerification.has(id) && !held.has(id) && !begun.has(id));
  const taken = unread.slice(0, limit - placed.length);
  const heldBefore = held.size;
  const open = taken.filter((one) => hasRoom(ctx, one) || !hold(ctx, one.id, null, []));
  placed.push(...open.filter(({ accountId }) => places.tryAcquire(accountId)));
  const leasing = leaseVerifications(
    ctx,
    placed.map(({ id }) => id),
  );
  const leases = leasing.catch((): Lease[] => []);
  for (const { id, accountId, addresses } of placed) {
    const read = async (run: ActiveRun) => {
      const lease =
        (await leases).find(({ verificationId }) => verificationId === id) ??
        (run.forced ? await leaseWhenFree(ctx, id, run.abort.signal) : null);
      return lease !== null && readLeased(ctx, lease, run, false, addresses);
    };
    ctx.runs.start(id, accountId, false, read).done.catch((error: unknown) => {
      ctx.log.error({ err: error, verificationId: id }, "DNS read could not be recorded");
    });
  }
  const isMoving = placed.length > 0 || held.size > heldBefore;
  await leasing;
  if (isMoving && due.length === most) return "more";
  const isWaiting = saturated.length > 0 || held.size > 0;
  return isWaiting || placed.length < begun.size + unread.length ? "held" : "all";
}

/** Aborts the reads of these verifications and waits until each has been recorded or given up. */
export async function abortRuns({ runs }: Pick<Context, "runs">, ids: readonly string[]) {
  const active = ids.flatMap((id) => runs.byVerification.get(id) ?? []);
  for (const { abort } of active) abort.abort();
  await Promise.allSettled(active.map(({ done }) => done));
}

/** Waits for every read under way, aborting after `graceMs` those that have not finished. */
export async function drainRuns({ runs }: Pick<Context, "runs">, graceMs: number): Promise<void> {
  const { byVerification, held } = runs;
  const timer = setTimeout(() => {
    for (const { abort } of byVerification.values()) abort.abort();
  }, graceMs);
  while (byVerification.size > 0)
    await Promise.allSettled([...byVerification.values()].map(({ done }) => done));
  held.clear();
  clearTimeout(timer);
}
