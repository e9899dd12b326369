import { nextRead } from "#app/features/claims/transition.ts";
import type { Reading } from "./read.ts";

type Following = {
  read: (signal: AbortSignal) => Promise<Reading>;
  /** Called after each read. `nextAt`: when the next is due, epoch milliseconds; null after the last. */
  onRead: (reading: Reading, nextAt: number | null) => void;
  /** Resolves at an epoch millisecond, or once `signal` aborts. */
  waitUntil: (at: number, signal: AbortSignal) => Promise<void>;
  isLast: (reading: Reading) => boolean;
  clock: () => number;
  /** Uniform in [0, 1). */
  random: () => number;
};

/**
 * Reads until a reading is the last or `signal` aborts, at the times at which the service reads a claim opened now.
 * Resolves to the last reading; null if there was none.
 */
export async function follow(
  { read, onRead, waitUntil, isLast, clock, random }: Following,
  signal: AbortSignal,
): Promise<Reading | null> {
  const createdAt = clock();
  let last: Reading | null = null;
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
    const { decision, evidence } = reading;
    failures = decision.outcome === "unresolvable" ? failures + 1 : 0;
    const wait = decision.outcome === "absent" ? decision.wait : null;
    const nextAt = nextRead(
      {
        createdAt,
        deadline: Number.POSITIVE_INFINITY,
        lastRunAt: evidence.at,
        waitReason: wait?.reason ?? null,
        waitUntil: wait?.until ?? null,
        failures,
        fastUntil: null,
        secondReadAt: reading.secondReadAt,
      },
      clock(),
      random(),
    );
    onRead(reading, nextAt);
    await waitUntil(nextAt, signal);
  }
  return last;
}
