import { FairShare } from "../fair-share.ts";
import { HeldReads } from "./held-reads.ts";

/** Concurrent reads of claims in this process, scheduled and forced together. */
export const MAX_READS = 50;
/** Fraction of the free places an account may use for its forced runs; half of it for its scheduled reads. */
const PART_OF_FREE = 1 / 2;
/** How long a forced run waits for a place, and for room at an address. */
export const WAIT_MS = 10_000;

/** A read under way in this process, or about to start. */
export type ActiveRun = {
  /** Whether a forced run started or joined the read. */
  forced: boolean;
  abort: AbortController;
  /** Resolves to whether an outcome was committed. */
  done: Promise<boolean>;
};

/** The reads under way in this process, by verification, and the places they occupy, by account. */
export class ActiveRuns {
  readonly byVerification = new Map<string, ActiveRun>();
  readonly places = new FairShare(MAX_READS, PART_OF_FREE);
  readonly held = new HeldReads();
  /** Forced runs, by verification, including their draw on the budget. */
  readonly forced = new Map<string, Promise<boolean>>();

  /**
   * Runs `work` as the only read of the verification. A scheduled read already has its place; a forced one waits for a
   * place, and does nothing if it gets none.
   */
  start(
    id: string,
    accountId: string,
    forced: boolean,
    work: (run: ActiveRun) => Promise<boolean>,
  ): ActiveRun {
    const abort = new AbortController();
    const run: ActiveRun = { forced, abort, done: Promise.resolve(false) };
    this.byVerification.set(id, run);
    const go = async () => {
      let entered = false;
      try {
        entered = !forced || (await this.places.acquire(accountId, WAIT_MS, abort.signal));
        return entered && (await work(run));
      } finally {
        this.byVerification.delete(id);
        if (entered) this.places.release(accountId);
      }
    };
    run.done = go();
    return run;
  }

  /** Resolves once any read under way has ended; never, if there is none. */
  async oneEnds(): Promise<void> {
    await Promise.race([...this.byVerification.values()].map(({ done }) => done.catch(() => {})));
  }
}
