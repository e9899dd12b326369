import type { verifications } from "#db/schema.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../time.ts";

export type VerificationRow = typeof verifications.$inferSelect;

/** How long a claim stays open. */
export const WINDOW_MS = 7 * DAY;
/** The longest a read may take before it counts as failed. */
export const READ_TIMEOUT_MS = 22 * SECOND;
/** How long a read leases its verification: longer than any read, short enough to wait out after a crash. */
export const LEASE_MS = 25 * SECOND;
/** How long before the window closes the deadline read starts: enough for a read. */
export const DEADLINE_LEAD_MS = 30 * SECOND;
/** The time that must be left for a second read, which comes up to this long after the first. */
const LATEST_SECOND_READ_MS = 5 * MINUTE;
export const FIRST_READ_AFTER_MS = 30 * SECOND;
/** After a forced run, reads come every minute for this long, at most this many times a day. */
export const FAST_FOR_MS = 10 * MINUTE;
export const FAST_PER_DAY = 3;

const MAX_DOUBLINGS = 3;
const JITTER = 0.1;
const FASTEST_MS = MINUTE;

/** [claim age up to which it applies, interval between reads] */
const STEPS: readonly (readonly [age: number, interval: number])[] = [
  [10 * MINUTE, FASTEST_MS],
  [HOUR, 5 * MINUTE],
  [6 * HOUR, 15 * MINUTE],
  [DAY, 30 * MINUTE],
];
const SLOWEST_MS = HOUR;

/** Milliseconds between reads at this claim age, before jitter and failures. Negative if the clock went back. */
export const intervalAt = (age: number): number =>
  STEPS.find(([below]) => Math.abs(age) < below)?.[1] ?? SLOWEST_MS;

export type Timing = Pick<
  VerificationRow,
  | "createdAt"
  | "deadline"
  | "lastRunAt"
  | "waitReason"
  | "waitUntil"
  | "failures"
  | "fastUntil"
  | "secondReadAt"
>;

/**
 * When the next read is due, epoch milliseconds: at the latest the deadline read, and after that the deadline itself,
 * when the window closes. `random` is uniform in [0, 1).
 */
export function nextRead(verification: Timing, now: number, random: number): number {
  const { createdAt, deadline, lastRunAt, waitReason, waitUntil, failures, fastUntil } =
    verification;
  const { secondReadAt } = verification;
  if (secondReadAt !== null && secondReadAt > now)
    return now + LATEST_SECOND_READ_MS > deadline ? deadline : secondReadAt;
  const lastRead = deadline - DEADLINE_LEAD_MS;
  if (now >= lastRead) return deadline;
  if (lastRunAt === null) return Math.min(createdAt + FIRST_READ_AFTER_MS, lastRead);

  const base = fastUntil !== null && now < fastUntil ? FASTEST_MS : intervalAt(now - createdAt);
  const interval = base * 2 ** Math.min(failures, MAX_DOUBLINGS);
  const jittered = now + Math.round(interval * (1 - JITTER + 2 * JITTER * random));
  // A negative cache entry lasts until it expires; a lagging nameserver may sync at any minute.
  const useful =
    waitReason === "negative_cache" && waitUntil !== null
      ? waitUntil + Math.round(base * JITTER * random)
      : 0;
  return Math.min(Math.max(jittered, useful), lastRead);
}

export type FastReads = Pick<VerificationRow, "fastUntil" | "fastDay" | "fastCount">;

/** Fast minutes after a forced run: opens ten of them, at most three times a day (UTC). */
export function openFastReads(
  { fastUntil, fastDay, fastCount }: FastReads,
  now: number,
): FastReads {
  const day = Math.floor(now / DAY);
  const used = fastDay === day ? fastCount : 0;
  if (used >= FAST_PER_DAY) return { fastUntil, fastDay, fastCount };
  return { fastUntil: now + FAST_FOR_MS, fastDay: day, fastCount: used + 1 };
}
