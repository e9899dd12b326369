import type { Db } from "#db/client.ts";
import type { Context } from "../context.server.ts";
import { FairShare } from "../fair-share.ts";
import { rowsOfVerification } from "./claim-lifecycle.server.ts";
import { dueVerifications, type Lease, leaseVerifications } from "./leases.server.ts";
import { releaseRun } from "./outcome.server.ts";
import { runCheck } from "./run-check.server.ts";
import { LEASE_MS } from "./schedule.ts";

/** Concurrent reads of claims in this process, scheduled and forced together. */
export const MAX_READS = 50;
/** Fraction of the free places an account may use for its forced runs; half of it for its scheduled reads. */
const PART_OF_FREE = 1 / 2;
/** How long a forced run waits for a place. */
const WAIT_MS = 10_000;
/** How often to retry a verification that another process holds. */
const LEASE_RETRY_MS = 100;

/** A read under way in this process, or about to start. */
type Run = {
  /** Whether a forced run started or joined the read. */
  forced: boolean;
  cut: AbortController;
  /** Resolves to whether an outcome was committed. */
  done: Promise<boolean>;
};

/** Reads under way on one database, by verification, and the places they occupy, by account. */
class Runs {
  readonly under = new Map<string, Run>();
  readonly places = new FairShare(MAX_READS, PART_OF_FREE);
  /** Whether scheduled reads may be due that found no place. `onRoom` is called once a place is free. */
  isHoldingBack = false;
  onRoom = () => {};

  /**
   * Runs `work` as the only read of the verification. A scheduled read already has its place; a forced one waits for a
   * place, and does nothing if it gets none.
   */
  start(id: string, accountId: string, forced: boolean, work: (run: Run) => Promise<boolean>): Run {
    const cut = new AbortController();
    const run: Run = { forced, cut, done: Promise.resolve(false) };
    this.under.set(id, run);
    const go = async () => {
      let entered = false;
      try {
        entered = !forced || (await this.places.acquire(accountId, WAIT_MS, cut.signal));
        return entered && (await work(run));
      } finally {
        this.under.delete(id);
        if (entered) this.leave(accountId);
      }
    };
    run.done = go();
    return run;
  }

  private leave(accountId: string): void {
    this.places.release(accountId);
    if (!this.isHoldingBack) return;
    this.isHoldingBack = false;
    this.onRoom();
  }
}

const registry = new WeakMap<Db, Runs>();

function runsOf({ db }: Pick<Context, "db">): Runs {
  const known = registry.get(db);
  if (known) return known;
  const runs = new Runs();
  registry.set(db, runs);
  return runs;
}

/**
 * Leases one verification, waiting for another process to finish its run. Null if the verification ended, `signal`
 * aborted, or the wait took longer than two leases.
 */
async function leaseWhenFree(ctx: Context, id: string, signal: AbortSignal): Promise<Lease | null> {
  const giveUpAt = performance.now() + 2 * LEASE_MS;
  while (!signal.aborted && performance.now() < giveUpAt) {
    const [held] = await leaseVerifications(ctx, [id]);
    if (held) return held;
    if (!rowsOfVerification(ctx.db).get({ id })?.verification.nextRunAt) return null;
    await new Promise((resolve) => setTimeout(resolve, LEASE_RETRY_MS));
  }
  return null;
}

async function readLeased(
  ctx: Context,
  held: Lease,
  run: Run,
  requested: boolean,
): Promise<boolean> {
  const { signal } = run.cut;
  const recorded =
    !signal.aborted && (await runCheck(ctx, { ...held, requested }, signal, () => run.forced));
  if (!recorded) await releaseRun(ctx, held);
  return recorded;
}

/**
 * Reads one verification of the account now, or joins the read under way. Resolves to true once the outcome is
 * committed, to false if the verification ended, the read was cut off, or there was no place for it.
 */
export function runNow(ctx: Context, accountId: string, id: string): Promise<boolean> {
  const runs = runsOf(ctx);
  const under = runs.under.get(id);
  if (under) {
    under.forced = true;
    return under.done;
  }
  return runs.start(id, accountId, true, async (run) => {
    const held = await leaseWhenFree(ctx, id, run.cut.signal);
    return held !== null && readLeased(ctx, held, run, true);
  }).done;
}

/** Registers `tell`, called when a place becomes free for reads that `startDueReads` held back. */
export function onFreePlace(ctx: Context, tell: () => void): void {
  runsOf(ctx).onRoom = tell;
}

/**
 * Begins at most `atMost` due reads, in due order, of accounts within their share of the places. Resolves once the
 * reads have begun: "all" if nothing more is due, "more" if more may begin at once, "held" if reads are held back.
 */
export async function startDueReads(
  ctx: Context,
  atMost: number,
): Promise<"all" | "more" | "held"> {
  const runs = runsOf(ctx);
  const { places, under } = runs;
  const atTheirShare = places.saturatedKeys();
  const due = places.hasFreePlace ? dueVerifications(ctx, atMost, atTheirShare) : [];
  const unread = due.filter(({ id }) => !under.has(id));
  const placed = unread.filter(({ accountId }) => places.tryAcquire(accountId));
  const someHeldBack = atTheirShare.length > 0 || placed.length < unread.length;
  if (someHeldBack) runs.isHoldingBack = true;
  const taking = leaseVerifications(
    ctx,
    placed.map(({ id }) => id),
  );
  const taken = taking.catch((): Lease[] => []);
  for (const { id, accountId } of placed) {
    const read = async (run: Run) => {
      const held =
        (await taken).find(({ verificationId }) => verificationId === id) ??
        (run.forced ? await leaseWhenFree(ctx, id, run.cut.signal) : null);
      return held !== null && readLeased(ctx, held, run, false);
    };
    runs.start(id, accountId, false, read).done.catch((error: unknown) => {
      ctx.log.error({ err: error, verificationId: id }, "DNS read could not be recorded");
    });
  }
  await taking;
  if (placed.length > 0 && due.length === atMost) return "more";
  if (!someHeldBack) return "all";
  // If a place has become free meanwhile, one of the held reads may take it.
  return runs.isHoldingBack ? "held" : "more";
}

/** Cuts off the reads of these verifications and waits until each has been recorded or given up. */
export async function abortRuns(ctx: Pick<Context, "db">, ids: readonly string[]): Promise<void> {
  const runs = runsOf(ctx);
  await Promise.allSettled(
    ids.map((id) => {
      const run = runs.under.get(id);
      run?.cut.abort();
      return run?.done;
    }),
  );
}

/** Waits for every read under way, cutting off after `graceMs` those that have not finished. */
export async function drainRuns(ctx: Pick<Context, "db">, graceMs: number): Promise<void> {
  const { under } = runsOf(ctx);
  const timer = setTimeout(() => {
    for (const run of under.values()) run.cut.abort();
  }, graceMs);
  while (under.size > 0) await Promise.allSettled([...under.values()].map((run) => run.done));
  clearTimeout(timer);
}
