import type { Clock } from "../context.server.ts";

/** A difference between the two clocks that is a step, not drift or a correction. */
const STEP_MS = 60_000;
/** How long a step must stand before it is followed. */
const SETTLE_MS = 5 * 60_000;
/** Further back than this, or further ahead, the system's clock is not taken at its own word. */
const BACK_MS = 5 * 60_000;
const AHEAD_MS = 2 * 24 * 3_600_000;

export type TimeSources = {
  /** The system's clock, epoch milliseconds. It may be set. */
  wall: () => number;
  /** Milliseconds that pass evenly, whatever the system's clock is set to. */
  elapsed: () => number;
  /** Seconds the machine has been up, time asleep included: a machine that slept has not been set. */
  uptime: () => number;
  /** The operator vouches for the system's clock: no step is too far. */
  isTrusted?: boolean;
  /** Told of a step: what the clock was set by, in milliseconds, and whether it is followed now. */
  onStep: (byMs: number, isFollowed: boolean) => void;
};

/** What the system's clock says, and what it was to say. Epoch milliseconds. */
export type Doubt = { wall: number; expected: number };

export type SteadyClock = {
  now: Clock;
  /** Goes on from the newest time that was written down, which is a floor from here on. */
  resume(newest: number): void;
  /** Null while the system's clock is believed. */
  doubt(): Doubt | null;
  /** Somebody else vouches for the system's clock as it stands. */
  vouch(): void;
};

/**
 * The service's clock: the system's, but a step of more than a minute is followed only once it has stood for five,
 * and one of more than two days ahead, or five minutes back, only once somebody else vouches for it as well. Until then
 * time goes on from where it was. An end is final: a clock set wrong must not expire a claim.
 */
export function steadyClock(sources: TimeSources): SteadyClock {
  const { wall, elapsed, uptime, isTrusted = false, onStep } = sources;
  const look = () => ({ wall: wall(), elapsed: elapsed(), uptime: uptime() });
  let seen = look();
  let least = Number.NEGATIVE_INFINITY;
  let step: { since: number; by: number; isDoubted: boolean } | null = null;

  const follow = (floor: number) => {
    seen = look();
    least = floor;
    step = null;
    return Math.max(seen.wall, least);
  };
  // Measured from the floor itself: a clock that was behind it is believed once it has caught up.
  const isFar = (passed: number) =>
    !isTrusted && (wall() < seen.wall - BACK_MS || wall() > seen.wall + passed + AHEAD_MS);

  const now = () => {
    const passed = elapsed() - seen.elapsed;
    const by = wall() - (seen.wall + passed);
    if (Math.abs(by) < STEP_MS) {
      if (step || passed > STEP_MS) return follow(least);
      return Math.max(wall(), least);
    }
    const far = isFar(passed);
    if (!far && step?.isDoubted) return follow(seen.wall);
    const asleep = 1000 * (uptime() - seen.uptime) - passed;
    const hasSlept = Math.abs(by - asleep) < STEP_MS;
    if (!far && hasSlept) return follow(least);
    if (!step || Math.abs(by - step.by) >= STEP_MS) {
      // Once it is not known what time it is, no other step makes it known.
      begin(by, hasSlept || step?.isDoubted ? Number.NEGATIVE_INFINITY : elapsed());
    }
    return settle(by, far) ?? Math.round(seen.wall + passed);
  };

  const begin = (by: number, since: number) => {
    step = { since, by, isDoubted: false };
    onStep(by, false);
  };
  /** Follows a step that stands; null while there is none to follow. */
  const settle = (by: number, far: boolean) => {
    if (!step || elapsed() - step.since < SETTLE_MS) return null;
    step.isDoubted = far;
    if (far) return null;
    onStep(by, true);
    return follow(Number.NEGATIVE_INFINITY);
  };

  return {
    now,
    resume(newest) {
      if (isTrusted) return;
      seen = { ...look(), wall: newest };
      step = null;
      if (!isFar(0)) follow(newest);
      else begin(wall() - newest, Number.NEGATIVE_INFINITY);
    },
    doubt() {
      const expected = now();
      return step?.isDoubted ? { wall: wall(), expected } : null;
    },
    vouch: () => void follow(Number.NEGATIVE_INFINITY),
  };
}
