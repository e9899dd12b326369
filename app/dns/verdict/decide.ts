import { diagnose } from "./diagnose.ts";
import type { Decision, History, Provider } from "./diagnosis.ts";
import type { Observation } from "./observation.ts";
import { providerOf } from "./provider.ts";
import {
  isDelegatedToToken,
  isWitnessedDelegation,
  publicationStatusOf,
  verdictOf,
} from "./publication-status.ts";
import { learn, type SerialMemory } from "./serials.ts";
import { resolversDueAfter, waitOf } from "./wait.ts";

/**
 * What a read comes to. `found` only where every delegated nameserver that answered carries the token, at least half
 * of them answered, TCP confirmed it, and a majority of the witnesses returns it and knows one of those nameservers
 * (none configured: that suffices).
 * `unresolvable` where our side, not the zone, kept the read from saying.
 */
export function decide(observation: Observation, history: History): Decision {
  const standing = publicationStatusOf(observation);
  if (standing.type === "unread") return { outcome: "unresolvable" };
  if (standing.type === "published") {
    const verdict = verdictOf(observation.witnesses, observation.token);
    if (verdict === "seen" && isWitnessedDelegation(observation)) return { outcome: "found" };
    if (verdict === "unread") return { outcome: "unresolvable" };
  }
  const diagnosis = diagnose(observation, history);
  // Resolvers that remember are the one thing both diagnosed and waited for.
  const isWaitedFor = diagnosis === null || diagnosis.code === "negative_cache";
  const wait = isWaitedFor ? waitOf(observation, history) : null;
  if (diagnosis) return { outcome: "absent", diagnosis, wait };
  return wait ? { outcome: "absent", diagnosis, wait } : { outcome: "unresolvable" };
}

/** What the reads after this one need of it. */
export type Progress = {
  firstSerial: number | null;
  /** Epoch milliseconds. */
  partialSince: number | null;
  /** Epoch milliseconds. */
  resolversDue: number | null;
  serials: SerialMemory | null;
  /** The zone that holds the name and its DNS host; null where this read saw no delegation. */
  zone: string | null;
  provider: Provider | null;
};

/** The zone whose panel the record is typed into: not one that a mistyped record has made. */
function zoneOf(observation: Observation): string | null {
  const { delegation } = observation;
  if (delegation.type !== "delegated") return null;
  return isDelegatedToToken(observation) ? delegation.parent : delegation.zone;
}

/**
 * Carries forward what a read saw: a first serial stays, a partial publication lasts until no nameserver has the token,
 * and the time resolvers have until a nameserver lacks it.
 */
export function progressOf(observation: Observation, history: History): Progress {
  const { delegation } = observation;
  const standing = publicationStatusOf(observation);
  const partialSince =
    history.partialSince ?? (standing.type === "partial" ? observation.at : null);
  return {
    firstSerial: history.firstSerial ?? observation.soa?.serial ?? null,
    partialSince: standing.type === "nowhere" ? null : partialSince,
    resolversDue: resolversDueAfter(observation, history),
    serials: learn(observation, history),
    zone: zoneOf(observation),
    provider: delegation.type === "delegated" ? providerOf(delegation.nameservers) : null,
  };
}
