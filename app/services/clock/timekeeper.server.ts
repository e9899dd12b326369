import { agreesWith, type TimeSource } from "#app/dns/resolve/time-source.ts";
import type { Clock, Context, Log, Timekeeper } from "../context.server.ts";
import { DeedError } from "../errors.server.ts";
import { iso } from "../time.ts";
import { type Doubt, steadyClock, type TimeSources } from "./steady-clock.ts";

/** Pause between queries to the other sources, doubled each time. */
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 5 * 60_000;
/** A doubt that differs from the last by at least this much is a new one. */
const SAME_MS = 60_000;
const RETRY_AFTER_S = 30;

type Options = Omit<TimeSources, "onStep"> & { others: readonly TimeSource[]; log: Log };

export type RunningTimekeeper = Timekeeper & {
  now: Clock;
  /** Asks the other sources for the time if the system clock is in doubt and a query is due. Never rejects. */
  askOthers(signal: AbortSignal): Promise<void>;
};

/** The service's clock, and the sources asked before a step too large to trust is followed. */
export function createTimekeeper({ others, log, ...sources }: Options): RunningTimekeeper {
  const clock = steadyClock({
    ...sources,
    onStep: (byMs, isFollowed) =>
      log.warn(
        { byMs, isFollowed },
        "the system clock stepped; the step is followed once it persists",
      ),
  });
  const names = [...others.map(({ name }) => name), "the operator (CLOCK_TRUSTED=on)"];
  const sentence = ({ wall, expected }: Doubt) =>
    `The system clock says ${iso(wall)} where ${iso(expected)} was expected: reads, expiry and dating wait until ` +
    `one of these agrees with it: ${names.join(", ")}.`;

  let asked: { by: number; at: number; pause: number } | null = null;

  /** Whether a query is due: at once if the clock has been set since the last one, otherwise after growing pauses. */
  const isTime = ({ wall, expected }: Doubt): boolean => {
    const by = wall - expected;
    const isSame = asked !== null && Math.abs(asked.by - by) < SAME_MS;
    if (isSame && asked && sources.elapsed() < asked.at + asked.pause) return false;
    const pause = isSame && asked ? Math.min(2 * asked.pause, LONGEST_PAUSE_MS) : FIRST_PAUSE_MS;
    asked = { by, at: sources.elapsed(), pause };
    return true;
  };

  return {
    now: clock.now,
    resume: clock.resume,
    waitsFor() {
      const doubt = clock.doubt();
      return doubt && sentence(doubt);
    },
    async askOthers(signal) {
      const before = clock.doubt();
      if (!before) {
        asked = null;
        return;
      }
      if (!isTime(before)) return;
      const answers = await Promise.all(others.map((other) => other.ask(signal)));
      const doubt = clock.doubt();
      if (signal.aborted || !doubt) return;
      const agreeing = others.find((_, index) => agreesWith(doubt.wall, answers[index] ?? []));
      if (agreeing) {
        clock.vouch();
        log.info({ clock: iso(doubt.wall), by: agreeing.name }, "the system clock is confirmed");
        return;
      }
      const sources = others.map(({ name }, index) => ({
        name,
        times: (answers[index] ?? []).map(shown),
      }));
      log.warn({ sources }, sentence(doubt));
    },
  };
}

const shown = (time: { from: number; to: number } | null) =>
  time && `${iso(time.from)}/${iso(time.to)}`;

export const isTimeKnown = ({ timekeeper }: Pick<Context, "timekeeper">): boolean =>
  timekeeper.waitsFor() === null;

/** Must be called before recording a permanent date. Throws unavailable while the time is not known. */
export function requireKnownTime(ctx: Pick<Context, "timekeeper">): void {
  if (isTimeKnown(ctx)) return;
  throw new DeedError("unavailable", {
    message:
      "The clock of this server may be wrong. Deed starts and checks claims again when the time is certain.",
    retryAfter: RETRY_AFTER_S,
  });
}
