type Waiting = { admit: () => void };

/**
 * Places for work, shared among keys (an account, a client's address) so that whoever comes first does not hold them
 * all. The share of a key is a part of the places that are free: alone it has many, the more are active the fewer
 * each has, and somebody new finds one. (Choudhury and Hahne, "Dynamic queue length thresholds", 1998.)
 */
export class FairShare {
  #free: number;
  readonly #part: number;
  readonly #held = new Map<string, number>();
  /** Those who wait, by key; the keys in the order of their turns. */
  readonly #line = new Map<string, Waiting[]>();

  /** `part`: what a key may hold for those who wait, of the places free; half of that where nobody waits. */
  constructor(size: number, part: number) {
    this.#free = size;
    this.#part = part;
  }

  /** Whether `tryEnter` would get anybody a place now. */
  get hasRoom(): boolean {
    return !this.#hasFullShare(0);
  }

  /** Whether the key has a place. */
  holds(key: string): boolean {
    return this.#held.has(key);
  }

  /** Takes a place for work nobody waits for. False where the key has its share, or few are left. */
  tryEnter(key: string): boolean {
    if (this.#hasFullShare(this.#held.get(key) ?? 0)) return false;
    this.#take(key);
    return true;
  }

  /** The keys that hold places and for which `tryEnter` would get none now. */
  atTheirShare(): string[] {
    return [...this.#held].filter(([, held]) => this.#hasFullShare(held)).map(([key]) => key);
  }

  /**
   * Takes a place for somebody who waits: at once where the key is within its share, else in its turn. A key
   * that holds nothing gets any place there is. Resolves to false after `waitMs`, or when `signal` aborts.
   */
  enter(key: string, waitMs: number, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return Promise.resolve(false);
    if (this.#mayEnter(key)) {
      this.#take(key);
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const settle = (admitted: boolean) => {
        clearTimeout(timer);
        signal.removeEventListener("abort", quit);
        resolve(admitted);
      };
      const waiting = { admit: () => settle(true) };
      const quit = () => {
        this.#unqueue(key, waiting);
        settle(false);
      };
      const timer = setTimeout(quit, waitMs);
      signal.addEventListener("abort", quit);
      this.#line.set(key, [...(this.#line.get(key) ?? []), waiting]);
    });
  }

  /** Gives a place of the key back, and lets in whose turn it is. */
  leave(key: string): void {
    const held = this.#held.get(key) ?? 0;
    if (held > 1) this.#held.set(key, held - 1);
    else this.#held.delete(key);
    this.#free++;
    for (let next = this.#next(); next !== null; next = this.#next()) this.#admit(next);
  }

  #hasFullShare(held: number): boolean {
    return held + 1 > (this.#free * this.#part) / 2;
  }

  #mayEnter(key: string): boolean {
    return this.#free > 0 && (this.#held.get(key) ?? 0) < Math.max(this.#free * this.#part, 1);
  }

  #take(key: string): void {
    this.#free--;
    this.#held.set(key, (this.#held.get(key) ?? 0) + 1);
  }

  /** The waiting key that holds least, the one whose last turn is longest ago among equals. */
  #next(): string | null {
    let next: string | null = null;
    let least = Number.POSITIVE_INFINITY;
    for (const key of this.#line.keys()) {
      const held = this.#held.get(key) ?? 0;
      if (held < least) [next, least] = [key, held];
      if (held === 0) break;
    }
    return next !== null && this.#mayEnter(next) ? next : null;
  }

  #admit(key: string): void {
    const [first, ...rest] = this.#line.get(key) ?? [];
    this.#line.delete(key);
    if (rest.length > 0) this.#line.set(key, rest);
    this.#take(key);
    first?.admit();
  }

  #unqueue(key: string, waiting: Waiting): void {
    const rest = this.#line.get(key)?.filter((one) => one !== waiting) ?? [];
    if (rest.length > 0) this.#line.set(key, rest);
    else this.#line.delete(key);
  }
}
