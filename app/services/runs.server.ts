import type { Db } from "#db/client.ts";
import type { Context } from "./context.server.ts";
import { pairOfVerification } from "./ending.server.ts";
import { releaseRun } from "./outcome.server.ts";
import { readAndRecord } from "./reading.server.ts";
import { LEASE_MS } from "./schedule.ts";
import { dueVerifications, type Held, takeVerifications } from "./taking.server.ts";

/** Reads at once in this process, scheduled and forced together. */
export const MAX_READS = 50;
/** How often a verification that another process holds is tried again. */
const RETAKE_MS = 100;

/** A read under way in this process. */
type Run = {
  /** A forced run asked for it, from the start or since. */
  forced: boolean;
  /** It has a place; until then cutting it off is done at once. */
  begun: boolean;
  cut: AbortController;
  /** Resolves to whether an outcome was committed. */
  done: Promise<boolean>;
};

/** The reads under way on one database, by verification, and the places they take. */
class Runs {
  readonly under = new Map<string, Run>();
  readonly #waiting: (() => void)[] = [];
  #taken = 0;

  get free(): number {
    return Math.max(MAX_READS - this.#taken - this.#waiting.length, 0);
  }

  async enter(): Promise<void> {
    if (this.#taken < MAX_READS) this.#taken++;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#taken--;
  }

  /** Runs `work` as the one read of the verification, in a place of its own. */
  start(id: string, forced: boolean, work: (run: Run) => Promise<boolean>): Run {
    const cut = new AbortController();
    const run: Run = { forced, begun: false, cut, done: Promise.resolve(false) };
    this.under.set(id, run);
    run.done = this.enter().then(async () => {
      run.begun = true;
      try {
        return await work(run);
      } finally {
        this.under.delete(id);
        this.leave();
      }
    });
    return run;
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

/** Takes one verification, waiting out the run that another process holds. Null where it ended or `signal` cut in. */
async function takeWhenFree(ctx: Context, id: string, signal: AbortSignal): Promise<Held | null> {
  const giveUpAt = performance.now() + 2 * LEASE_MS;
  while (!signal.aborted && performance.now() < giveUpAt) {
    const [held] = await takeVerifications(ctx, [id]);
    if (held) return held;
    if (!pairOfVerification(ctx.db).get({ id })?.verification.nextRunAt) return null;
    await new Promise((resolve) => setTimeout(resolve, RETAKE_MS));
  }
  return null;
}

async function readHeld(ctx: Context, held: Held, run: Run, requested: boolean): Promise<boolean> {
  const { signal } = run.cut;
  const recorded =
    !signal.aborted && (await readAndRecord(ctx, { ...held, requested }, signal, () => run.forced));
  if (!recorded) await releaseRun(ctx, held);
  return recorded;
}

/**
 * Reads one verification now, sharing the read that may be under way. Resolves to true once the outcome is
 * committed, to false where the verification ended or the read was cut off.
 */
export function runNow(ctx: Context, id: string): Promise<boolean> {
  const runs = runsOf(ctx);
  const under = runs.under.get(id);
  if (under) {
    under.forced = true;
    return under.done;
  }
  return runs.start(id, true, async (run) => {
    const held = await takeWhenFree(ctx, id, run.cut.signal);
    return held !== null && readHeld(ctx, held, run, true);
  }).done;
}

/**
 * Begins what is due, in due order: `atMost` reads, as far as there are free places. Resolves to whether more may
 * be waiting, once the reads have begun.
 */
export async function beginDue(ctx: Context, atMost: number): Promise<boolean> {
  const runs = runsOf(ctx);
  const room = Math.min(runs.free, atMost);
  if (room === 0) return true;
  const due = dueVerifications(ctx, room);
  const taken = await takeVerifications(
    ctx,
    due.filter((id) => !runs.under.has(id)),
  );
  for (const held of taken) {
    runs
      .start(held.verificationId, false, (run) => readHeld(ctx, held, run, false))
      .done.catch((error: unknown) => {
        ctx.log.error({ err: error, verificationId: held.verificationId }, "read not recorded");
      });
  }
  return due.length === room;
}

/** Cuts the reads of these verifications off, and waits until each has been recorded or given up. */
export async function cutRuns(ctx: Pick<Context, "db">, ids: readonly string[]): Promise<void> {
  const runs = runsOf(ctx);
  await Promise.allSettled(
    ids.map((id) => {
      const run = runs.under.get(id);
      run?.cut.abort();
      return run?.begun ? run.done : null;
    }),
  );
}

/** Waits for every read under way, cutting off after `graceMs` those that are not through. */
export async function drainRuns(ctx: Pick<Context, "db">, graceMs: number): Promise<void> {
  const { under } = runsOf(ctx);
  const timer = setTimeout(() => {
    for (const run of under.values()) run.cut.abort();
  }, graceMs);
  while (under.size > 0) await Promise.allSettled([...under.values()].map((run) => run.done));
  clearTimeout(timer);
}
