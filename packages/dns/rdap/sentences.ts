import type { Diagnosis } from "../verdict/diagnosis.ts";
import { parkingReason } from "../verdict/parked.ts";
import { dateInWords, joinList } from "../words/wording.ts";
import type { Registration, RegistryStatus } from "./answer.ts";
import { delegatedServers, isNothingDelegated, mayHaveExpired } from "./relevance.ts";

/** What a registry said about `name` at `at`, in epoch milliseconds. `registration` is null if it is not registered. */
export type RegistryAnswer = { name: string; at: number; registration: Registration | null };

/** `fix` replaces the diagnosis's fix; null if that is still right. */
export type Explanation = { cause: string; fix: string | null };

const explainHold = (entry: Registration, name: string): Explanation | undefined =>
  Object.entries<Explanation>({
    "redemption period": {
      cause: `${name} was deleted at the registry and can still be restored (redemption period).`,
      fix: `Ask the registrar to restore ${name}.`,
    },
    "pending delete": {
      cause: `The registry is about to delete ${name} (pending delete).`,
      fix: `Ask the registrar whether ${name} can still be restored.`,
    },
    "client hold": {
      cause: `The registrar has put ${name} on hold.`,
      fix:
        parkingReason(entry.nameservers ?? []) === "unconfirmed"
          ? `At the registrar of ${name}, confirm the contact address of its owner.`
          : `Ask the registrar what it needs to take ${name} off hold.`,
    },
    "server hold": {
      cause: `The registry has put ${name} on hold.`,
      fix: `Ask the registrar what the registry needs to take ${name} off hold.`,
    },
  } satisfies Partial<Record<RegistryStatus, Explanation>>).find(([status]) =>
    entry.statuses.some((listed) => listed === status),
  )?.[1];

function explainTerm({ name, at }: RegistryAnswer, entry: Registration): Explanation | null {
  const { statuses, expiresAt } = entry;
  if (expiresAt !== null && expiresAt <= at)
    return {
      cause: `${name} expired on ${dateInWords(new Date(expiresAt).toISOString())}.`,
      fix: `Renew ${name} at the registrar.`,
    };
  if (statuses.includes("auto renew period"))
    return {
      cause: `The registration of ${name} ended, and the registry renewed it automatically (auto renew period).`,
      fix: `Check with the registrar that the renewal of ${name} is paid.`,
    };
  return null;
}

function explainNameservers(name: string, entry: Registration, diagnosis: Diagnosis) {
  const { nameservers, statuses } = entry;
  const dnsHosts = delegatedServers(diagnosis);
  const isNew = isNothingDelegated(diagnosis);
  const listsNoNameservers =
    nameservers?.length === 0 || (nameservers === null && statuses.includes("inactive"));
  const contrast = `but DNS still has ${joinList(dnsHosts)}`;
  if (!isNew && dnsHosts.length === 0) return null;
  if (listsNoNameservers)
    return {
      cause: `No nameservers are set for ${name} at the registrar${isNew ? "" : ` any more, ${contrast}`}.`,
      fix: `At the registrar of ${name}, enter your DNS provider’s nameservers.`,
    };
  if (!nameservers || (!isNew && dnsHosts.every((host) => nameservers.includes(host)))) return null;
  return {
    cause: `The registry has ${joinList(nameservers)} for ${name}, ${isNew ? "but DNS does not have them yet" : contrast}.`,
    fix: `If ${isNew ? "these" : "the new"} nameservers are the right ones, wait for the change.`,
  };
}

function explainKeys(name: string, entry: Registration, diagnosis: Diagnosis): Explanation | null {
  const { delegationSigned } = entry;
  if (diagnosis.code !== "servfail" || delegationSigned === null) return null;
  const { fault } = diagnosis.observed;
  if (fault?.type !== "ds_without_keys" && fault?.type !== "ds_matches_no_key") return null;
  return delegationSigned
    ? { cause: `The registry has a DS record for ${name}.`, fix: null }
    : {
        cause: `The registry no longer has a DS record for ${name}, but DNS still has the old one.`,
        fix: "Wait until DNS no longer has the old DS record.",
      };
}

/** Explains the diagnosis, most important first: at most two causes, none if the registry's answer explains nothing. */
export function explanations(answer: RegistryAnswer, diagnosis: Diagnosis): Explanation[] {
  const { name, registration } = answer;
  if (registration === null) {
    const cause = `${name} is not registered.`;
    const fix = `Register ${name}, or correct the name if it has a typo.`;
    return isNothingDelegated(diagnosis) ? [{ cause, fix }] : [];
  }
  // If a name is on hold or deleted, its nameservers do not matter, though the registry still has them.
  const hold = explainHold(registration, name);
  const isUnexpired = (registration.expiresAt ?? Number.POSITIVE_INFINITY) > answer.at;
  if (!hold && isUnexpired && mayHaveExpired(diagnosis)) return [];
  return [
    hold ?? explainTerm(answer, registration),
    hold ? null : explainNameservers(name, registration, diagnosis),
    explainKeys(name, registration, diagnosis),
  ]
    .filter((explanation) => explanation !== null)
    .slice(0, 2);
}
