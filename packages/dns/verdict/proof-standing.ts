import type { Fault, Gap, Insecurity } from "../dnssec/verdict.ts";
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

const MINUTE_MS = 60_000;
/** How long after the first of two reads the second may come, in milliseconds. */
const SECOND_READ_MS = { from: MINUTE_MS, until: 5 * MINUTE_MS };

/**
 * What one read of a published record is worth: `proves` if nothing speaks against the record, `disproved` if the
 * zone or its resolvers do, `unread` if our side could not tell.
 */
type ProofStanding = "proves" | "disproved" | "unread";

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

/**
 * Why the zone's DNSSEC keeps the record from proving anything, by our own validation. Null if it does not, or if the
 * fault is a registry's.
 */
export function zoneFaultOf({ validation, domain }: Observation): ResolverFault | null {
  if (validation?.verdict === "indeterminate") return silenceOf(validation.reason, domain);
  if (validation?.verdict !== "bogus" || !("zone" in validation.reason)) return null;
  return isRegistry(validation.reason.zone, domain) ? null : faultAsReported(validation.reason);
}

/** Why resolvers fail although the zone's nameservers answer; null if nothing that was read explains it. */
export function resolverFaultOf(observation: Observation): ResolverFault | null {
  const { witnesses, validation } = observation;
  if (uncheckedVerdict(witnesses) === "fails") return { type: "unreachable" };
  if (validation?.verdict === "insecure") return unsignedBy(validation.reason);
  return zoneFaultOf(observation);
}

const silenceOf = (reason: Gap, domain: string): ResolverFault | null =>
  reason.type === "keys_unanswered" && !isRegistry(reason.zone, domain)
    ? { type: "keys_unanswered", zone: reason.zone }
    : null;

/** Resolvers may support more algorithms, digests and iterations than our validator. */
const unsignedBy = ({ type, zone }: Insecurity): ResolverFault | null =>
  type === "unsigned" || type === "opt_out" ? { type: "unsigned", zone } : null;

const iso = (seconds: number) => new Date(seconds * 1_000).toISOString();

function faultAsReported(fault: Extract<Fault, { zone: string }>): ResolverFault | null {
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
      return { type: fault.type, zone };
    // The servers have the value.
    case "value_absent":
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
  const answered = servers.filter(({ result, answer }) => result === "answered" && answer !== null);
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
