import type { Fault, Gap } from "../dnssec/verdict.ts";
import { isRegistry } from "../names.ts";
import type { Publication, ResolverFault, Wait } from "./diagnosis.ts";
import { escapeAll } from "./escape-untrusted.ts";
import type { History } from "./history.ts";
import type { Observation, ServerReading, WitnessReading, ZoneWitness } from "./observation.ts";
import {
  delegatingIn,
  failedOf,
  hasToken,
  hostsOf,
  isAnswered,
  isDelegatedToAny,
  isFailing,
  isFiltered,
  isNamedOtherwise,
  isUnanswered,
  isUnasked,
  majorityOf,
  namedAgainst,
  neededWitnesses,
  nextTurn,
  publicationStatusOf,
  type Spread,
  uncheckedVerdict,
  witnessVerdictOf,
} from "./publication-status.ts";

const SECOND_READ_MS = { from: 60_000, until: 300_000 };

/**
 * What one read is worth. `disproved`: the zone or its resolvers speak against it. `unread`: our side could not tell.
 * Null unless the nameservers publish the record.
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

/** Below an anchor silence must not help a forger: what we could not validate, most witnesses must have (AD). */
function isValidated({ validation, witnesses, token }: Observation): boolean {
  if (validation?.verdict !== "indeterminate")
    return validation?.verdict === "secure" || validation?.verdict === "insecure";
  if (validation.reason.type === "no_anchor") return true;
  const validating = (witnesses ?? []).filter(({ ad, answer }) => ad && hasToken(answer, token));
  return validating.length >= majorityOf(witnesses ?? []);
}

/** The latest end of the wait for a second read, epoch milliseconds. Null if this read suffices, or proves nothing. */
export function secondReadBy(observation: Observation, history: History): number | null {
  if (proofStandingOf(observation) !== "proves") return null;
  if (!isUnanswered(observation) || observation.validation?.verdict === "secure") return null;
  const known = history.secondReadAt === null ? null : history.waitUntil;
  return known ?? endOf(observation) + SECOND_READ_MS.until;
}

/** From when the same finding proves the record, epoch milliseconds: a moment before `secondReadBy` that nobody is told. */
export function secondReadAt(observation: Observation, history: History): number | null {
  const by = secondReadBy(observation, history);
  const { from, until } = SECOND_READ_MS;
  if (by === null) return null;
  return history.secondReadAt ?? by - Math.round((1 - history.chance) * (until - from));
}

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

export function resolverFaultOf(observation: Observation): ResolverFault | null {
  const { witnesses, validation, delegation } = observation;
  const failing: (WitnessReading | ZoneWitness)[] = (witnesses ?? []).filter(isFailing);
  const areMost = (is: (one: WitnessReading | ZoneWitness) => boolean) =>
    failing.filter(is).length * 2 > failing.length;
  if (areMost(isFiltered)) return { type: "filtered" };
  const isLate = (one: WitnessReading) => one.result === "timeout";
  if (uncheckedVerdict(witnesses) === "fails" || areMost(isLate))
    return { type: answersOverUdp(observation) ? "unreachable" : "no_udp" };
  if (areMost((one) => "keys" in one && !one.keys) && delegation.type === "delegated")
    return { type: "keys_unanswered", zone: delegation.zone };
  if (validation?.verdict !== "insecure") return zoneFaultOf(observation);
  const { type, zone } = validation.reason;
  // Resolvers may support more algorithms, digests and iterations than our validator.
  return type === "unsigned" || type === "opt_out" ? { type: "unsigned", zone } : null;
}

const answersOverUdp = ({ servers, exchanges }: Observation): boolean =>
  exchanges.some(
    ({ transport, address, result }) =>
      transport === "udp" && result !== "timeout" && servers.some((one) => one.address === address),
  );

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
 * `absent`: at least half of the nameservers answer, and none has it. `moved`: all nameservers are others, and lack it.
 * `gone`: the registry lists none. `unread`: none of these is certain; silence, or the word of some, is no finding.
 */
export type RecordFinding = "seen" | "absent" | "moved" | "gone" | "unread";

export type KnownPlace = { zone: string | null; nameservers: readonly string[] };

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

/** From the denial of one witness to the question to the next: an instance of the nameservers that lags has it then. */
export const TURN_MS = 60_000;

const HOUR = 3600;
/** For how long resolvers commonly cache negative and positive answers at most (RFC 2308 section 5), in seconds. */
export const LONGEST_NEGATIVE = 3 * HOUR;
const LONGEST_POSITIVE = 24 * HOUR;

const endOf = (observation: Observation) => observation.at + observation.durationMs;

function memoryOf({ answer }: WitnessReading, observation: Observation): number {
  if (answer?.values.length && answer.ttl !== null) return answer.ttl;
  // RFC 2308 section 5: the SOA TTL in a cached negative answer is the time it has left.
  if (answer?.soa) return answer.soa.ttl;
  const { soa } = observation;
  return soa ? Math.min(soa.ttl, soa.minimum) : 0;
}

/** When enough witnesses will no longer cache an old answer, epoch milliseconds. */
export function negativeCacheEnd(observation: Observation): number {
  const { witnesses, token } = observation;
  const having = witnesses?.filter(({ answer }) => hasToken(answer, token)) ?? [];
  const missing = neededWitnesses(observation) - having.length;
  const end = endOf(observation);
  const ends = [
    ...staleWitnesses(observation).map((one) => end + memoryOf(one, observation) * 1000),
    ...unaskedWitnesses(observation).map(() => Math.max(end, nextTurn(observation.tried))),
  ].sort((one, other) => one - other);
  return ends[missing - 1] ?? end;
}

export const staleWitnesses = ({ witnesses, token }: Observation): WitnessReading[] =>
  (witnesses ?? []).filter(
    ({ result, answer }) => result === "answered" && !hasToken(answer, token),
  );

const unaskedWitnesses = ({ witnesses }: Observation): WitnessReading[] =>
  (witnesses ?? []).filter(({ result }) => result === "unasked");

/** Epoch milliseconds. Twice the longest caching time, because a resolver may have asked a server that was behind. */
export function resolversDueFrom(observation: Observation): number {
  const { soa, delegation } = observation;
  const negative = soa ? Math.min(soa.ttl, soa.minimum) : 0;
  const kept = staleWitnesses(observation).map((witness) =>
    Math.min(
      memoryOf(witness, observation),
      witness.answer?.values.length ? LONGEST_POSITIVE : LONGEST_NEGATIVE,
    ),
  );
  const isElsewhere = delegation.type === "delegated" && isNamedOtherwise(observation);
  const listed = isElsewhere ? Math.min(delegation.ttl, LONGEST_POSITIVE) : 0;
  const inTurn = (unaskedWitnesses(observation).length * TURN_MS) / 1000;
  const longest = Math.max(Math.min(negative, LONGEST_NEGATIVE), listed, inTurn, ...kept);
  return endOf(observation) + 2 * longest * 1000;
}

export const isStale = (observation: Observation): boolean =>
  publicationStatusOf(observation).type === "published" &&
  witnessVerdictOf(observation) === "stale";

export function resolversDueAfter(observation: Observation, history: History): number | null {
  const { type } = publicationStatusOf(observation);
  if (type === "nowhere" || type === "partial") return null;
  return history.resolversDue ?? (isStale(observation) ? resolversDueFrom(observation) : null);
}

/** When nameservers should have transferred the record, epoch ms: the SOA refresh time after the first partial read. */
export function nameserverSyncEnd(observation: Observation, history: History): number {
  const refresh = Math.min(observation.soa?.refresh ?? HOUR, HOUR);
  return (history.partialSince ?? observation.at) + refresh * 1000;
}

export const publicationOf = ({ carrying, lacking, silent }: Spread): Publication => ({
  nameservers: hostsOf(lacking),
  publishedOn: hostsOf(carrying),
  ...(silent.length > 0 && { noAnswer: failedOf(silent) }),
});

export function waitOf(observation: Observation, history: History): Wait | null {
  const standing = publicationStatusOf(observation);
  if (standing.type === "partial") {
    const until = nameserverSyncEnd(observation, history);
    if (observation.at >= until) return null;
    const wait = { reason: "nameserver_sync" as const, until };
    if (observation.strays.length > 0) return wait;
    return { ...wait, observed: escapeAll(publicationOf(standing)) };
  }
  if (isStale(observation)) {
    const due = history.resolversDue ?? resolversDueFrom(observation);
    if (history.resolversDue !== null && observation.at >= due) return null;
    return { reason: "negative_cache", until: Math.min(negativeCacheEnd(observation), due) };
  }
  const until = secondReadBy(observation, history);
  if (until === null) return null;
  const servers = [...observation.servers, ...(observation.named ?? [])];
  const carrying = servers.filter(isAnswered);
  const silent = servers.filter((one) => !isAnswered(one));
  const published = escapeAll(publicationOf({ carrying, lacking: [], silent }));
  return { reason: "nameserver_sync", until, observed: { ...published, secondRead: true } };
}

export const secondsRemaining = (until: number, now: number): number =>
  Math.max(0, Math.ceil((until - now) / 1000));
