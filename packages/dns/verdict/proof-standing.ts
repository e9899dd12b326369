import type { Fault, Gap } from "../dnssec/verdict.ts";
import { isRegistry } from "../names.ts";
import { delegatingIn, type History, type ResolverFault } from "./diagnosis.ts";
import type { Observation, ServerReading } from "./observation.ts";
import {
  hasToken,
  isAnswered,
  isDelegatedToAny,
  isUnanswered,
  isUnasked,
  majorityOf,
  namedAgainst,
  publicationStatusOf,
  uncheckedVerdict,
  witnessVerdictOf,
} from "./publication-status.ts";

/** How long after the first of two reads the second may come, in milliseconds. */
const SECOND_READ_MS = { from: 60_000, until: 300_000 };

/**
 * What one read of a published record is worth: `disproved` if the zone or its resolvers speak against it, `unread` if
 * our side could not tell. Null unless the nameservers publish the record.
 */
export function proofStandingOf(
  observation: Observation,
): "proves" | "disproved" | "unread" | null {
  if (publicationStatusOf(observation).type !== "published") return null;
  const witnessed = witnessVerdictOf(observation);
  if (witnessed === "unread") return "unread";
  if (witnessed !== "seen") return "disproved";
  const against = namedAgainst(observation);
  const isNamedByZone = ({ host }: ServerReading) =>
    observation.unlisted.some((one) => one.host === host);
  if (against.length > 0)
    return against.some((one) => isAnswered(one) || isNamedByZone(one)) ? "disproved" : "unread";
  // A server that one of our limits left out is not silent.
  if (observation.limit !== null && observation.named?.some(isUnasked)) return "unread";
  if (isValidated(observation)) return "proves";
  return zoneFaultOf(observation) ? "disproved" : "unread";
}

/**
 * Whether our own validation lets the record prove anything. Below an anchor, whoever would be bogus must not get by
 * with silence: what was not validated there must come from a majority of the witnesses as validated (AD).
 */
function isValidated({ validation, witnesses, token }: Observation): boolean {
  if (validation?.verdict !== "indeterminate")
    return validation?.verdict === "secure" || validation?.verdict === "insecure";
  if (validation.reason.type === "no_anchor") return true;
  const validating = (witnesses ?? []).filter(({ ad, answer }) => ad && hasToken(answer, token));
  return validating.length >= majorityOf(witnesses ?? []);
}

/**
 * From when a read that finds the same again proves the record, epoch milliseconds: a moment that nobody can foresee.
 * Null if this one read suffices, or proves nothing.
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

/** Why the zone's DNSSEC keeps the record from proving anything. Null if it does not, or the fault is a registry's. */
export function zoneFaultOf({ validation, domain }: Observation): ResolverFault | null {
  if (validation?.verdict !== "indeterminate" && validation?.verdict !== "bogus") return null;
  const { reason } = validation;
  if (!("zone" in reason) || isRegistry(reason.zone, domain)) return null;
  return faultAsReported(reason);
}

/** Why resolvers fail although the zone's nameservers answer; null if nothing that was read explains it. */
export function resolverFaultOf(observation: Observation): ResolverFault | null {
  const { witnesses, validation } = observation;
  if (uncheckedVerdict(witnesses) === "fails") return { type: "unreachable" };
  if (validation?.verdict !== "insecure") return zoneFaultOf(observation);
  const { type, zone } = validation.reason;
  // Resolvers may support more algorithms, digests and iterations than our validator.
  return type === "unsigned" || type === "opt_out" ? { type: "unsigned", zone } : null;
}

const iso = (seconds: number) => new Date(seconds * 1_000).toISOString();

function faultAsReported(fault: Extract<Fault | Gap, { zone: string }>): ResolverFault | null {
  const { zone } = fault;
  switch (fault.type) {
    case "ds_without_keys":
    case "ds_matches_no_key": {
      const { parent, ttl, ...rest } = fault;
      const delegating = parent === null ? {} : delegatingIn({ zone, parent });
      return { ...rest, secondsRemembered: ttl ?? 0, ...delegating };
    }
    case "signatures_expired":
      return { type: fault.type, zone, expiredAt: iso(fault.at) };
    case "signatures_not_yet_valid":
      return { type: fault.type, zone, validFrom: iso(fault.at) };
    case "signatures_missing":
    case "signatures_invalid":
    case "denial_missing":
    case "keys_unanswered":
      return { type: fault.type, zone };
    // The servers have the value; and what was not read, or is untimely by little, is no fault.
    default:
      return null;
  }
}

/**
 * Where a record is that was found before:
 * - `seen`: found again, as for a proof;
 * - `absent`: at least half of the nameservers answer, and none of them has it;
 * - `moved`: the zone's nameservers are all others, and the record is not found there;
 * - `gone`: the registry lists no nameservers;
 * - `unread`: none of these is certain. Silence, and what only some servers say, is no finding.
 */
export type RecordFinding = "seen" | "absent" | "moved" | "gone" | "unread";

/** Where the record was found: the zone, and the names of its nameservers in lower case. */
export type KnownPlace = { zone: string | null; nameservers: readonly string[] };

/** What a read says about a record that was found at `known` before. */
export function findingOf(observation: Observation, known: KnownPlace): RecordFinding {
  const { delegation, servers, limit } = observation;
  if (delegation.type === "none") return "gone";
  if (delegation.type === "unreachable") return "unread";
  const status = publicationStatusOf(observation);
  if (status.type === "published")
    return proofStandingOf(observation) === "proves" ? "seen" : "unread";
  if (status.type === "partial") return "unread";
  const answered = servers.filter(isAnswered);
  const isAbsent =
    status.type === "nowhere" &&
    limit === null &&
    answered.length * 2 >= delegation.nameservers.length;
  const isElsewhere =
    known.nameservers.length > 0 && !isDelegatedToAny(observation, known.nameservers);
  // A silent child zone is not found at all: then the servers of the zone above it are no others of the same zone.
  if (isElsewhere && (isAbsent || delegation.zone === known.zone)) return "moved";
  return isAbsent ? "absent" : "unread";
}
