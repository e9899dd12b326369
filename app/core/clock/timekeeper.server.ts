import type { TimeSource } from "@deed/dns/resolve/https-time.ts";
import type { Context, Log } from "../context.server.ts";
import { DeedError } from "../errors.server.ts";
import { iso } from "../time.ts";
import { type Doubt, steadyClock, type TimeSources } from "./steady-clock.ts";

/** Pause between two questions to the other sources. */
const PAUSE_MS = 60_000;
/** By how much a source that agrees may differ. */
const WITHIN_MS = 3_600_000;
const RETRY_AFTER_S = 30;

type Options = Omit<TimeSources, "onStep"> & { others: readonly TimeSource[]; log: Log };

/** The service's clock, and the sources asked before a step too large to trust is followed. */
export function createTimekeeper({ others, log, ...sources }: Options) {
  const clock = steadyClock({
    ...sources,
    onStep(byMs, isFollowed) {
      const message = "the system clock stepped; the step is followed once it persists";
      log.warn({ byMs, isFollowed }, message);
    },
  });
  const names = [...others.map(({ name }) => name), "the operator (CLOCK_TRUSTED=on)"];
  const sentence = ({ wall, expected }: Doubt) =>
    `The system clock says ${iso(wall)} where ${iso(expected)} was expected: reads, expiry and dating wait until ` +
    `one of these agrees with it: ${names.join(", ")}.`;

  let nextAt = Number.NEGATIVE_INFINITY;

  return {
    now: clock.now,
    resume: clock.resume,
    waitsFor(): string | null {
      const doubt = clock.doubt();
      return doubt && sentence(doubt);
    },
    /** Asks the other sources for the time if the system clock is in doubt, once a minute at most. Never rejects. */
    async askOthers(signal: AbortSignal): Promise<void> {
      if (!clock.doubt() || sources.elapsed() < nextAt) return;
      nextAt = sources.elapsed() + PAUSE_MS;
      const answers = await Promise.all(
        others.map(async ({ name, ask }) => ({ name, date: await ask(signal) })),
      );
      const doubt = clock.doubt();
      if (signal.aborted || !doubt) return;
      const agreeing = answers.find(
        ({ date }) => date !== null && Math.abs(date - doubt.wall) <= WITHIN_MS,
      );
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
