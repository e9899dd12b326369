import { getPublicSuffix } from "tldts";
import { soaOf } from "./answers.ts";
import { isAtOrBelow } from "./names.ts";
import type { Delegation, Soa } from "./observation.ts";
import type { Read } from "./read.ts";
import type { Cut } from "./referral.ts";
import { walk } from "./walk.ts";

/** Registries alone: a host that lends names under its own is a zone like any other. */
const SUFFIX_OPTIONS = {
  allowPrivateDomains: false,
  extractHostname: false,
  validateHostname: false,
} as const;

/** The zone that holds a name, as the walk from the root found it. `soa` where the walk happened to see it. */
export type Found =
  | { delegation: Extract<Delegation, { type: "delegated" }>; cut: Cut; soa: Soa | null }
  | { delegation: Exclude<Delegation, { type: "delegated" }>; cut: null };

/**
 * Walks from the root hints to the zone that holds `name`. A zone at or above the name's public
 * suffix is a registry's: it delegates, or there is nothing; its silence is not the claimant's fault.
 */
export async function findDelegation(read: Read, name: string): Promise<Found> {
  const arrival = await walk(read, name, "NS");
  const { cut } = arrival;
  if (cut.zone === name || !isRegistry(cut.zone, name)) {
    const message = arrival.type === "reached" ? arrival.message : null;
    const soa = message && soaOf(message);
    return { delegation: delegated(cut), cut, soa: soa?.zone === cut.zone ? soa : null };
  }
  if (arrival.type === "silent") {
    return { delegation: { type: "unreachable", zone: cut.zone }, cut: null };
  }
  const rcode = arrival.message?.rcode ?? "NOERROR";
  return { delegation: { type: "none", parent: cut.zone, rcode }, cut: null };
}

export function delegated(cut: Cut): Extract<Delegation, { type: "delegated" }> {
  const { zone, parent, nameservers, ttl } = cut;
  return { type: "delegated", zone, parent, nameservers, ttl };
}

function isRegistry(zone: string, name: string): boolean {
  const suffix = getPublicSuffix(name, SUFFIX_OPTIONS) ?? name;
  return isAtOrBelow(suffix, zone);
}
