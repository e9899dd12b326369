import { failedOf, type History, hostsOf, type Publication, type Wait } from "./diagnosis.ts";
import { escapeAll } from "./escape-untrusted.ts";
import type { Observation, WitnessReading } from "./observation.ts";
import { secondReadAt } from "./proof-standing.ts";
import {
  hasToken,
  isAnswered,
  isNamedOtherwise,
  neededWitnesses,
  publicationStatusOf,
  type Spread,
  witnessVerdictOf,
} from "./publication-status.ts";

const HOUR = 3600;
/** For how long resolvers commonly cache negative and positive answers at most (RFC 2308 section 5), in seconds. */
const LONGEST_NEGATIVE = 3 * HOUR;
const LONGEST_POSITIVE = 24 * HOUR;

/** When the read ended, epoch milliseconds; the TTLs it saw count from here. */
const endOf = (observation: Observation) => observation.at + observation.durationMs;

/** Seconds for which a witness without the token keeps its cached answer. */
function memoryOf({ answer }: WitnessReading, observation: Observation): number {
  if (answer?.values.length && answer.ttl !== null) return answer.ttl;
  // RFC 2308 section 5: the SOA TTL in a cached negative answer is the time it has left.
  if (answer?.soa) return answer.soa.ttl;
  const { soa } = observation;
  return soa ? Math.min(soa.ttl, soa.minimum) : 0;
}

/** When enough witnesses will no longer cache an old answer, epoch milliseconds. */
export function negativeCacheEnd(observation: Observation): number {
  const witnesses = observation.witnesses ?? [];
  const answered = witnesses.filter(({ result }) => result === "answered");
  const behind = staleWitnesses(observation);
  const missing = neededWitnesses(observation) - (answered.length - behind.length);
  const memories = behind
    .map((witness) => memoryOf(witness, observation))
    .sort((one, other) => one - other);
  return endOf(observation) + (memories[missing - 1] ?? 0) * 1000;
}

/** The witnesses that answer without the token. */
export const staleWitnesses = ({ witnesses, token }: Observation): WitnessReading[] =>
  (witnesses ?? []).filter(
    ({ result, answer }) => result === "answered" && !hasToken(answer, token),
  );

/**
 * When every resolver should have asked again, epoch milliseconds: twice the longest time for which one may cache what
 * was seen, because it may have asked a server that was still behind.
 */
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
  const longest = Math.max(Math.min(negative, LONGEST_NEGATIVE), listed, ...kept);
  return endOf(observation) + 2 * longest * 1000;
}

/** Whether every nameserver has the record, but too few resolvers have it. */
export const isStale = (observation: Observation): boolean =>
  publicationStatusOf(observation).type === "published" &&
  witnessVerdictOf(observation) === "stale";

/** `resolversDue` for the history after a read: kept as long as every nameserver has the record. */
export function resolversDueAfter(observation: Observation, history: History): number | null {
  const { type } = publicationStatusOf(observation);
  if (type === "nowhere" || type === "partial") return null;
  return history.resolversDue ?? (isStale(observation) ? resolversDueFrom(observation) : null);
}

/** When nameservers should have transferred the record, epoch milliseconds: SOA refresh after the first partial read. */
export function nameserverSyncEnd(observation: Observation, history: History): number {
  const refresh = Math.min(observation.soa?.refresh ?? HOUR, HOUR);
  return (history.partialSince ?? observation.at) + refresh * 1000;
}

export const publicationOf = ({ carrying, lacking, silent }: Spread): Publication => ({
  nameservers: hostsOf(lacking),
  publishedOn: hostsOf(carrying),
  ...(silent.length > 0 && { noAnswer: failedOf(silent) }),
});

/** What a read waits for; null if it proves the claim, yields a diagnosis or fails. */
export function waitOf(observation: Observation, history: History): Wait | null {
  const standing = publicationStatusOf(observation);
  if (standing.type === "partial") {
    const until = nameserverSyncEnd(observation, history);
    if (observation.at >= until) return null;
    const wait = { reason: "nameserver_sync" as const, until };
    if (observation.strays.length > 0) return wait;
    return { ...wait, observed: escapeAll(publicationOf(standing)) };
  }
  if (!isStale(observation)) return waitForSecondRead(observation, history);
  const due = history.resolversDue ?? resolversDueFrom(observation);
  if (history.resolversDue !== null && observation.at >= due) return null;
  return { reason: "negative_cache", until: Math.min(negativeCacheEnd(observation), due) };
}

/** The wait after a read in which a server stayed unanswered. */
function waitForSecondRead(observation: Observation, history: History): Wait | null {
  const until = secondReadAt(observation, history);
  if (until === null) return null;
  const servers = [...observation.servers, ...(observation.named ?? [])];
  const carrying = servers.filter(isAnswered);
  const silent = servers.filter((one) => !isAnswered(one));
  const published = escapeAll(publicationOf({ carrying, lacking: [], silent }));
  return { reason: "nameserver_sync", until, observed: { ...published, secondRead: true } };
}

/** Whole seconds from `now` to `until`, both epoch milliseconds; never less than 0. */
export const secondsRemaining = (until: number, now: number): number =>
  Math.max(0, Math.ceil((until - now) / 1000));
