import type { Verdict } from "@deed/dns";
import { nextRead } from "#app/features/claims/transition.ts";

/** What the next read depends on. */
type Told = { verdict: Pick<Verdict, "outcome" | "wait" | "evidence"> };

type Following<R extends Told> = {
  read: (signal: AbortSignal) => Promise<R>;
  /** `nextAt`: when the next is due, epoch milliseconds; null after the last. */
  onRead: (reading: R, nextAt: number | null) => void;
  /** Resolves at an epoch millisecond, or once `signal` aborts. */
  waitUntil: (at: number, signal: AbortSignal) => Promise<void>;
  isLast: (reading: R) => boolean;
  clock: () => number;
  random: () => number;
};

/** At the times at which the service reads a claim opened now. Null if there was no reading. */
export async function follow<R extends Told>(
  { read, onRead, waitUntil, isLast, clock, random }: Following<R>,
  signal: AbortSignal,
): Promise<R | null> {
  const createdAt = clock();
  let last: R | null = null;
  let failures = 0;
  while (!signal.aborted) {
    const reading = await read(signal).catch((error: unknown) => {
      if (signal.aborted) return null;
      throw error;
    });
    if (reading === null) break;
    last = reading;
    if (isLast(reading)) {
      onRead(reading, null);
      break;
    }
    const { outcome, wait, evidence } = reading.verdict;
    failures = outcome === "unresolvable" ? failures + 1 : 0;
    const nextAt = nextRead(
      {
        createdAt,
        deadline: Number.POSITIVE_INFINITY,
        lastRunAt: evidence.seen.at,
        waitReason: wait?.reason ?? null,
        waitUntil: wait?.until ?? null,
        failures,
        fastUntil: null,
      },
      clock(),
      random(),
    );
    onRead(reading, nextAt);
    const { secondReadAt } = evidence.progress;
    const isBefore = secondReadAt !== null && secondReadAt > evidence.seen.at;
    await waitUntil(isBefore ? Math.min(nextAt, secondReadAt) : nextAt, signal);
  }
  return last;
}
