import type { Cancellation } from "../wire/cancellation.ts";

/** Lets so many in at once; the rest wait in line. */
export class Semaphore {
  private free: number;
  private readonly line: (() => void)[] = [];

  constructor(private readonly size: number) {
    this.free = size;
  }

  /** Nobody is in and nobody waits. */
  get idle(): boolean {
    return this.free === this.size;
  }

  /** Takes a place; false where none is free. */
  enter(): boolean {
    if (this.free === 0) return false;
    this.free -= 1;
    return true;
  }

  /** Waits in line; resolves to true with a place, to false where `ending` came before one was free. */
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

  /** Gives a place back, to the first in line. */
  leave(): void {
    const next = this.line.shift();
    if (next) next();
    else this.free += 1;
  }
}

/** A gate a key, kept only while somebody uses it. */
export class Semaphores {
  private readonly gates = new Map<string, Semaphore>();

  constructor(private readonly size: number) {}

  /** The key's gate, to be entered at once. */
  at(key: string): Semaphore {
    let gate = this.gates.get(key);
    if (!gate) {
      gate = new Semaphore(this.size);
      this.gates.set(key, gate);
    }
    return gate;
  }

  /** Gives a place at the key's gate back. */
  leave(key: string): void {
    const gate = this.gates.get(key);
    gate?.leave();
    if (gate?.idle) this.gates.delete(key);
  }
}
