import { dateInWords, joinList } from "#app/dns/copy/wording.ts";
import type { Diagnosis } from "#app/dns/verdict/diagnosis.ts";
import type { Registration } from "./answer.ts";
import { delegatedServers, isNothingDelegated } from "./relevance.ts";
import type { RegistryStatus } from "./statuses.ts";

/** What a registry said of `name`, epoch milliseconds `at`. `registration`: null if the name is not registered. */
export type RegistryAnswer = { name: string; at: number; registration: Registration | null };

/** What a status means for the delegation, and the one thing to do. The first that applies is said. */
const OF_STATUSES: readonly (readonly [RegistryStatus, (name: string) => string])[] = [
  [
    "redemption period",
    (name) =>
      `${name} was deleted at the registry and can still be restored (redemption period). Ask the registrar to restore it.`,
  ],
  [
    "pending delete",
    (name) =>
      `The registry is about to delete ${name} (pending delete). Ask the registrar whether it can still be restored.`,
  ],
  [
    "client hold",
    (name) =>
      `The registrar has put ${name} on hold. Ask the registrar what it needs to release the name.`,
  ],
  [
    "server hold",
    (name) =>
      `The registry has put ${name} on hold. Ask the registrar what the registry needs to release the name.`,
  ],
];

const RENEWED: RegistryStatus = "auto renew period";

function statusSentence({ name, at }: RegistryAnswer, known: Registration): string | null {
  const { statuses, expiresAt } = known;
  const [, say] = OF_STATUSES.find(([status]) => statuses.includes(status)) ?? [];
  if (say) return say(name);
  if (expiresAt !== null && expiresAt <= at)
    return `${name} expired on ${dateInWords(new Date(expiresAt).toISOString())}. Renew it at the registrar.`;
  if (statuses.includes(RENEWED))
    return `The term of ${name} has ended, and the registry has renewed it for the registrar (auto renew period). Check at the registrar that the renewal is paid.`;
  return null;
}

function nameserverSentence(
  { name }: RegistryAnswer,
  { nameservers, statuses }: Registration,
  diagnosis: Diagnosis,
): string | null {
  const above = delegatedServers(diagnosis);
  const isNone =
    nameservers?.length === 0 || (nameservers === null && statuses.includes("inactive"));
  if (isNothingDelegated(diagnosis)) {
    if (isNone)
      return `No nameservers are set for ${name} at the registrar. Enter your DNS provider's nameservers there.`;
    if (!nameservers) return null;
    return `The registry has ${joinList(nameservers)} for ${name}, and DNS does not have them yet. If they are the right ones, wait for it.`;
  }
  if (above.length === 0) return null;
  if (isNone)
    return `No nameservers are set for ${name} at the registrar any more, and DNS still has ${joinList(above)}. Enter your DNS provider's nameservers at the registrar.`;
  if (!nameservers || above.every((host) => nameservers.includes(host))) return null;
  return `The registry has ${joinList(nameservers)} for ${name}, and DNS still has ${joinList(above)}. If the new ones are right, wait for the change.`;
}

function keySentence(
  { name }: RegistryAnswer,
  { delegationSigned }: Registration,
  diagnosis: Diagnosis,
): string | null {
  if (diagnosis.code !== "servfail" || delegationSigned === null) return null;
  const { fault } = diagnosis.observed;
  if (fault?.type !== "ds_without_keys" && fault?.type !== "ds_matches_no_key") return null;
  return delegationSigned
    ? `The registry has a DS record for ${name}. It is changed or deleted at the registrar.`
    : `The registry has no DS record for ${name} any more, and DNS still has the old one. Wait for the change.`;
}

/**
 * What the registry's answer adds to a diagnosis: at most two sentences, each with the one thing to do; none if it
 * explains nothing.
 */
export function registrySentences(answer: RegistryAnswer, diagnosis: Diagnosis): string[] {
  const { name, registration } = answer;
  if (registration === null)
    return isNothingDelegated(diagnosis)
      ? [`${name} is not registered. Register it, or correct the name if it is misspelled.`]
      : [];
  const ofStatus = statusSentence(answer, registration);
  // A name that is on hold or deleted keeps its nameservers at the registry: they are not the point.
  const isWithheld = OF_STATUSES.some(([status]) => registration.statuses.includes(status));
  const ofServers = isWithheld ? null : nameserverSentence(answer, registration, diagnosis);
  const ofKeys = keySentence(answer, registration, diagnosis);
  return [ofStatus, ofServers, ofKeys].filter((sentence) => sentence !== null).slice(0, 2);
}
