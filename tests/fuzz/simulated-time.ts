import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import type { Chance } from "./chance.ts";

type Event = { at: number; run: () => void; isOff: boolean };

/** The real functions, to put them back. `turn` stays real: it lets promises settle between events. */
const { setTimeout, clearTimeout, setImmediate, clearImmediate } = globalThis;
const timers = { setTimeout, clearTimeout, setImmediate, clearImmediate };
const { now } = performance;
const { randomInt } = crypto;
const turn = () => new Promise<void>((resolve) => timers.setImmediate(() => resolve()));

/** Jumps to the next event once nothing is left to do. Replaces timers and `randomInt`: a seed repeats a read. */
export class SimulatedTime {
  now = 0;
  private events: Event[] = [];

  constructor(public chance: Chance) {}

  /** Calls `run` after `ms`; events due at once run in the order of planning. */
  plan(ms: number, run: () => void): Event {
    const at = this.now + Math.max(0, ms);
    const event = { at, run, isOff: false };
    let place = this.events.length;
    while (place > 0 && (this.events[place - 1]?.at ?? 0) > at) place -= 1;
    this.events.splice(place, 0, event);
    return event;
  }

  /** Moves on without running what was due meanwhile: nothing of a read goes on after it. */
  skip(ms: number): void {
    this.events = [];
    this.now += ms;
  }

  /** Lets time pass until the work has ended; throws if it waits for nothing. */
  async until<T>(work: Promise<T>): Promise<T> {
    let isOver = false;
    const end = () => {
      isOver = true;
    };
    work.then(end, end);
    for (;;) {
      await turn();
      if (isOver) return work;
      const next = this.events.shift();
      if (!next) throw new Error("the read waits for something that never comes");
      if (next.isOff) continue;
      this.now = next.at;
      next.run();
    }
  }

  install(): void {
    const off = (event: unknown) => {
      if (event) (event as Event).isOff = true;
    };
    const handle = (event: Event) => Object.assign(event, { ref: () => event, unref: () => event });
    Object.assign(globalThis, {
      setTimeout: (run: (...all: unknown[]) => void, ms = 0, ...all: unknown[]) =>
        handle(this.plan(ms, () => run(...all))),
      setImmediate: (run: (...all: unknown[]) => void, ...all: unknown[]) =>
        handle(this.plan(0, () => run(...all))),
      clearTimeout: off,
      clearImmediate: off,
    });
    performance.now = () => this.now;
    const randomInt = (from: number, to?: number) =>
      to === undefined ? this.chance.below(from) : from + this.chance.below(to - from);
    Object.assign(crypto, { randomInt });
    syncBuiltinESMExports();
  }

  uninstall(): void {
    Object.assign(globalThis, timers);
    performance.now = now;
    Object.assign(crypto, { randomInt });
    syncBuiltinESMExports();
  }
}
