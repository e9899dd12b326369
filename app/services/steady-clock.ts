import type { Clock } from "./context.server.ts";

/** A difference between the two clocks that is a step, not drift or a correction. */
const STEP_MS = 60_000;
/** How long a step must stand before it is believed. */
const SETTLE_MS = 5 * 60_000;

export type TimeSources = {
  /** The system's clock, epoch milliseconds. It may be set. */
  wall: () => number;
  /** Milliseconds that pass evenly, whatever the system's clock is set to. */
  elapsed: () => number;
  /** Seconds the machine has been up, time asleep included: a machine that slept has not been set. */
  uptime: () => number;
  /** Told of a step: what the clock was set by, in milliseconds, and whether it is followed now. */
  onStep: (byMs: number, isFollowed: boolean) => void;
};

/**
 * The service's clock: the system's, but a step of more than a minute is followed only once it has stood for
 * five. An end is final: a clock set wrong for a moment, and back, must not expire a claim in between.
 */
export function steadyClock({ wall, elapsed, uptime, onStep }: TimeSources): Clock {
  let seen = { wall: wall(), elapsed: elapsed(), uptime: uptime() };
  let step: { since: number; by: number } | null = null;

  const follow = () => {
    seen = { wall: wall(), elapsed: elapsed(), uptime: uptime() };
    step = null;
    return seen.wall;
  };

  return () => {
    const passed = elapsed() - seen.elapsed;
    const by = wall() - (seen.wall + passed);
    if (Math.abs(by) < STEP_MS) {
      if (step || passed > STEP_MS) return follow();
      return wall();
    }
    const asleep = 1000 * (uptime() - seen.uptime) - passed;
    if (Math.abs(by - asleep) < STEP_MS) return follow();
    if (!step || Math.abs(by - step.by) >= STEP_MS) {
      step = { since: elapsed(), by };
      onStep(by, false);
    }
    if (elapsed() - step.since < SETTLE_MS) return Math.round(seen.wall + passed);
    onStep(by, true);
    return follow();
  };
}
