import type { Soa } from "../protocol.ts";
import type { Delegation } from "../verdict/observation.ts";
import { isRegistry } from "../verdict/registry.ts";
import { soaOf } from "./answers.ts";
import type { Read } from "./read.ts";
import type { ZoneReading } from "./reader.ts";
import type { Cut } from "./referral.ts";
import { askZone, walk } from "./walk.ts";
import { descend } from "./zone-cuts.ts";

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

/**
 * Reads the public data of the zone that holds `name`: its delegation, and its SOA from its own servers. Below the zone
 * that the registries delegate, a cut counts only if all servers of the zone show it, as in a challenge read.
 */
export async function readZone(read: Read, name: string): Promise<ZoneReading> {
  const { delegation, cut } = await findHolder(read, name);
  if (!cut) return { type: delegation.type === "none" ? "no_delegation" : "unresolvable" };
  const soa = await readSoa(read, cut);
  if (!soa) return { type: "unresolvable" };
  return {
    type: "read",
    zone: cut.zone,
    nameservers: cut.nameservers,
    ttl: cut.ttl,
    negativeTtl: Math.min(soa.ttl, soa.minimum),
    at: read.at,
  };
}

/** The zone that holds `name`, or why there is none. */
async function findHolder(read: Read, name: string): Promise<FoundDelegation> {
  const found = await findDelegation(read, name);
  if (!found.cut || found.cut.zone === name) return found;
  const { cut } = await descend(read, found.cut, { name, type: "SOA" }, () => false);
  return { delegation: delegationOf(cut), cut };
}

async function readSoa(read: Read, cut: Cut): Promise<Soa | null> {
  const answer = await askZone(read, cut, { name: cut.zone, type: "SOA" });
  if (answer?.classification.type !== "authoritative") return null;
  const soa = soaOf(answer.message);
  return soa?.zone === cut.zone ? soa : null;
}
