import { registeredName } from "../names.ts";
import type { Diagnosis } from "../verdict/diagnosis.ts";
import { isHost } from "./answer.ts";

const DELEGATION_FAULTS = ["unreachable", "ds_without_keys", "ds_matches_no_key"];

const isAboutDelegation = ({ code, observed }: Diagnosis): boolean =>
  code === "servfail"
    ? !observed.fault || DELEGATION_FAULTS.includes(observed.fault.type)
    : code === "lame_delegation" ||
      (code === "not_published" && !observed.unchanged) ||
      (code === "record_absent" && observed.parked !== undefined);

/** Whether only a wildcard's records are at the name, perhaps those of a registrar's page for expired names. */
export function mayHaveExpired({ code, observed }: Diagnosis): boolean {
  if (code === "no_matching_record") return observed.wildcard;
  if (code === "cname_conflict") return observed.record?.name.startsWith("*.") ?? false;
  return code === "record_absent" && observed.wildcardName !== undefined && !observed.parked;
}

export const isNothingDelegated = (diagnosis: Diagnosis): boolean =>
  diagnosis.code === "lame_delegation" && diagnosis.observed.nameservers.length === 0;

/** The name to ask a registry about; null if no answer can explain the diagnosis. `zone` is null if unknown. */
export function nameToAsk(claim: { name: string; zone: string | null }, diagnosis: Diagnosis) {
  if (!isAboutDelegation(diagnosis) && !mayHaveExpired(diagnosis)) return null;
  const name = registeredName(claim.name);
  return isNothingDelegated(diagnosis) || claim.zone === name ? name : null;
}

export const delegatedServers = (diagnosis: Diagnosis): string[] =>
  hostsIn(diagnosis).flatMap((host) => (isHost(host.toLowerCase()) ? host.toLowerCase() : []));

function hostsIn(diagnosis: Diagnosis): string[] {
  if (diagnosis.code === "lame_delegation")
    return diagnosis.observed.nameservers.map(({ host }) => host);
  if (diagnosis.code === "record_absent") return diagnosis.observed.parked?.nameservers ?? [];
  if (diagnosis.code !== "not_published") return [];
  const { nameservers, publishedOn, elsewhere } = diagnosis.observed;
  if (!elsewhere) return [...nameservers, ...publishedOn];
  return elsewhere.type === "listed" ? publishedOn : nameservers;
}
