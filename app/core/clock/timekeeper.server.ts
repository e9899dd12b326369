import type { TimeSource } from "@deed/dns/resolve/https-time.ts";
import type { Context, Log } from "#app/core/context.server.ts";
import { DeedError } from "#app/core/errors.server.ts";
import { iso } from "#app/core/time.ts";

/** A smaller difference of the clock is drift or a correction. */
const MIN_STEP_MS = 60_000;
const STEP_DELAY_MS = 5 * 60_000;
/** Steps further back or ahead than this need a second source. */
const MAX_BACK_MS = 5 * 60_000;
const MAX_AHEAD_MS = 2 * 24 * 3_600_000;

export type TimeSources = {
  /** Returns the time of the system clock, which somebody may set, in epoch milliseconds. */
  wall: () => number;
  /** Returns the time of a monotonic clock, in milliseconds. */
  elapsed: () => number;
  /** Returns the seconds since boot with sleep, which show whether the machine slept or its clock was set. */
  uptime: () => number;
  /** Whether the operator trusts the system clock, so that every step is accepted. */
  isTrusted?: boolean;
  onStep: (byMs: number, isFollowed: boolean) => void;
};

export type ClockDifference = { wall: number; expected: number };

/**
 * The system clock, except that it follows a step of over a minute only after five minutes, and a step of over two days
 * ahead or five minutes back only once another source confirms it: an expired claim cannot be revived.
 */
export function steadyClock({ wall, elapsed, uptime, isTrusted = false, onStep }: TimeSources) {
  const readSources = () => ({ wall: wall(), elapsed: elapsed(), uptime: uptime() });
  let start = readSources();
  let minTime = Number.NEGATIVE_INFINITY;
  let step: { since: number; stepMs: number; isDoubted: boolean } | null = null;

  const followClock = (minimum: number) => {
    start = readSources();
    minTime = minimum;
    step = null;
    return Math.max(start.wall, minTime);
  };
  // The lower limit does not move: a clock that was behind is believed once it has caught up.
  const isFarStep = (elapsedMs: number) =>
    !isTrusted &&
    (wall() < start.wall - MAX_BACK_MS || wall() > start.wall + elapsedMs + MAX_AHEAD_MS);

  const now = (): number => {
    const elapsedMs = elapsed() - start.elapsed;
    const stepMs = wall() - (start.wall + elapsedMs);
    if (Math.abs(stepMs) < MIN_STEP_MS) {
      if (step || elapsedMs > MIN_STEP_MS) return followClock(minTime);
      return Math.max(wall(), minTime);
    }
    const isFar = isFarStep(elapsedMs);
    if (!isFar && step?.isDoubted) return followClock(start.wall);
    const sleptMs = 1000 * (uptime() - start.uptime) - elapsedMs;
    const wasAsleep = Math.abs(stepMs - sleptMs) < MIN_STEP_MS;
    if (!isFar && wasAsleep) return followClock(minTime);
    if (!step || Math.abs(stepMs - step.stepMs) >= MIN_STEP_MS) {
      // After sleep, or while the time is already in doubt, a far step is in doubt at once.
      beginStep(stepMs, wasAsleep || step?.isDoubted ? Number.NEGATIVE_INFINITY : elapsed());
    }
    return settleStep(stepMs, isFar) ?? Math.round(start.wall + elapsedMs);
  };

  const beginStep = (stepMs: number, since: number) => {
    step = { since, stepMs, isDoubted: false };
    onStep(stepMs, false);
  };
  const settleStep = (stepMs: number, isFar: boolean) => {
    if (!step || elapsed() - step.since < STEP_DELAY_MS) return null;
    step.isDoubted = isFar;
    if (isFar) return null;
    onStep(stepMs, true);
    return followClock(Number.NEGATIVE_INFINITY);
  };

  return {
    now,
    resume(newestTime: number): void {
      if (isTrusted) return;
      start = { ...readSources(), wall: newestTime };
      step = null;
      if (!isFarStep(0)) followClock(newestTime);
      else beginStep(wall() - newestTime, Number.NEGATIVE_INFINITY);
    },
    /** Null while the system clock is believed. */
    doubtedGap(): ClockDifference | null {
      const expected = now();
      return step?.isDoubted ? { wall: wall(), expected } : null;
    },
    /** Accepts the current system clock, since another source agrees with it. */
    acceptWall: () => void followClock(Number.NEGATIVE_INFINITY),
  };
}

const ASK_EVERY_MS = 60_000;
const MAX_DISAGREEMENT_MS = 3_600_000;
const RETRY_AFTER_S = 30;

type Options = Omit<TimeSources, "onStep"> & { otherSources: readonly TimeSource[]; log: Log };

export function createTimekeeper({ otherSources, log, ...sources }: Options) {
  const clock = steadyClock({
    ...sources,
    onStep: (byMs, isFollowed) =>
      log.warn({ byMs, isFollowed }, "the system clock jumped; the new time is used once it lasts"),
  });
  const sourceNames = [...otherSources.map(({ name }) => name), "the operator (CLOCK_TRUSTED=on)"];
  const explainGap = ({ wall, expected }: ClockDifference) =>
    `The system clock says ${iso(wall)}, but Deed expected ${iso(expected)}: checks and expiry wait until ` +
    `one of these agrees with it: ${sourceNames.join(", ")}.`;

  let nextAskAt = Number.NEGATIVE_INFINITY;

  return {
    now: clock.now,
    resume: clock.resume,
    reasonToWait(): string | null {
      const doubtedGap = clock.doubtedGap();
      return doubtedGap && explainGap(doubtedGap);
    },
    /** Does nothing unless the system clock is in doubt; asks at most once a minute. Never rejects. */
    async askOtherSources(signal: AbortSignal): Promise<void> {
      if (!clock.doubtedGap() || sources.elapsed() < nextAskAt) return;
      nextAskAt = sources.elapsed() + ASK_EVERY_MS;
      const answers = await Promise.all(
        otherSources.map(async ({ name, ask }) => ({ name, date: await ask(signal) })),
      );
      const gap = clock.doubtedGap();
      if (signal.aborted || !gap) return;
      const agreeing = answers.find(
        ({ date }) => date !== null && Math.abs(date - gap.wall) <= MAX_DISAGREEMENT_MS,
      );
      if (agreeing) {
        clock.acceptWall();
        log.info({ clock: iso(gap.wall), by: agreeing.name }, "the system clock is confirmed");
        return;
      }
      const loggedAnswers = answers.map(({ name, date }) => ({ name, date: date && iso(date) }));
      log.warn({ sources: loggedAnswers }, explainGap(gap));
    },
  };
}

export const isTimeKnown = ({ timekeeper }: Pick<Context, "timekeeper">): boolean =>
  timekeeper.reasonToWait() === null;

/** Must be called before a permanent date is recorded. Throws unavailable while the time is not known. */
export function requireKnownTime(ctx: Pick<Context, "timekeeper">): void {
  if (isTimeKnown(ctx)) return;
  throw new DeedError("unavailable", {
    message:
      "This server’s clock may be wrong. Deed starts and checks claims again once it is sure of the time.",
    retryAfter: RETRY_AFTER_S,
  });
}
