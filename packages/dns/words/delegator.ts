import { delegatorOf, heldName, parentOf, registeredName } from "../names.ts";
import type { StaleGlue } from "../verdict/diagnosis.ts";

/** A zone, the claimed name in or below it, and the zone that delegates it, unless a registry does. */
export type Delegated = { zone: string; domain: string; parent?: string | undefined };

/** Who lists the nameservers and keys of the zone. */
export function holderOf({ zone, domain, parent }: Delegated): string {
  if (parent !== undefined) return `the zone ${parent}`;
  const isGivenOut = delegatorOf(zone, domain) === "suffix";
  return isGivenOut ? `the zone ${parentOf(heldName(zone))}` : "the registry";
}

/** "which nameservers to enter …": where the zone's NS, glue and DS records are set. */
export function whereDelegated({ zone, domain, parent }: Delegated): string {
  const party = delegatorOf(zone, domain, parent);
  if (party === "parent") return `in the DNS panel of the zone ${parent}`;
  if (party === "suffix") return `where ${zone} was registered`;
  return `at the registrar of ${zone}`;
}

/** The sentence that has the one who can do it change what lists the zone. */
export function atDelegator(zone: Delegated, act: string): string {
  if (delegatorOf(zone.zone, zone.domain, zone.parent) === "others")
    return `Ask the company that runs ${zone.zone} to ${act}.`;
  const where = whereDelegated(zone);
  return `${where.charAt(0).toUpperCase()}${where.slice(1)}, ${act}.`;
}

/** A host's address is set where the host's own domain is listed, which may be its operator's. */
export function correctGlue({ host, registered, own, parent }: StaleGlue, domain: string): string {
  const act = `change the address (glue) of ${host} from ${registered} to ${own[0]}`;
  const zone = heldName(host);
  if (zone === heldName(domain)) return atDelegator({ zone, domain: zone, parent }, act);
  return `Ask the company that runs ${zone} to ${act} at the registrar of ${registeredName(host) ?? zone}.`;
}
