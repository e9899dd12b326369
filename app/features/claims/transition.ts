import type { Progress } from "@deed/dns/verdict/decide.ts";
import type { Decision } from "@deed/dns/verdict/diagnosis.ts";
import { DAY, HOUR, MINUTE, notBefore, SECOND } from "#app/core/time.ts";
import type { claims, verifications } from "#db/schema.ts";

export type VerificationRow = typeof verifications.$inferSelect;

export const WINDOW_MS = 7 * DAY;
export const READ_TIMEOUT_MS = 22 * SECOND;
/** How long a read leases its verification: longer than any read, short enough to wait out after a crash. */
export const LEASE_MS = 25 * SECOND;
/** How long before the end of its window a claim's last read starts: long enough for a read. */
export const DEADLINE_LEAD_MS = 30 * SECOND;
export const FIRST_READ_AFTER_MS = 10 * SECOND;
/** How long reads stay fast after a forced run, or after a call that says that somebody waits. */
export const FAST_FOR_MS = 10 * MINUTE;
/** Fast time per day, apart from the first minutes that are fast for every claim. */
export const FAST_PER_DAY_MS = HOUR;
/** An extension of the fast time by less than this is not worth a write. */
const MIN_FAST_MS = 30 * SECOND;

const MAX_DOUBLINGS = 3;
const JITTER = 0.1;
export const FASTEST_MS = 15 * SECOND;
/** Replaces the fastest interval while glances show changes. */
export const GLANCED_MS = MINUTE;
const ALWAYS_FAST_MS = 10 * MINUTE;

const INTERVALS: readonly (readonly [age: number, interval: number])[] = [
  [HOUR, MINUTE],
  [6 * HOUR, 5 * MINUTE],
  [DAY, 15 * MINUTE],
];
const SLOWEST_INTERVAL_MS = HOUR;

/** Returns the milliseconds between slow reads, before jitter and failures. An age is negative if the clock went back. */
const intervalAt = (age: number): number =>
  INTERVALS.find(([maxAge]) => Math.abs(age) < maxAge)?.[1] ?? SLOWEST_INTERVAL_MS;

type TimingColumn = "createdAt" | "deadline" | "lastRunAt" | "waitReason" | "waitUntil";
export type Timing = Pick<VerificationRow, TimingColumn | "failures" | "fastUntil"> & {
  waitObserved?: string | null;
  askableFrom?: number | null | undefined;
  isGlanced?: boolean;
};

const isFast = ({ createdAt, fastUntil }: Pick<Timing, "createdAt" | "fastUntil">, now: number) =>
  Math.abs(now - createdAt) < ALWAYS_FAST_MS || (fastUntil !== null && now < fastUntil);

/** Whether glances may show a change: not while the claim only waits for a resolver's cache. */
export const mayGlance = (verification: Timing, now: number): boolean =>
  isFast(verification, now) &&
  !(verification.waitReason === "negative_cache" && now < (verification.waitUntil ?? 0));

/** Returns the time of the next read: at the latest that of the deadline read, and after it the deadline. */
export function nextRead(verification: Timing, now: number, random: number): number {
  const { createdAt, deadline, lastRunAt, waitReason, waitUntil } = verification;
  const { failures, askableFrom, isGlanced, waitObserved } = verification;
  const lastRead = deadline - DEADLINE_LEAD_MS;
  if (now >= lastRead) return deadline;
  if (lastRunAt === null) return Math.min(createdAt + FIRST_READ_AFTER_MS, lastRead);

  const fastest = isGlanced && waitReason !== "negative_cache" ? GLANCED_MS : FASTEST_MS;
  const base = isFast(verification, now) ? fastest : intervalAt(now - createdAt);
  const interval = base * 2 ** Math.min(failures, MAX_DOUBLINGS);
  const jittered = now + Math.round(interval * (1 - JITTER + 2 * JITTER * random));
  // A lagging nameserver may catch up at any minute; a cached answer lasts until it expires, up to a second longer. How
  // long a resolver keeps a delegation is not known.
  const hasKnownEnd = waitReason === "negative_cache" && !waitObserved?.includes('"held":');
  const isCached = hasKnownEnd && waitUntil !== null && waitUntil > now;
  const expired = (waitUntil ?? 0) + SECOND + Math.round(FASTEST_MS * JITTER * random);
  const planned = isCached ? Math.max(expired, now + FASTEST_MS / 2) : jittered;
  return Math.min(Math.max(planned, askableFrom ?? 0), lastRead);
}

type FastReads = Pick<VerificationRow, "createdAt" | "fastUntil" | "fastDay" | "fastMs">;

/** Makes reads after `now` fast, within the budget of the day (UTC). Null if that is used up, or if they are fast already. */
export function extendFast({ createdAt, fastUntil, fastDay, fastMs }: FastReads, now: number) {
  const day = Math.floor(now / DAY);
  const usedMs = fastDay === day ? fastMs : 0;
  const from = Math.max(now, fastUntil ?? 0, createdAt + ALWAYS_FAST_MS);
  const addedMs = Math.min(now + FAST_FOR_MS - from, FAST_PER_DAY_MS - usedMs);
  if (addedMs < MIN_FAST_MS) return null;
  return { fastUntil: from + addedMs, fastDay: day, fastMs: usedMs + addedMs };
}

/** Plans the next read of a claim that somebody waits for a minute after the last. Null if that changes nothing. */
export function afterWaitingNoted(before: VerificationRow, now: number, random: number) {
  const fast = extendFast(before, now);
  if (!fast || before.lastRunAt === null || before.nextRunAt === null) return null;
  const planned = nextRead({ ...before, ...fast, isGlanced: true }, before.lastRunAt, random);
  const nextRunAt = Math.min(before.nextRunAt, Math.max(now, planned));
  return { ...fast, nextRunAt, ...(before.waitReason === "retry" && { waitUntil: nextRunAt }) };
}

export type ClaimRow = typeof claims.$inferSelect;

export type ClaimRows = { claim: ClaimRow; verification: VerificationRow };

/** The result of a read that ended within the window. `startedAt` and `endedAt` are epoch milliseconds. */
export type Read = {
  decision: Decision;
  progress: Partial<Progress>;
  startedAt: number;
  endedAt: number;
  forced: boolean;
  /** If port 53 is shut, the time before which no resolver may be asked. */
  askableFrom?: number | null;
  isGlanced?: boolean;
};

export type Transition = { claim: Partial<ClaimRow>; verification: Partial<VerificationRow> };

const NO_WAIT = { waitReason: null, waitUntil: null, waitObserved: null } as const;
const ENDED_COLUMNS = { nextRunAt: null, runId: null, runUntil: null } as const;

/** An unproved claim gets notices on these days after its opening: two nudges, then "expiring" on this one. */
export const EXPIRING_DAY = 6;
const NOTICE_DAYS = [1, 3, EXPIRING_DAY] as const;

/** Returns when the next timed notice of a claim is due after `now`; null after the last one. */
export const nextNotice = (createdAt: number, now: number): number | null =>
  NOTICE_DAYS.map((days) => createdAt + days * DAY).find((at) => at > now) ?? null;

/** Returns status, diagnosis and wait after a read without a proof. Fields left out stay unchanged. */
function afterMiss(
  before: VerificationRow,
  decision: Exclude<Decision, { outcome: "found" }>,
): Partial<VerificationRow> & Pick<VerificationRow, "failures"> {
  if (decision.outcome === "unresolvable") {
    const isFirst = before.waitReason === "first_check";
    return { failures: before.failures + 1, ...(isFirst && { waitReason: "retry" }) };
  }
  const { diagnosis: found, wait } = decision;
  if (!wait)
    return { status: "needs_attention", diagnosis: JSON.stringify(found), ...NO_WAIT, failures: 0 };
  const waitDetails =
    wait.reason === "nameserver_sync"
      ? wait.observed
      : (wait.unasked || wait.held) && { unasked: wait.unasked, held: wait.held };
  return {
    status: "propagating",
    diagnosis: null,
    waitReason: wait.reason,
    waitUntil: wait.until,
    waitObserved: waitDetails ? JSON.stringify(waitDetails) : null,
    failures: 0,
  };
}

/** Keeps what is known of the zone after a read without a delegation. Moves a second read to the deadline at the latest. */
const keep = (before: VerificationRow, progress: Partial<Progress>): Partial<VerificationRow> => ({
  ...progress,
  ...((progress.waitUntil ?? 0) > before.deadline && { secondReadAt: before.deadline }),
  zone: progress.zone ?? before.zone,
  provider: progress.provider ?? before.provider,
});

/** Applies a read to an open claim and its verification. `random` is uniform in [0, 1). */
export function afterRead(before: VerificationRow, read: Read, random: number): Transition {
  const { decision, progress, startedAt, endedAt, forced, askableFrom, isGlanced = false } = read;
  const base = { lastOutcome: decision.outcome, lastRunAt: startedAt, runId: null, runUntil: null };
  if (decision.outcome === "found") {
    return {
      claim: {
        state: "proved",
        // If the clock went back meanwhile, the proof must not be older than its claim.
        endedAt: Math.max(endedAt, before.createdAt),
        provider: progress.provider ?? before.provider,
        nextNoticeAt: null,
      },
      verification: {
        ...base,
        ...keep(before, progress),
        ...ENDED_COLUMNS,
        status: "proved",
        diagnosis: null,
        ...NO_WAIT,
        failures: 0,
      },
    };
  }
  const missColumns = afterMiss(before, decision);
  const fast = forced ? extendFast(before, endedAt) : null;
  const { waitReason = before.waitReason, waitUntil = before.waitUntil, failures } = missColumns;
  const { waitObserved = before.waitObserved } = missColumns;
  const { fastUntil } = fast ?? before;
  const waitColumns = { waitReason, waitUntil, waitObserved };
  const after = { ...waitColumns, failures, fastUntil, askableFrom, isGlanced };
  const planned = nextRead({ ...before, ...after, lastRunAt: startedAt }, endedAt, random);
  const plannedBefore = Math.max(before.nextRunAt ?? 0, askableFrom ?? 0);
  // A read that a glance started replaces the next one.
  const keepsPlan = plannedBefore > endedAt && (forced || !isGlanced);
  const nextRunAt = keepsPlan ? Math.min(plannedBefore, planned) : planned;
  return {
    claim: {},
    verification: {
      ...base,
      ...(decision.outcome === "absent" && keep(before, progress)),
      ...missColumns,
      ...fast,
      nextRunAt,
      ...(waitReason === "retry" && { waitUntil: nextRunAt }),
    },
  };
}

/** After its deadline a claim can only expire, at `now` in epoch milliseconds. Keeps the last diagnosis or wait. */
export function endOf(claim: ClaimRow, ending: "expired" | "canceled", now: number): Transition {
  if (ending === "expired" || now >= claim.expiresAt)
    return {
      claim: { state: "expired", endedAt: claim.expiresAt, nextNoticeAt: null },
      verification: { ...ENDED_COLUMNS, status: "exhausted" },
    };
  return {
    claim: { state: ending, endedAt: notBefore(claim.createdAt, now), nextNoticeAt: null },
    verification: { ...ENDED_COLUMNS, status: "stopped" },
  };
}
