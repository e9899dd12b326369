import type { Cancellation } from "../wire/cancellation.ts";

/** Admits `size` holders at a time; the others wait in a queue. */
export class Semaphore {
  private free: number;
  private readonly queue: (() => void)[] = [];

  constructor(private readonly size: number) {
    this.free = size;
  }

  /** Whether there are no holders and no waiters. */
  get idle(): boolean {
    return this.free === this.size;
  }

  /** Takes a slot; false if none is free. */
  tryAcquire(): boolean {
    if (this.free === 0) return false;
    this.free -= 1;
    return true;
  }

  /** Waits for a slot; resolves to true with the slot, or to false if cancelled first. */
  acquire(cancellation: Cancellation): Promise<boolean> {
    return new Promise((resolve) => {
      if (cancellation.isCancelled) return resolve(false);
      const proceed = () => {
        cancellation.remove(giveUp);
        resolve(true);
      };
      const giveUp = () => {
        this.queue.splice(this.queue.indexOf(proceed), 1);
        resolve(false);
      };
      this.queue.push(proceed);
      cancellation.add(giveUp);
    });
  }

  /** Releases a slot, to the first waiter if there is one. */
  release(): void {
    const next = this.queue.shift();
    if (next) next();
    else this.free += 1;
  }
}

/** One semaphore per key, kept only while in use. */
export class Semaphores {
  private readonly semaphores = new Map<string, Semaphore>();

  constructor(private readonly size: number) {}

  /** The key's semaphore; the caller must enter it synchronously. */
  get(key: string): Semaphore {
    let semaphore = this.semaphores.get(key);
    if (!semaphore) {
      semaphore = new Semaphore(this.size);
      this.semaphores.set(key, semaphore);
    }
    return semaphore;
  }

  /** Releases a slot of the key's semaphore. */
  release(key: string): void {
    const semaphore = this.semaphores.get(key);
    semaphore?.release();
    if (semaphore?.idle) this.semaphores.delete(key);
  }
}
