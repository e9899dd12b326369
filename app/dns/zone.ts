import { soaOf } from "./answers.ts";
import { findDelegation } from "./delegation.ts";
import type { Soa } from "./observation.ts";
import type { Read } from "./read.ts";
import type { ZoneReading } from "./reader.ts";
import type { Cut } from "./referral.ts";
import { addressesOf } from "./walk.ts";
import { askZone } from "./zone-servers.ts";

/** Reads what anybody may know of the zone that holds `name`: its delegation, and its SOA from its own servers. */
export async function readZone(read: Read, name: string): Promise<ZoneReading> {
  const found = await findDelegation(read, name);
  if (!found.cut)
    return { type: found.delegation.type === "none" ? "no_delegation" : "unresolvable" };
  const soa = found.soa ?? (await readSoa(read, found.cut));
  if (!soa) return { type: "unresolvable" };
  return {
    type: "read",
    zone: found.cut.zone,
    nameservers: found.cut.nameservers,
    ttl: found.cut.ttl,
    negativeTtl: Math.min(soa.ttl, soa.minimum),
    at: read.at,
  };
}

async function readSoa(read: Read, cut: Cut): Promise<Soa | null> {
  const heard = await askZone(read, cut, { name: cut.zone, type: "SOA" }, (host) =>
    addressesOf(read, host),
  );
  if (heard?.verdict.type !== "authoritative") return null;
  const soa = soaOf(heard.message);
  return soa?.zone === cut.zone ? soa : null;
}
