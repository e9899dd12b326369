/** Lets so many in at once; the rest wait in line. */
export class Gate {
  private free: number;
  private readonly line: (() => void)[] = [];

  constructor(private readonly size: number) {
    this.free = size;
  }

  /** Nobody is in and nobody waits. */
  get idle(): boolean {
    return this.free === this.size;
  }

  /**
   * Waits for a place, runs `work` and gives the place back.
   * Rejects with the signal's reason where it aborts before a place was free.
   */
  async through<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free -= 1;
    else await this.turn(signal);
    try {
      return await work();
    } finally {
      const next = this.line.shift();
      if (next) next();
      else this.free += 1;
    }
  }

  private turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const enter = () => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      const leave = () => {
        const place = this.line.indexOf(enter);
        if (place >= 0) this.line.splice(place, 1);
        reject(signal.reason);
      };
      this.line.push(enter);
      signal.addEventListener("abort", leave, { once: true });
    });
  }
}

/** A gate a key, kept only while somebody uses it. */
export class Gates {
  private readonly gates = new Map<string, Gate>();

  constructor(private readonly size: number) {}

  async through<T>(key: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    let gate = this.gates.get(key);
    if (!gate) {
      gate = new Gate(this.size);
      this.gates.set(key, gate);
    }
    try {
      return await gate.through(signal, work);
    } finally {
      if (gate.idle) this.gates.delete(key);
    }
  }
}
