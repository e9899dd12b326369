import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";
import ipaddr from "ipaddr.js";

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** An IPv4 address carried in an IPv6 one (RFC 4291 section 2.5.5.2) as plain IPv4; a zone id is dropped. */
export function foldAddress(address: string): string {
  const bare = address.split("%")[0] ?? "";
  return MAPPED.exec(bare)?.[1] ?? bare;
}

/** The network an address is in: an IPv4 /24, an IPv6 /48, the most a site is assigned (RFC 6177). */
export function networkOf(address: string): string {
  const folded = foldAddress(address);
  if (isIP(folded) !== 6) return folded.split(".").slice(0, 3).join(".");
  return ipaddr.IPv6.parse(folded).parts.slice(0, 3).join(":");
}

/** The hops allowed to say whom they speak for; null where there are none. Takes CIDRs. */
export function trustedProxies(cidrs: string[]): BlockList | null {
  if (cidrs.length === 0) return null;
  const trusted = new BlockList();
  for (const cidr of cidrs) {
    const [address = "", bits = ""] = cidr.split("/");
    trusted.addSubnet(address, Number(bits), isIP(address) === 6 ? "ipv6" : "ipv4");
  }
  return trusted;
}

/**
 * The client's address: the socket's, or, while the hop at hand is trusted, the next entry of
 * X-Forwarded-For from the right. An entry that is no address stops the walk.
 */
export function clientAddress(
  socketAddress: string | undefined,
  forwardedFor: string | undefined,
  trusted: BlockList | null,
): string {
  let address = foldAddress(socketAddress ?? "");
  if (!trusted) return address;
  const entries = (forwardedFor ?? "").split(",").map((entry) => entry.trim());
  while (isIP(address) && trusted.check(address, isIP(address) === 6 ? "ipv6" : "ipv4")) {
    const next = foldAddress(entries.pop() ?? "");
    if (!isIP(next)) break;
    address = next;
  }
  return address;
}

/** The client's address of a request whose headers are as they came. */
export const requestAddress = (request: IncomingMessage, trusted: BlockList | null): string =>
  clientAddress(
    request.socket.remoteAddress,
    request.headers["x-forwarded-for"]?.toString(),
    trusted,
  );
