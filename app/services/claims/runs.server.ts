import type { Context } from "../context.server.ts";
import type { ActiveRun } from "./active-runs.ts";
import { type ClaimRows, rowsOfVerification } from "./claim-lifecycle.server.ts";
import { dueVerifications, type Lease, leaseVerifications } from "./leases.server.ts";
import { releaseRun } from "./outcome.server.ts";
import { runCheck } from "./run-check.server.ts";
import { LEASE_MS } from "./schedule.ts";

/** How often to retry a verification that another process holds. */
const LEASE_RETRY_MS = 100;

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

async function readLeased(
  ctx: Context,
  lease: Lease,
  run: ActiveRun,
  requested: boolean,
): Promise<boolean> {
  const { signal } = run.abort;
  const recorded =
    !signal.aborted && (await runCheck(ctx, { ...lease, requested }, signal, () => run.forced));
  if (!recorded) await releaseRun(ctx, lease);
  return recorded;
}

/**
 * Reads one verification of the account now, or joins the read under way. Resolves to true once the outcome is
 * committed, to false if the verification ended, the read was cut off, or there was no place for it.
 */
export function runNow(ctx: Context, accountId: string, id: string): Promise<boolean> {
  const active = ctx.runs.byVerification.get(id);
  if (active) {
    active.forced = true;
    return active.done;
  }
  return ctx.runs.start(id, accountId, true, async (run) => {
    const lease = await leaseWhenFree(ctx, id, run.abort.signal);
    return lease !== null && readLeased(ctx, lease, run, true);
  }).done;
}

/**
 * Starts at most `limit` due reads, in due order, of accounts within their share of the places. Resolves once the reads
 * have started: "all" if nothing more is due, "more" if more may start at once, "held" if reads wait for a place.
 */
export async function startDueReads(ctx: Context, limit: number): Promise<"all" | "more" | "held"> {
  const { byVerification, places } = ctx.runs;
  const saturated = places.saturatedKeys();
  const due = places.hasFreePlace ? dueVerifications(ctx, limit, saturated) : [];
  const unread = due.filter(({ id }) => !byVerification.has(id));
  const placed = unread.filter(({ accountId }) => places.tryAcquire(accountId));
  const leasing = leaseVerifications(
    ctx,
    placed.map(({ id }) => id),
  );
  const leases = leasing.catch((): Lease[] => []);
  for (const { id, accountId } of placed) {
    const read = async (run: ActiveRun) => {
      const lease =
        (await leases).find(({ verificationId }) => verificationId === id) ??
        (run.forced ? await leaseWhenFree(ctx, id, run.abort.signal) : null);
      return lease !== null && readLeased(ctx, lease, run, false);
    };
    ctx.runs.start(id, accountId, false, read).done.catch((error: unknown) => {
      ctx.log.error({ err: error, verificationId: id }, "DNS read could not be recorded");
    });
  }
  await leasing;
  if (placed.length > 0 && due.length === limit) return "more";
  return saturated.length > 0 || placed.length < unread.length ? "held" : "all";
}

/** Aborts the reads of these verifications and waits until each has been recorded or given up. */
export async function abortRuns({ runs }: Pick<Context, "runs">, ids: readonly string[]) {
  const active = ids.flatMap((id) => runs.byVerification.get(id) ?? []);
  for (const { abort } of active) abort.abort();
  await Promise.allSettled(active.map(({ done }) => done));
}

/** Waits for every read under way, aborting after `graceMs` those that have not finished. */
export async function drainRuns({ runs }: Pick<Context, "runs">, graceMs: number): Promise<void> {
  const { byVerification } = runs;
  const timer = setTimeout(() => {
    for (const { abort } of byVerification.values()) abort.abort();
  }, graceMs);
  while (byVerification.size > 0)
    await Promise.allSettled([...byVerification.values()].map(({ done }) => done));
  clearTimeout(timer);
}
