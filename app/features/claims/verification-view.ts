import type { Diagnosis, ExplainedDiagnosis } from "@deed/dns/verdict/diagnosis.ts";
import { secondsRemaining } from "@deed/dns/verdict/proof.ts";
import { sentencesFor } from "@deed/dns/words/diagnoses/diagnoses.ts";
import type { RecordLocation } from "@deed/dns/words/providers.ts";
import { iso, isoOrNull } from "#app/core/time.ts";
import type { Attempt, Verification, WaitEstimate } from "#app/features/claims/resources.ts";
import { registryOf } from "#app/features/zones/registry/registrations.server.ts";
import type { Db, Tx } from "#db/client.ts";
import { type attempts, verifications } from "#db/schema.ts";
import type { ClaimRow, ClaimRows, VerificationRow } from "./transition.ts";

/** The columns of a verification that say what its claim needs. */
export const outstandingColumns = {
  diagnosis: verifications.diagnosis,
  waitReason: verifications.waitReason,
  waitUntil: verifications.waitUntil,
  waitObserved: verifications.waitObserved,
  nextRunAt: verifications.nextRunAt,
  zone: verifications.zone,
  provider: verifications.provider,
};
type Outstanding = {
  claim: Pick<ClaimRow, "challengeLabel" | "name" | "token">;
  verification: Pick<VerificationRow, keyof typeof outstandingColumns>;
};

/** Where the claim's record is edited, as far as its reads have shown. */
export const recordLocation = ({ claim, verification }: Outstanding): RecordLocation => ({
  label: claim.challengeLabel,
  domain: claim.name,
  token: claim.token,
  zone: verification.zone,
  provider: verification.provider ?? "other",
});

export function toDiagnosis(stored: string | null, pair: Outstanding): ExplainedDiagnosis | null {
  if (stored === null) return null;
  const diagnosis: Diagnosis = JSON.parse(stored);
  return { ...diagnosis, ...sentencesFor(diagnosis, recordLocation(pair)) };
}

/** A diagnosis for a hand-off, without the name of the account's other domain. */
export function withoutOtherDomains(
  diagnosis: ExplainedDiagnosis,
  place: RecordLocation,
): ExplainedDiagnosis {
  if (diagnosis.code !== "foreign_token" || diagnosis.observed.domain === undefined)
    return diagnosis;
  const { domain: _, ...observed } = diagnosis.observed;
  const known = { code: diagnosis.code, awaits: diagnosis.awaits, observed };
  return { ...known, ...sentencesFor(known, place) };
}

/** Remaining time as of `now`; an ended verification has none. */
export function toWaitEstimate(
  verification: Outstanding["verification"],
  now: number,
): WaitEstimate | null {
  const { waitReason: reason, waitUntil, waitObserved, nextRunAt } = verification;
  if (reason === null || waitUntil === null) return null;
  return {
    reason,
    secondsRemaining: nextRunAt === null ? 0 : secondsRemaining(waitUntil, now),
    ...(waitObserved !== null && { observed: JSON.parse(waitObserved) }),
  };
}

/** The diagnosis or the wait of a claim as of `now`; both null once it is proved. */
export const toOutstanding = (
  pair: Outstanding,
  now: number,
): Pick<Verification, "diagnosis" | "waitEstimate"> => ({
  diagnosis: toDiagnosis(pair.verification.diagnosis, pair),
  waitEstimate: toWaitEstimate(pair.verification, now),
});

/** `handle`: where what the registry said is read. */
export function toVerification(handle: Db | Tx, pair: ClaimRows, now: number): Verification {
  const { verification } = pair;
  return {
    id: verification.id,
    claimId: verification.claimId,
    method: "dns_txt",
    status: verification.status,
    lastOutcome: verification.lastOutcome,
    ...toOutstanding(pair, now),
    registry: registryOf(handle, pair, now),
    lastRunAt: isoOrNull(verification.lastRunAt),
    nextRunAt: isoOrNull(verification.nextRunAt),
    deadline: iso(verification.deadline),
    createdAt: iso(verification.createdAt),
  };
}

export const toAttempt = (attempt: typeof attempts.$inferSelect, pair: ClaimRows): Attempt => ({
  id: attempt.id,
  trigger: attempt.trigger,
  outcome: attempt.outcome,
  diagnosis: toDiagnosis(attempt.diagnosis, pair),
  latencyMs: attempt.latencyMs,
  at: iso(attempt.at),
});
