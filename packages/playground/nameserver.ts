import type { Query, Response } from "./message.ts";
import { canonical, closestValue, parentOf } from "./names.ts";
import { DnsServer } from "./server.ts";
import { lookup, signedLookup, type Zone } from "./zone.ts";

/** An authoritative server with its own copies of zones. */
export class NameServer extends DnsServer {
  readonly zones = new Map<string, Zone>();

  protected answer(query: Query): Response {
    if (!query.standard) return { rcode: "NOTIMP" };
    const name = canonical(query.name);
    // The parent's side of a zone cut answers for DS (RFC 4035 section 3.1.4.1).
    const parentZone =
      query.type === "DS" && name !== "" ? closestValue(this.zones, parentOf(name)) : undefined;
    const zone = parentZone ?? closestValue(this.zones, name);
    if (!zone) return { rcode: "REFUSED" };
    const lookUp = query.wantsSignatures ? signedLookup : lookup;
    return lookUp(zone, query.name, query.type);
  }
}
