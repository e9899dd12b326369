import type { Delegation } from "../verdict/observation.ts";
import { isRegistry } from "../verdict/registry.ts";
import type { Read } from "./read.ts";
import type { Cut } from "./referral.ts";
import { walk } from "./walk.ts";

/** The first zone below the registries on the path to a name, as the registries' servers delegate it. */
export type FoundDelegation =
  | { delegation: Extract<Delegation, { type: "delegated" }>; cut: Cut }
  | { delegation: Exclude<Delegation, { type: "delegated" }>; cut: null };

/**
 * Walks from the root hints through the registries to the zone that they delegate toward `name`. Zones at or above the
 * name's public suffix are registries: if they delegate nothing there is no zone, and their silence is not the
 * claimant's fault. Delegations below that zone are left to zone-cuts.ts, which asks all of its servers.
 */
export async function findDelegation(read: Read, name: string): Promise<FoundDelegation> {
  const result = await walk(read, name, "NS");
  const { cut } = result;
  if (cut.zone === name || !isRegistry(cut.zone, name)) {
    return { delegation: delegationOf(cut), cut };
  }
  if (result.type === "silent") {
    return { delegation: { type: "unreachable", zone: cut.zone }, cut: null };
  }
  const rcode = result.message?.rcode ?? "NOERROR";
  return { delegation: { type: "none", parent: cut.zone, rcode }, cut: null };
}

export function delegationOf(cut: Cut): Extract<Delegation, { type: "delegated" }> {
  const { zone, parent, nameservers, ttl } = cut;
  return { type: "delegated", zone, parent, nameservers, ttl };
}
