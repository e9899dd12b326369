/** Interval that contains the current time according to a source, epoch milliseconds. */
export type TimeInterval = { from: number; to: number };

/** An external source of the current time. */
export type TimeSource = {
  /** Name in the log and on the health page. */
  name: string;
  /** The answer of each server asked; null if it gave none. Never rejects; ends when `signal` aborts. */
  ask(signal: AbortSignal): Promise<(TimeInterval | null)[]>;
};

const WITHIN_MS = 3_600_000;

/** Whether a majority of the servers asked agree with a clock to within an hour. */
export function agreesWith(now: number, intervals: readonly (TimeInterval | null)[]): boolean {
  const agreeing = intervals.filter(
    (one) => one && now >= one.from - WITHIN_MS && now <= one.to + WITHIN_MS,
  );
  return agreeing.length * 2 > intervals.length;
}
