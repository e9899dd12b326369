declare module "#app/core/context.server.ts" {
  interface Context {
    watchReads: ActiveWatchReads;
  }
}
/** Reads of watched records under way at once; a slow zone takes one of them for twenty seconds. */
const PLACES = 16;

/** The reads of watched records under way in this process, by claim. */
export class ActiveWatchReads {
  readonly #running = new Map<string, Promise<void>>();
  #ending = new AbortController();

  get free(): number {
    return PLACES - this.#running.size;
  }

  has(claimId: string): boolean {
    return this.#running.has(claimId);
  }

  /** Runs `work`, which must not reject. */
  start(claimId: string, work: (signal: AbortSignal) => Promise<void>): void {
    const running = work(this.#ending.signal).finally(() => this.#running.delete(claimId));
    this.#running.set(claimId, running);
  }

  /** Waits for what is under way, at most `graceMs`, and ends the rest. */
  async drain(graceMs: number): Promise<void> {
    const timer = setTimeout(() => this.#ending.abort(), graceMs);
    while (this.#running.size > 0) await Promise.all(this.#running.values());
    clearTimeout(timer);
    this.#ending = new AbortController();
  }
}
