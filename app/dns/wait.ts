import type { History, Wait } from "./diagnosis.ts";
import type { Observation, WitnessReading } from "./observation.ts";
import { carries, majorityOf, standingOf, verdictOf } from "./standing.ts";

const HOUR = 3600;

/** When the read was through, epoch milliseconds: the TTLs it saw are counted from here. */
const endOf = (observation: Observation) => observation.at + observation.durationMs;

/** Seconds for which a witness without the token keeps what it has. */
function memoryOf({ answer }: WitnessReading, observation: Observation): number {
  if (answer?.values.length && answer.ttl !== null) return answer.ttl;
  // RFC 2308 section 5: the SOA in a cached negative answer carries the time it has left.
  if (answer?.soa) return answer.soa.ttl;
  const { soa } = observation;
  return soa ? Math.min(soa.ttl, soa.minimum) : 0;
}

/**
 * When a majority of the witnesses will have let go of the old answer, epoch milliseconds: those that have the token
 * count already, the others in the order in which they forget.
 */
export function negativeCacheEnd(observation: Observation): number {
  const witnesses = observation.witnesses ?? [];
  const answered = witnesses.filter(({ result }) => result === "answered");
  const behind = answered.filter(({ answer }) => !carries(answer, observation.token));
  const missing = majorityOf(witnesses) - (answered.length - behind.length);
  const memories = behind
    .map((witness) => memoryOf(witness, observation))
    .sort((one, other) => one - other);
  return endOf(observation) + (memories[missing - 1] ?? 0) * 1000;
}

/** When nameservers that lack the record should have taken it over: SOA refresh, one hour at most, from the first partial read. */
export function nameserverSyncEnd(observation: Observation, history: History): number {
  const refresh = Math.min(observation.soa?.refresh ?? HOUR, HOUR);
  return (history.partialSince ?? observation.at) + refresh * 1000;
}

/** The wait a read comes to; null where it proves, diagnoses or fails. */
export function waitOf(observation: Observation, history: History): Wait | null {
  const standing = standingOf(observation);
  if (standing.type === "partial") {
    const until = nameserverSyncEnd(observation, history);
    return observation.at < until ? { reason: "nameserver_sync", until } : null;
  }
  if (
    standing.type === "published" &&
    verdictOf(observation.witnesses, observation.token) === "stale"
  )
    return { reason: "negative_cache", until: negativeCacheEnd(observation) };
  return null;
}

/** Whole seconds from `now` to `until`, both epoch milliseconds; never less than 0. */
export const secondsRemaining = (until: number, now: number): number =>
  Math.max(0, Math.ceil((until - now) / 1000));
