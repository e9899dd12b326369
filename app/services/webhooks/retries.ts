import { HOUR, MINUTE, SECOND } from "../time.ts";

/** After each failed try, as the specification advises: ten tries within 75 hours and 35 minutes. */
const AFTER_MS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const;
const JITTER = 0.1;

/**
 * Milliseconds until the next try after `tries` failed ones, at least `asked`; null if that was the last. `random` is
 * uniform in [0, 1).
 */
export function nextTry(tries: number, asked: number, random: number): number | null {
  const wait = AFTER_MS[tries - 1];
  if (wait === undefined) return null;
  return Math.max(Math.round(wait * (1 - JITTER + 2 * JITTER * random)), asked);
}
