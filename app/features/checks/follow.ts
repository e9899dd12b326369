import type { Verdict } from "@deed/dns";
import type { Context } from "#app/core/context.server.ts";
import { nextRead } from "#app/features/claims/transition.ts";

/** The facts that the time of the next read depends on. `at` is when the last read began. */
export type LastRead = Pick<Verdict, "outcome" | "wait"> & {
  at: number;
  secondReadAt: number | null;
};

/** Times are epoch milliseconds. `nextAt` is null after the last read; `isGlanced`: glances show changes before then. */
type Following<R> = {
  read: (signal: AbortSignal) => Promise<R>;
  lastReadOf: (reading: R) => LastRead;
  onRead: (reading: R, nextAt: number | null) => void;
  waitUntil: (at: number, signal: AbortSignal) => Promise<void>;
  isLast: (reading: R) => boolean;
  isGlanced?: () => boolean;
} & Pick<Context, "clock" | "random">;

/** Reads at the same times as for a claim opened now. Returns the last reading; null if no read succeeded. */
export async function follow<R>(following: Following<R>, signal: AbortSignal): Promise<R | null> {
  const { onRead, clock, random } = following;
  const createdAt = clock();
  let lastReading: R | null = null;
  let failures = 0;
  while (!signal.aborted) {
    const reading = await following.read(signal).catch((error: unknown) => {
      if (signal.aborted) return null;
      throw error;
    });
    if (reading === null) break;
    lastReading = reading;
    if (following.isLast(reading)) {
      onRead(reading, null);
      break;
    }
    const { outcome, wait, at, secondReadAt } = following.lastReadOf(reading);
    failures = outcome === "unresolvable" ? failures + 1 : 0;
    const nextAt = nextRead(
      {
        createdAt,
        deadline: Number.POSITIVE_INFINITY,
        lastRunAt: at,
        waitReason: wait?.reason ?? null,
        waitUntil: wait?.until ?? null,
        failures,
        fastUntil: null,
        isGlanced: following.isGlanced?.() ?? false,
      },
      clock(),
      random(),
    );
    onRead(reading, nextAt);
    const hasSecondRead = secondReadAt !== null && secondReadAt > at;
    await following.waitUntil(hasSecondRead ? Math.min(nextAt, secondReadAt) : nextAt, signal);
  }
  return lastReading;
}
