/** Between which instants, epoch milliseconds, somebody says that now lies. */
export type Said = { from: number; to: number };

/** Others who know what time it is. */
export type TimeSource = {
  /** As the log and the health page name it. */
  name: string;
  /** What each of those asked says; null where it says nothing. Never rejects; over once `signal` aborts. */
  ask(signal: AbortSignal): Promise<(Said | null)[]>;
};

const WITHIN_MS = 3_600_000;

/** Whether a majority of those asked agree with a clock, each to within an hour. */
export function agreesWith(now: number, said: readonly (Said | null)[]): boolean {
  const agreeing = said.filter(
    (one) => one && now >= one.from - WITHIN_MS && now <= one.to + WITHIN_MS,
  );
  return agreeing.length * 2 > said.length;
}
