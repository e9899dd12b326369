type Slots = { held: number; queue: (() => void)[] };

/** Admits `size` holders per key at a time; the others wait in a queue. Keeps a key only while it is in use. */
export class KeyedSemaphore {
  private readonly keys = new Map<string, Slots>();

  constructor(private readonly size: number) {}

  /** Number of keys in use. */
  get inUse(): number {
    return this.keys.size;
  }

  /** Waits for a slot; resolves to true with the slot, or to false if `signal` aborts first. */
  async acquire(key: string, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false;
    const slots = this.keys.get(key) ?? { held: 0, queue: [] };
    this.keys.set(key, slots);
    if (slots.held < this.size) {
      slots.held += 1;
      return true;
    }
    return new Promise((resolve) => {
      const proceed = () => {
        signal.removeEventListener("abort", giveUp);
        resolve(true);
      };
      const giveUp = () => {
        slots.queue.splice(slots.queue.indexOf(proceed), 1);
        resolve(false);
      };
      slots.queue.push(proceed);
      signal.addEventListener("abort", giveUp);
    });
  }

  /** Releases a slot, to the first waiter if there is one. */
  release(key: string): void {
    const slots = this.keys.get(key);
    const next = slots?.queue.shift();
    if (next) next();
    else if (slots && --slots.held === 0) this.keys.delete(key);
  }
}
