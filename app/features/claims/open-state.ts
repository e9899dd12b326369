import type { Diagnosis } from "@deed/dns/verdict/diagnosis.ts";
import type { Verification } from "#app/core/resources.ts";
import { HOUR } from "#app/core/time.ts";

/** The state of an open claim as people are shown it. The API's `status` is that of its last read alone. */
export type OpenState = "waiting_for_record" | "waiting_for_dns" | "needs_you";

/** How long a missing record is nobody's mistake, counted from the opening of its claim; in milliseconds. */
export const GRACE_MS = HOUR;

/** Whether a read saw nothing but the absence of the record: no near miss, no other value, no failing server. */
export function isPlainAbsence(diagnosis: Pick<Diagnosis, "code" | "observed">): boolean {
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

/**
 * Decides how an open claim is shown. `wasSeen`: an earlier read saw more than the absence of its record. `createdAt`
 * is the claim's, `now` is the time of the request; both are instants as the contract writes them.
 */
export function openState(
  {
    status,
    diagnosis,
    createdAt,
    wasSeen,
  }: {
    status: Verification["status"];
    diagnosis: Pick<Diagnosis, "code" | "observed"> | null;
    createdAt: string;
    wasSeen: boolean;
  },
  now: string,
): OpenState {
  if (status === "propagating") return "waiting_for_dns";
  const isFresh = !wasSeen && Date.parse(now) - Date.parse(createdAt) < GRACE_MS;
  if (isFresh && (diagnosis === null || isPlainAbsence(diagnosis))) return "waiting_for_record";
  return diagnosis === null ? "waiting_for_dns" : "needs_you";
}
