import { isIPv4, isIPv6 } from "node:net";
import { isAtOrBelow } from "../names.ts";
import type { ServerReading } from "./observation.ts";

/** What is wrong with a nameserver as the zone above lists it, rather than with the server. */
export type ListingFault = "alias" | "address" | "glue";

/**
 * The fault of one entry in the list of a zone's nameservers: a name that is an alias; an address where a name has to
 * stand, alone or with a zone that a panel put behind it; a name inside the zone without its address (RFC 1034 section
 * 4.2.1). Null where the entry is none of these.
 */
export function listingFault(
  { host, result }: Pick<ServerReading, "host" | "result">,
  zone: string,
): ListingFault | null {
  if (result === "is_alias") return "alias";
  if (result !== "no_address") return null;
  if (isIPv4(host.split(".").slice(0, 4).join(".")) || isIPv6(host)) return "address";
  return isAtOrBelow(host, zone) ? "glue" : null;
}

/** Failures of a server that does serve the zone. */
const SERVING = new Set<ServerReading["result"]>([
  "tcp_refused",
  "case_changed",
  "too_large",
  "ipv6_only",
]);

/** The challenge name is a zone of its own, and none of its nameservers serves it. */
export const isDeadCut = (
  nameservers: readonly Pick<ServerReading, "result">[],
  zone: string,
  challengeName: string,
): boolean => zone === challengeName && nameservers.every(({ result }) => !SERVING.has(result));
