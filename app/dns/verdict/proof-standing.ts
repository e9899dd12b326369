import type { History } from "./diagnosis.ts";
import type { Observation, ServerReading } from "./observation.ts";
import {
  hasToken,
  isAnswered,
  isUnanswered,
  isUnasked,
  majorityOf,
  namedAgainst,
  publicationStatusOf,
  witnessVerdictOf,
} from "./publication-status.ts";
import { zoneFaultOf } from "./zone-fault.ts";

const MINUTE_MS = 60_000;
/** How long after the first of two reads the second may come, in milliseconds. */
const SECOND_READ_MS = { from: MINUTE_MS, until: 5 * MINUTE_MS };

/**
 * What one read of a published record is worth: `proves` if nothing speaks against the record, `disproved` if the
 * zone or its resolvers do, `unread` if our side could not tell.
 */
export type ProofStanding = "proves" | "disproved" | "unread";

/** Null unless the nameservers publish the record. */
export function proofStandingOf(observation: Observation): ProofStanding | null {
  if (publicationStatusOf(observation).type !== "published") return null;
  const witnessed = witnessVerdictOf(observation);
  if (witnessed === "unread") return "unread";
  if (witnessed !== "seen") return "disproved";
  const against = namedAgainst(observation);
  if (against.length > 0)
    return against.some((one) => isAnswered(one) || isNamedByZone(observation, one))
      ? "disproved"
      : "unread";
  // A server that one of our limits left out is not silent.
  if (observation.limit !== null && observation.named?.some(isUnasked)) return "unread";
  if (isValidated(observation)) return "proves";
  return zoneFaultOf(observation) ? "disproved" : "unread";
}

const isNamedByZone = ({ unlisted }: Observation, { host }: ServerReading): boolean =>
  unlisted.some((one) => one.host === host);

/**
 * Whether our own validation lets the record prove anything. Below an anchor, whoever would be bogus must not get by
 * with silence: what was not validated there must come from a majority of the witnesses as validated (AD).
 */
function isValidated({ validation, witnesses, token }: Observation): boolean {
  switch (validation?.verdict) {
    case "secure":
    case "insecure":
      return true;
    case "indeterminate": {
      if (validation.reason.type === "no_anchor") return true;
      const validating = (witnesses ?? []).filter(
        ({ ad, answer }) => ad && hasToken(answer, token),
      );
      return validating.length >= majorityOf(witnesses ?? []);
    }
    default:
      return false;
  }
}

/**
 * From when a read that finds the same again proves the record, epoch milliseconds; null if this one read suffices, or
 * proves nothing. Where a server stayed unanswered, the second read comes at a moment that nobody can foresee.
 */
export function secondReadAt(observation: Observation, history: History): number | null {
  if (proofStandingOf(observation) !== "proves") return null;
  if (!isUnanswered(observation) || observation.validation?.verdict === "secure") return null;
  const { from, until } = SECOND_READ_MS;
  const delay = Math.round(from + history.chance * (until - from));
  return history.secondReadAt ?? observation.at + observation.durationMs + delay;
}

/** Whether a read proves the claim. */
export function isProof(observation: Observation, history: History): boolean {
  if (proofStandingOf(observation) !== "proves") return false;
  const at = secondReadAt(observation, history);
  return at === null || (history.secondReadAt !== null && observation.at >= at);
}
