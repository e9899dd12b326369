import type { TimeSource } from "@deed/dns/resolve/https-time.ts";
import type { Context, Log } from "#app/core/context.server.ts";
import { DeedError } from "#app/core/errors.server.ts";
import { iso } from "#app/core/time.ts";

/** Smaller differences are drift or a correction. */
const STEP_MS = 60_000;
const SETTLE_MS = 5 * 60_000;
/** Steps further back or ahead than this need a second source. */
const BACK_MS = 5 * 60_000;
const AHEAD_MS = 2 * 24 * 3_600_000;

export type TimeSources = {
  /** The system clock, which somebody may set; epoch milliseconds. */
  wall: () => number;
  /** Monotonic, in milliseconds. */
  elapsed: () => number;
  /** Seconds since boot, including sleep: shows whether the machine slept or its clock was set. */
  uptime: () => number;
  /** The operator trusts the system clock: accept every step. */
  isTrusted?: boolean;
  onStep: (byMs: number, isFollowed: boolean) => void;
};

export type ClockDifference = { wall: number; expected: number };

/**
 * The system clock, except that it follows a step of over a minute only after five minutes, and a step of over two days
 * ahead or five minutes back only once another source confirms it: an expired claim cannot be revived.
 */
export function steadyClock(sources: TimeSources) {
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
  // The lower limit does not move: a clock that was behind is believed once it has caught up.
  const isFar = (passed: number) =>
    !isTrusted && (wall() < seen.wall - BACK_MS || wall() > seen.wall + passed + AHEAD_MS);

  const now = (): number => {
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
      // After sleep, or while the time is already in doubt, a far step is in doubt at once.
      begin(by, hasSlept || step?.isDoubted ? Number.NEGATIVE_INFINITY : elapsed());
    }
    return settle(by, far) ?? Math.round(seen.wall + passed);
  };

  const begin = (by: number, since: number) => {
    step = { since, by, isDoubted: false };
    onStep(by, false);
  };
  const settle = (by: number, far: boolean) => {
    if (!step || elapsed() - step.since < SETTLE_MS) return null;
    step.isDoubted = far;
    if (far) return null;
    onStep(by, true);
    return follow(Number.NEGATIVE_INFINITY);
  };

  return {
    now,
    resume(newest: number): void {
      if (isTrusted) return;
      seen = { ...look(), wall: newest };
      step = null;
      if (!isFar(0)) follow(newest);
      else begin(wall() - newest, Number.NEGATIVE_INFINITY);
    },
    /** Null while the system clock is believed. */
    doubt(): ClockDifference | null {
      const expected = now();
      return step?.isDoubted ? { wall: wall(), expected } : null;
    },
    /** Accepts the current system clock, since another source agrees with it. */
    vouch: () => void follow(Number.NEGATIVE_INFINITY),
  };
}

const PAUSE_MS = 60_000;
const WITHIN_MS = 3_600_000;
const RETRY_AFTER_S = 30;

type Options = Omit<TimeSources, "onStep"> & { others: readonly TimeSource[]; log: Log };

export function createTimekeeper({ others, log, ...sources }: Options) {
  const clock = steadyClock({
    ...sources,
    onStep: (byMs, isFollowed) =>
      log.warn({ byMs, isFollowed }, "the system clock jumped; the new time is used once it lasts"),
  });
  const names = [...others.map(({ name }) => name), "the operator (CLOCK_TRUSTED=on)"];
  const sentence = ({ wall, expected }: ClockDifference) =>
    `The system clock says ${iso(wall)}, but Deed expected ${iso(expected)}: checks and expiry wait until ` +
    `one of these agrees with it: ${names.join(", ")}.`;

  let nextAt = Number.NEGATIVE_INFINITY;

  return {
    now: clock.now,
    resume: clock.resume,
    reasonToWait(): string | null {
      const doubt = clock.doubt();
      return doubt && sentence(doubt);
    },
    /** Does nothing unless the system clock is in doubt; asks at most once a minute. Never rejects. */
    async askOthers(signal: AbortSignal): Promise<void> {
      if (!clock.doubt() || sources.elapsed() < nextAt) return;
      nextAt = sources.elapsed() + PAUSE_MS;
      const answers = await Promise.all(
        others.map(async ({ name, ask }) => ({ name, date: await ask(signal) })),
      );
      const doubt = clock.doubt();
      if (signal.aborted || !doubt) return;
      const agrees = (date: number | null) =>
        date !== null && Math.abs(date - doubt.wall) <= WITHIN_MS;
      const agreeing = answers.find(({ date }) => agrees(date));
      if (agreeing) {
        clock.vouch();
        log.info({ clock: iso(doubt.wall), by: agreeing.name }, "the system clock is confirmed");
        return;
      }
      const said = answers.map(({ name, date }) => ({ name, date: date && iso(date) }));
      log.warn({ sources: said }, sentence(doubt));
    },
  };
}

export const isTimeKnown = ({ timekeeper }: Pick<Context, "timekeeper">): boolean =>
  timekeeper.reasonToWait() === null;

/** Call before recording a permanent date. Throws unavailable while the time is not known. */
export function requireKnownTime(ctx: Pick<Context, "timekeeper">): void {
  if (isTimeKnown(ctx)) return;
  throw new DeedError("unavailable", {
    message:
      "This server’s clock may be wrong. Deed starts and checks claims again once it is sure of the time.",
    retryAfter: RETRY_AFTER_S,
  });
}
