import { diagnose } from "./diagnose.ts";
import type { Decision, History } from "./diagnosis.ts";
import type { Observation } from "./observation.ts";
import { isProof, proofStandingOf, secondReadAt } from "./proof-standing.ts";
import { type Provider, providerOf } from "./provider.ts";
import { isDelegatedToToken, publicationStatusOf } from "./publication-status.ts";
import { learnSerials, type SerialMemory } from "./serials.ts";
import { resolversDueAfter, waitOf } from "./wait.ts";

/** Decides what a read shows. `unresolvable`: our side, not the zone, kept the read from reaching a result. */
export function decide(observation: Observation, history: History): Decision {
  const standing = publicationStatusOf(observation);
  if (standing.type === "unread") return { outcome: "unresolvable" };
  if (isProof(observation, history)) return { outcome: "found" };
  if (proofStandingOf(observation) === "unread") return { outcome: "unresolvable" };
  const diagnosis = diagnose(observation, history);
  // Stale resolver caches are the only condition with both a diagnosis and a wait.
  const isWaitedFor = diagnosis === null || diagnosis.code === "negative_cache";
  const wait = isWaitedFor ? waitOf(observation, history) : null;
  if (diagnosis) return { outcome: "absent", diagnosis, wait };
  return wait ? { outcome: "absent", diagnosis, wait } : { outcome: "unresolvable" };
}

/** What later reads need from this one. */
export type Progress = {
  firstSerial: number | null;
  /** These three as in History, epoch milliseconds. */
  partialSince: number | null;
  resolversDue: number | null;
  secondReadAt: number | null;
  serials: SerialMemory | null;
  /** The zone that holds the name; null, like `provider`, if this read saw no delegation. */
  zone: string | null;
  provider: Provider | null;
};

/** The zone in whose panel the record is edited; skips a zone cut created by entering the token as an NS record. */
function zoneOf(observation: Observation): string | null {
  const { delegation } = observation;
  if (delegation.type !== "delegated") return null;
  return isDelegatedToToken(observation) ? delegation.parent : delegation.zone;
}

/**
 * Carries forward what a read saw: the first serial stays, `partialSince` stays until no nameserver has the token,
 * `resolversDue` stays until a nameserver lacks it, and `secondReadAt` until a read finds anything else.
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
    secondReadAt: secondReadAt(observation, history),
    serials: learnSerials(observation, history),
    zone: zoneOf(observation),
    provider: delegation.type === "delegated" ? providerOf(delegation.nameservers) : null,
  };
}
