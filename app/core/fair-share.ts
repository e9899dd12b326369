/**
 * No key takes all places: its share is a fraction of the free ones (Choudhury and Hahne, "Dynamic queue length
 * thresholds", 1998), so it shrinks as more keys become active, and always leaves room for a new one.
 */
export class FairShare {
  readonly #used = new Map<string, number>();
  readonly #waiting = new Map<string, (() => void)[]>();

  /** A key may have `fraction` of the free `places` by `acquire`, and half of that by `tryAcquire`. */
  constructor(
    private places: number,
    private readonly fraction: number,
  ) {}

  get hasFreePlace(): boolean {
    return !this.#hasFullShare(0);
  }

  holds(key: string): boolean {
    return this.#used.has(key);
  }

  /** Takes a place for background work; returns false if the key already has its share, or if few places are left. */
  tryAcquire(key: string): boolean {
    if (this.#hasFullShare(this.#used.get(key) ?? 0)) return false;
    this.#take(key);
    return true;
  }

  saturatedKeys(): string[] {
    return [...this.#used].filter(([, held]) => this.#hasFullShare(held)).map(([key]) => key);
  }

  /** Takes a place, at once within the key's share, else in turn. Resolves to false after `waitMs` or if `signal` aborts. */
  acquire(key: string, waitMs: number, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return Promise.resolve(false);
    if (this.#mayTake(key)) {
      this.#take(key);
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const settle = (admitted: boolean) => {
        clearTimeout(timer);
        signal.removeEventListener("abort", giveUp);
        resolve(admitted);
      };
      const admit = () => settle(true);
      const giveUp = () => {
        this.#leaveQueue(key, admit);
        settle(false);
      };
      const timer = setTimeout(giveUp, waitMs);
      signal.addEventListener("abort", giveUp);
      this.#waiting.set(key, [...(this.#waiting.get(key) ?? []), admit]);
    });
  }

  release(key: string): void {
    const held = this.#used.get(key) ?? 0;
    if (held > 1) this.#used.set(key, held - 1);
    else this.#used.delete(key);
    this.places++;
    for (let next = this.#nextKey(); next !== null; next = this.#nextKey()) this.#admit(next);
  }

  #hasFullShare(held: number): boolean {
    return held + 1 > (this.places * this.fraction) / 2;
  }

  #mayTake(key: string): boolean {
    return this.places > 0 && (this.#used.get(key) ?? 0) < Math.max(this.places * this.fraction, 1);
  }

  #take(key: string): void {
    this.places--;
    this.#used.set(key, (this.#used.get(key) ?? 0) + 1);
  }

  /** Returns the waiting key with the fewest places; of several, the one whose last turn was longest ago. */
  #nextKey(): string | null {
    let next: string | null = null;
    let fewest = Number.POSITIVE_INFINITY;
    for (const key of this.#waiting.keys()) {
      const held = this.#used.get(key) ?? 0;
      if (held < fewest) [next, fewest] = [key, held];
      if (held === 0) break;
    }
    return next !== null && this.#mayTake(next) ? next : null;
  }

  #admit(key: string): void {
    const [first, ...rest] = this.#waiting.get(key) ?? [];
    this.#waiting.delete(key);
    if (rest.length > 0) this.#waiting.set(key, rest);
    this.#take(key);
    first?.();
  }

  #leaveQueue(key: string, admit: () => void): void {
    const others = this.#waiting.get(key)?.filter((waiting) => waiting !== admit) ?? [];
    if (others.length > 0) this.#waiting.set(key, others);
    else this.#waiting.delete(key);
  }
}

export type Work<T = void> = { abort: AbortController; done: Promise<T> };

/** Keeps track of running work, at most one piece per key. */
export class RunningWork<K, W extends Work<unknown> = Work> {
  readonly byKey = new Map<K, W>();

  get size(): number {
    return this.byKey.size;
  }

  has(key: K): boolean {
    return this.byKey.has(key);
  }

  add(key: K, work: W): void {
    this.byKey.set(key, work);
    const forget = () => this.byKey.delete(key);
    work.done.then(forget, forget);
  }

  /** Never resolves if no work is running. */
  async untilOneEnds(): Promise<void> {
    await Promise.race([...this.byKey.values()].map(({ done }) => done.catch(() => {})));
  }

  async abort(keys: Iterable<K>): Promise<void> {
    const aborted = [...keys].flatMap((key) => this.byKey.get(key) ?? []);
    for (const { abort } of aborted) abort.abort();
    await Promise.allSettled(aborted.map(({ done }) => done));
  }

  /** Waits for all work, and every `graceMs` aborts what still runs. */
  async drain(graceMs: number): Promise<void> {
    const timer = setInterval(() => this.abort(this.byKey.keys()), graceMs);
    while (this.size > 0)
      await Promise.allSettled([...this.byKey.values()].map(({ done }) => done));
    clearInterval(timer);
  }
}
