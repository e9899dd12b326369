import type { Cancellation } from "../wire/cancellation.ts";

/** Admits `size` holders at a time; the others wait in a queue. */
export class Semaphore {
  private free: number;
  private readonly line: (() => void)[] = [];

  constructor(private readonly size: number) {
    this.free = size;
  }

  /** Whether there are no holders and no waiters. */
  get idle(): boolean {
    return this.free === this.size;
  }

  /** Takes a slot; false if none is free. */
  enter(): boolean {
    if (this.free === 0) return false;
    this.free -= 1;
    return true;
  }

  /** Waits for a slot; resolves to true with the slot, or to false if `ending` comes first. */
  turn(ending: Cancellation): Promise<boolean> {
    return new Promise((resolve) => {
      if (ending.isOver) return resolve(false);
      const step = () => {
        ending.spare(quit);
        resolve(true);
      };
      const quit = () => {
        this.line.splice(this.line.indexOf(step), 1);
        resolve(false);
      };
      this.line.push(step);
      ending.tell(quit);
    });
  }

  /** Releases a slot, to the first waiter if there is one. */
  leave(): void {
    const next = this.line.shift();
    if (next) next();
    else this.free += 1;
  }
}

/** One semaphore per key, kept only while in use. */
export class Semaphores {
  private readonly gates = new Map<string, Semaphore>();

  constructor(private readonly size: number) {}

  /** The key's semaphore; the caller must enter it synchronously. */
  at(key: string): Semaphore {
    let gate = this.gates.get(key);
    if (!gate) {
      gate = new Semaphore(this.size);
      this.gates.set(key, gate);
    }
    return gate;
  }

  /** Releases a slot of the key's semaphore. */
  leave(key: string): void {
    const gate = this.gates.get(key);
    gate?.leave();
    if (gate?.idle) this.gates.delete(key);
  }
}
