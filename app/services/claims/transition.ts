import type { Progress } from "#app/dns/verdict/decide.ts";
import type { Decision } from "#app/dns/verdict/diagnosis.ts";
import type { claims } from "#db/schema.ts";
import { DAY, notBefore } from "../time.ts";
import { nextRead, openFastReads, type VerificationRow } from "./schedule.ts";

export type ClaimRow = typeof claims.$inferSelect;

export type ClaimEvent =
  /** A read that ended inside the window. `startedAt` and `endedAt` are epoch milliseconds. */
  | {
      type: "read";
      decision: Decision;
      progress: Partial<Progress>;
      startedAt: number;
      endedAt: number;
      forced: boolean;
    }
  | { type: "deadline" }
  | { type: "cancel" };

/** The columns an event changes in both rows. */
export type Transition = { claim: Partial<ClaimRow>; verification: Partial<VerificationRow> };

const NO_WAIT = { waitReason: null, waitUntil: null, waitObserved: null } as const;
const ENDED = { nextRunAt: null, runId: null, runUntil: null } as const;

/** Days after opening at which an unproved claim gets a notice: two nudges, then "expiring". */
export const EXPIRING_DAY = 6;
const NOTICE_DAYS = [1, 3, EXPIRING_DAY] as const;

/** When the next timed notice of a claim is due after `now`; null after the last. */
export const nextNotice = (createdAt: number, now: number): number | null =>
  NOTICE_DAYS.map((days) => createdAt + days * DAY).find((at) => at > now) ?? null;

type Read = Extract<ClaimEvent, { type: "read" }>;

type Finding = Pick<VerificationRow, "failures"> &
  Partial<
    Pick<VerificationRow, "status" | "diagnosis" | "waitReason" | "waitUntil" | "waitObserved">
  >;

/** Status, diagnosis and wait after a read that proved nothing. Fields left out stay unchanged. */
function finding(
  before: VerificationRow,
  decision: Exclude<Decision, { outcome: "found" }>,
): Finding {
  if (decision.outcome === "unresolvable") {
    const first = before.waitReason === "first_check";
    return { failures: before.failures + 1, ...(first && { waitReason: "retry" as const }) };
  }
  const { diagnosis, wait } = decision;
  return wait
    ? {
        status: "propagating" as const,
        diagnosis: null,
        waitReason: wait.reason,
        waitUntil: wait.until,
        waitObserved:
          wait.reason === "nameserver_sync" && wait.observed ? JSON.stringify(wait.observed) : null,
        failures: 0,
      }
    : {
        status: "needs_attention" as const,
        diagnosis: JSON.stringify(diagnosis),
        ...NO_WAIT,
        failures: 0,
      };
}

/** A read that saw no delegation keeps what is already known about the zone. */
const kept = (
  before: VerificationRow,
  { serials, ...progress }: Partial<Progress>,
): Partial<VerificationRow> => ({
  ...progress,
  ...(serials && { serials: JSON.stringify(serials) }),
  zone: progress.zone ?? before.zone,
  provider: progress.provider ?? before.provider,
});

function afterRead(before: VerificationRow, read: Read, random: number): Transition {
  const { decision, progress, startedAt, endedAt, forced } = read;
  const seen = { lastOutcome: decision.outcome, lastRunAt: startedAt, runId: null, runUntil: null };
  if (decision.outcome === "found") {
    return {
      claim: {
        state: "proved",
        // If the clock went back meanwhile, the proof must not be dated before its claim.
        endedAt: Math.max(endedAt, before.createdAt),
        provider: progress.provider ?? before.provider,
        nextNoticeAt: null,
      },
      verification: {
        ...seen,
        ...kept(before, progress),
        ...ENDED,
        status: "proved",
        diagnosis: null,
        ...NO_WAIT,
        failures: 0,
      },
    };
  }
  const found = finding(before, decision);
  const fast = forced ? openFastReads(before, endedAt) : null;
  const { waitReason = before.waitReason, waitUntil = before.waitUntil, failures } = found;
  const { fastUntil } = fast ?? before;
  const secondReadAt =
    decision.outcome === "absent" ? (progress.secondReadAt ?? null) : before.secondReadAt;
  const { createdAt, deadline } = before;
  const planned = nextRead(
    {
      createdAt,
      deadline,
      lastRunAt: startedAt,
      waitReason,
      waitUntil,
      failures,
      fastUntil,
      secondReadAt,
    },
    endedAt,
    random,
  );
  const standing =
    before.nextRunAt !== null && before.nextRunAt > endedAt ? before.nextRunAt : null;
  const nextRunAt = Math.min(standing ?? planned, planned);
  return {
    claim: {},
    verification: {
      ...seen,
      ...(decision.outcome === "absent" && kept(before, progress)),
      ...found,
      ...fast,
      nextRunAt,
      ...(waitReason === "retry" && { waitUntil: nextRunAt }),
    },
  };
}

/**
 * Applies an event to an open claim and its verification. `now` is epoch milliseconds, `random` uniform in [0, 1). A
 * verification that ends without proof keeps its last diagnosis or wait.
 */
export function transition(
  verification: VerificationRow,
  claim: ClaimRow,
  event: ClaimEvent,
  now: number,
  random: number,
): Transition {
  switch (event.type) {
    case "read":
      return afterRead(verification, event, random);
    case "deadline":
      return {
        claim: { state: "expired", endedAt: claim.expiresAt, nextNoticeAt: null },
        verification: { ...ENDED, status: "exhausted" },
      };
    case "cancel":
      return {
        claim: { state: "canceled", endedAt: notBefore(claim.createdAt, now), nextNoticeAt: null },
        verification: { ...ENDED, status: "stopped" },
      };
  }
}
