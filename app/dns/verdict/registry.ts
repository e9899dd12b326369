import { getDomain, getPublicSuffix } from "tldts";
import { isAtOrBelow } from "../names.ts";

/** Registry suffixes only: a provider's domain under which customers get names counts as an ordinary zone. */
const SUFFIX_OPTIONS = {
  allowPrivateDomains: false,
  extractHostname: false,
  validateHostname: false,
} as const;

/** Whether `zone`, which holds or delegates toward `name`, is a registry's: at or above the name's public suffix. */
export function isRegistry(zone: string, name: string): boolean {
  const suffix = getPublicSuffix(name, SUFFIX_OPTIONS) ?? name;
  return isAtOrBelow(suffix, zone);
}

/** The name at or above `name` that is registered with a registry: one label below its suffix. Null if `name` is a suffix. */
export const registeredName = (name: string): string | null => getDomain(name, SUFFIX_OPTIONS);

/**
 * Whether the claimant of `name` cannot edit `zone`: it belongs to a registry or to a provider that gives out names.
 */
export function isOwnedByOthers(zone: string, name: string): boolean {
  const suffix = getPublicSuffix(name, { ...SUFFIX_OPTIONS, allowPrivateDomains: true }) ?? name;
  return isAtOrBelow(suffix, zone);
}

/** The parent zone, whose DNS panel sets the delegation of `zone`; undefined if the registrar sets it. */
export function delegatingZone({
  zone,
  parent,
}: {
  zone: string;
  parent: string;
}): string | undefined {
  return isOwnedByOthers(parent, zone) ? undefined : parent;
}
