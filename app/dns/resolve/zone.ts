import type { Soa } from "../soa.ts";
import { soaOf } from "./answers.ts";
import { delegationOf, type FoundDelegation, findDelegation } from "./delegation.ts";
import type { Read } from "./read.ts";
import type { ZoneReading } from "./reader.ts";
import type { Cut } from "./referral.ts";
import { askZone } from "./walk.ts";
import { descend } from "./zone-cuts.ts";

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
