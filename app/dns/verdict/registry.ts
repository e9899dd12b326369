import { getPublicSuffix } from "tldts";
import { isAtOrBelow } from "../names.ts";

/** Registries alone: a host that lends names under its own is a zone like any other. */
const SUFFIX_OPTIONS = {
  allowPrivateDomains: false,
  extractHostname: false,
  validateHostname: false,
} as const;

/** Whether a zone that holds `name` or delegates toward it is a registry's: at or above the name's public suffix. */
export function isRegistry(zone: string, name: string): boolean {
  const suffix = getPublicSuffix(name, SUFFIX_OPTIONS) ?? name;
  return isAtOrBelow(suffix, zone);
}

/** Whoever claims `name` does not edit `zone`: a registry's, or a host's that lends names under its own. */
export function isLent(zone: string, name: string): boolean {
  const suffix = getPublicSuffix(name, { ...SUFFIX_OPTIONS, allowPrivateDomains: true }) ?? name;
  return isAtOrBelow(suffix, zone);
}

/** The zone whose DNS panel decides where `zone` is delegated to; undefined where the registrar does. */
export function delegatingZone({
  zone,
  parent,
}: {
  zone: string;
  parent: string;
}): string | undefined {
  return isLent(parent, zone) ? undefined : parent;
}
