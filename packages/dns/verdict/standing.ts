import type { Publication, Wait } from "./diagnosis.ts";
import { escapeAll } from "./escape-untrusted.ts";
import type { History } from "./history.ts";
import { oldDelegationEnd } from "./known-delegation.ts";
import type { Observation, ServerReading, WitnessReading } from "./observation.ts";
import {
  countNeededWitnesses,
  failedOf,
  hasToken,
  hostsOf,
  isAnswered,
  isDelegatedToAny,
  isUncertain,
  majorityHosts,
  majorityOf,
  mayAnswer,
  namedAgainst,
  nextTurn,
  type PublicationStatus,
  publicationStatusOf,
  type Spread,
  wasNotAsked,
  witnessVerdictOf,
} from "./publication-status.ts";
import { isLagging, zoneFaultOf } from "./servfail.ts";
import { httpsVerdict } from "./shut-port.ts";

const SECOND_READ_MS = { from: 60_000, until: 300_000 };

/** Works out what each server and resolver said, and what follows from it. Times are epoch milliseconds. */
export function standingOf(observation: Observation, history: History) {
  const status = publicationStatusOf(observation);
  const proofState = proofStateOf(observation, status);
  const isStale = status.type === "published" && witnessVerdictOf(observation) === "stale";
  const needsSecondRead = proofState === "proves" && isUncertain(observation);
  const earlierEnd = history.secondReadAt === null ? null : history.waitUntil;
  const { from, until } = SECOND_READ_MS;
  const secondReadBy = needsSecondRead ? (earlierEnd ?? endOf(observation) + until) : null;
  const secretAt = secondReadBy && secondReadBy - Math.round((1 - history.chance) * (until - from));
  const isSecondRead = history.secondReadAt !== null && observation.at >= history.secondReadAt;
  const isLacking = status.type === "nowhere" || status.type === "partial";
  const dueAt = isStale ? nextResolversDue(observation, history) : history.resolversDue;
  const resolversDue = isLacking ? null : dueAt;
  return {
    ...{ observation, history, status, proofState },
    isProof: proofState === "proves" && (!needsSecondRead || isSecondRead),
    /** Whether all nameservers have the record while resolvers may have cached an old answer. */
    isStale,
    resolversDue,
    /** The latest end of the wait for a second read. Null if this read is enough or proves nothing. */
    secondReadBy,
    /** From this secret time before `secondReadBy` on, a second read that ends alike proves the record. */
    secondReadAt: needsSecondRead ? (history.secondReadAt ?? secretAt) : null,
    wait: waitOf(observation, history, status, isStale ? resolversDue : null, secondReadBy),
  };
}
export type Standing = ReturnType<typeof standingOf>;

/** "disproved": the zone or its resolvers deny it. "unread": we could not tell. Null: it is not published. */
function proofStateOf(observation: Observation, { type }: PublicationStatus) {
  if (observation.shut) return httpsVerdict(observation);
  if (type !== "published") return type === "unread" ? "unread" : null;
  const witnessed = witnessVerdictOf(observation);
  if (isLagging(observation)) return "disproved";
  if (witnessed === "unread") return zoneFaultOf(observation) ? "disproved" : "unread";
  if (witnessed !== "seen") return "disproved";
  const others = namedAgainst(observation);
  const isNamedByZone = ({ host }: ServerReading) =>
    observation.unlisted.some((server) => server.host === host);
  if (others.length > 0)
    return others.some((one) => isAnswered(one) || isNamedByZone(one)) ? "disproved" : "unread";
  // A server that one of our own limits skipped is not silent.
  if (observation.limit !== null && observation.named?.some(wasNotAsked)) return "unread";
  if (isValidated(observation)) return "proves";
  return zoneFaultOf(observation) ? "disproved" : "unread";
}

/** Silence must not help a forger below a trust anchor: if we cannot validate, most witnesses must (AD). */
function isValidated({ validation, witnesses, token }: Observation): boolean {
  if (validation?.verdict !== "indeterminate")
    return validation?.verdict === "secure" || validation?.verdict === "insecure";
  if (validation.reason.type === "no_anchor") return true;
  const validating = (witnesses ?? []).filter(({ ad, answer }) => ad && hasToken(answer, token));
  return validating.length >= majorityOf(witnesses ?? []);
}

/**
 * "absent": at least half of the nameservers answer, and none has it. "moved": all nameservers are new, and lack it.
 * "gone": the registry lists none. "unread": none of these is certain, since silence or a few answers are not enough.
 */
export type RecordFinding = "seen" | "absent" | "moved" | "gone" | "unread";

export type KnownServers = { zone: string | null; nameservers: readonly string[] };

export function findingOf(observation: Observation, known: KnownServers): RecordFinding {
  const { delegation, servers, limit } = observation;
  if (delegation.type === "none") return "gone";
  if (delegation.type === "unreachable") return "unread";
  const status = publicationStatusOf(observation);
  if (status.type === "published")
    return proofStateOf(observation, status) === "proves" ? "seen" : "unread";
  if (status.type === "partial") return "unread";
  const answered = servers.filter(isAnswered);
  const isAbsent =
    status.type === "nowhere" &&
    limit === null &&
    answered.length * 2 >= delegation.nameservers.length;
  const isElsewhere =
    known.nameservers.length > 0 && !isDelegatedToAny(observation, known.nameservers);
  // If a child zone is silent, only the zone above is found, and its servers are not new servers of the same zone.
  if (isElsewhere && (isAbsent || delegation.zone === known.zone)) return "moved";
  return isAbsent ? "absent" : "unread";
}

/** How long after a denial the next witness is asked, so that a lagging nameserver can catch up. */
export const TURN_MS = 60_000;

const HOUR_SECONDS = 3600;
/** How long resolvers commonly cache negative and positive answers at most (RFC 2308 section 5), in seconds. */
export const LONGEST_NEGATIVE_SECONDS = 3 * HOUR_SECONDS;
const LONGEST_POSITIVE_SECONDS = 24 * HOUR_SECONDS;

const endOf = (observation: Observation) => observation.at + observation.durationMs;

type CacheFacts = Pick<WitnessReading, "name" | "answer" | "fresh">;

/** Whether a witness had cached its denial before our question. A denial two seconds old or less may be new. */
export const wasCached = ({ answer, fresh }: CacheFacts): boolean =>
  fresh !== undefined && fresh - (answer?.soa?.ttl ?? fresh) > 2;

/** Seconds until a witness can have the record: at least a minute if it denied the record just now or again. */
export function cachedFor(witness: CacheFacts, { soa, tried }: Partial<Observation> = {}) {
  const { name, answer, fresh } = witness;
  const again = tried?.some(({ resolver, again }) => again && resolver === name);
  const minimum = !wasCached(witness) && (again || fresh !== undefined) ? TURN_MS / 1000 : 0;
  // The SOA TTL in a cached negative answer is the time that it has left (RFC 2308 section 5).
  const secondsLeft = answer?.values.length ? answer.ttl : answer?.soa?.ttl;
  return Math.max(secondsLeft ?? (soa ? Math.min(soa.ttl, soa.minimum) : 0), minimum);
}

/** When enough witnesses can have the record, in epoch milliseconds. `unasked` is how many are asked only then. */
export function negativeCacheEnd(observation: Observation): { until: number; unasked?: number } {
  const { witnesses, token } = observation;
  const withToken = witnesses?.filter(({ answer }) => hasToken(answer, token)) ?? [];
  const missingCount = countNeededWitnesses(observation) - withToken.length;
  const end = endOf(observation);
  const unasked = unaskedWitnesses(observation);
  const nextRound = { until: Math.max(end, nextTurn(observation.tried)), unasked: unasked.length };
  const endFor = (one: WitnessReading) => ({ until: end + cachedFor(one, observation) * 1000 });
  const ends = [...staleWitnesses(observation).map(endFor), ...unasked.map(() => nextRound)];
  return ends.sort((a, b) => a.until - b.until)[missingCount - 1] ?? { until: end };
}

export const staleWitnesses = ({ witnesses, token }: Observation): WitnessReading[] =>
  (witnesses ?? []).filter((one) => one.result === "answered" && !hasToken(one.answer, token));

const unaskedWitnesses = ({ witnesses }: Observation): WitnessReading[] =>
  (witnesses ?? []).filter(({ result }) => result === "unasked");

/** In how many reads a witness denied the record anew after its denial had expired; the most of any witness. */
export const repeatedDenials = (tried: Observation["tried"] = []): number =>
  Math.max(0, ...tried.map(({ again = 0 }) => again));

/** When resolvers should have the record: later if one caches a newer denial, now if a second wait did not help. */
function nextResolversDue(observation: Observation, { resolversDue }: History): number {
  if (resolversDue === null) return resolversDueFrom(observation);
  const { tried = [], witnesses, at } = observation;
  const denierOf = ({ name }: WitnessReading) => tried.find(({ resolver }) => resolver === name);
  const stale = staleWitnesses(observation);
  const repeaters = stale.filter((witness) => denierOf(witness)?.again);
  const usableCount = (witnesses ?? []).filter(mayAnswer).length - repeaters.length;
  if (usableCount < countNeededWitnesses(observation) && repeatedDenials(tried) > 1)
    return Math.min(resolversDue, at);
  const recent = stale.filter((witness) => (denierOf(witness)?.until ?? 0) >= at);
  if (recent.length === 0) return resolversDue;
  return Math.max(resolversDue, resolversDueFrom({ ...observation, witnesses: recent }));
}

/** In epoch milliseconds: twice the longest caching time, because a resolver may have asked a server that lagged. */
export function resolversDueFrom(observation: Observation): number {
  const { soa, delegation } = observation;
  const soaTtl = soa ? Math.min(soa.ttl, soa.minimum, LONGEST_NEGATIVE_SECONDS) : 0;
  const lifetimes = staleWitnesses(observation).map((witness) =>
    Math.min(
      cachedFor(witness, observation),
      witness.answer?.values.length ? LONGEST_POSITIVE_SECONDS : LONGEST_NEGATIVE_SECONDS,
    ),
  );
  const isOther = (host: string) => !isDelegatedToAny(observation, [host]);
  const isElsewhere = delegation.type === "delegated" && majorityHosts(observation)?.some(isOther);
  const nsTtl = isElsewhere ? Math.min(delegation.ttl, LONGEST_POSITIVE_SECONDS) : 0;
  const turnSeconds = (unaskedWitnesses(observation).length * TURN_MS) / 1000;
  return endOf(observation) + 2 * Math.max(soaTtl, nsTtl, turnSeconds, ...lifetimes) * 1000;
}

/** When nameservers should have copied the record, in epoch ms: the SOA refresh time after the first partial read. */
export function nameserverSyncEnd(observation: Observation, history: History): number {
  const refresh = Math.min(observation.soa?.refresh ?? HOUR_SECONDS, HOUR_SECONDS);
  return (history.partialSince ?? observation.at) + refresh * 1000;
}

export const publicationOf = ({ carrying, lacking, silent }: Spread): Publication => ({
  nameservers: hostsOf(lacking),
  publishedOn: hostsOf(carrying),
  ...(silent.length > 0 && { noAnswer: failedOf(silent) }),
});

/** What to wait for. Null if there is nothing, or the wait is over. `due` is null unless resolvers are late. */
function waitOf(
  observation: Observation,
  history: History,
  status: PublicationStatus,
  due: number | null,
  secondReadBy: number | null,
): Wait | null {
  const { at, strays, servers, named } = observation;
  if (status.type === "partial") {
    const until = nameserverSyncEnd(observation, history);
    if (at >= until) return null;
    const wait = { reason: "nameserver_sync" as const, until };
    return strays.length > 0 ? wait : { ...wait, observed: escapeAll(publicationOf(status)) };
  }
  const isOldDelegation = status.type === "published" && isLagging(observation);
  const until = isOldDelegation ? oldDelegationEnd(observation) : null;
  if (until !== null) return { reason: "negative_cache", until, held: "delegation" };
  if (due !== null) {
    if (history.resolversDue !== null && at >= due) return null;
    const { until, ...details } = negativeCacheEnd(observation);
    return { reason: "negative_cache", until: Math.min(until, due), ...details };
  }
  if (secondReadBy === null) return null;
  const all = [...servers, ...(named ?? [])];
  const [carrying, silent] = [all.filter(isAnswered), all.filter((server) => !isAnswered(server))];
  const published = escapeAll(publicationOf({ carrying, lacking: [], silent }));
  const observed = { ...published, secondRead: true as const };
  return { reason: "nameserver_sync", until: secondReadBy, observed };
}

export const secondsRemaining = (until: number, now: number): number =>
  Math.max(0, Math.ceil((until - now) / 1000));
