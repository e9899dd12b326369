import type { Diagnosis } from "@deed/dns/verdict/diagnosis.ts";
import { headlineOf } from "@deed/dns/words/diagnoses/diagnoses.ts";
import { and, eq, isNull } from "drizzle-orm";
import type { Context } from "#app/core/context.server.ts";
import { HOUR } from "#app/core/time.ts";
import { attempts } from "#db/schema.ts";
import type { Verification } from "./resources.ts";

/** The state of an open claim as people see it. The API's `status` is only that of its last read. */
export type OpenState = "waiting_for_record" | "waiting_for_dns" | "confirming" | "needs_you";

type DiagnosisFact = Pick<Diagnosis, "code" | "observed">;
type Pending = Pick<Verification, "waitEstimate" | "createdAt"> & {
  diagnosis: (DiagnosisFact & Pick<Diagnosis, "awaits">) | null;
  registry?: { fix: string | null } | null;
};

/** Whether a read found only that the record is missing: no near miss, no other value, no failing server. */
export function isOnlyAbsent(diagnosis: DiagnosisFact): boolean {
  const { code, observed } = diagnosis as Diagnosis;
  switch (code) {
    case "record_absent":
      return observed.nearMiss === null;
    case "not_published":
      return observed.publishedOn.length === 0 && observed.resolvers === undefined;
    case "no_matching_record":
      return observed.wildcard;
    default:
      return false;
  }
}

/** Whether a missing record is all that is wrong. On a parked domain, nobody can add one. */
export const isPlainAbsence = (diagnosis: DiagnosisFact): boolean =>
  isOnlyAbsent(diagnosis) && !("parked" in diagnosis.observed);

export const NO_RECORD = "no record yet";

/** Says what is wrong, in the words of the card's title. */
export const causeOf = (diagnosis: DiagnosisFact): string =>
  isOnlyAbsent(diagnosis) ? NO_RECORD : headlineOf(diagnosis as Diagnosis);

/** Returns the state of an open claim. `wasSeen` tells whether an earlier read saw more than a missing record. */
export function openState(
  { waitEstimate, diagnosis, registry, createdAt, wasSeen }: Pending & { wasSeen: () => boolean },
  now: number,
): OpenState {
  if (waitEstimate?.reason === "first_check") return "waiting_for_record";
  if (waitEstimate) return waitEstimate.observed?.secondRead ? "confirming" : "waiting_for_dns";
  const isAbsent = diagnosis === null || (isPlainAbsence(diagnosis) && !registry?.fix);
  // In the claim's first hour, a missing record is not a mistake.
  if (isAbsent && now - Date.parse(createdAt) < HOUR && !wasSeen()) return "waiting_for_record";
  const needsOnlyTime = diagnosis === null || (diagnosis.awaits === "resolvers" && !registry?.fix);
  return needsOnlyTime ? "waiting_for_dns" : "needs_you";
}

export function openStateOf({ db, clock }: Context, verification: Pending & { id: string }) {
  const { verificationId, outcome, sameAs } = attempts;
  const wasSeen = () =>
    db
      .selectDistinct({ diagnosis: attempts.diagnosis })
      .from(attempts)
      .where(and(eq(verificationId, verification.id), eq(outcome, "absent"), isNull(sameAs)))
      .all()
      .some(({ diagnosis }) => diagnosis === null || !isPlainAbsence(JSON.parse(diagnosis)));
  return openState({ ...verification, wasSeen }, clock());
}
