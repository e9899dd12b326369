import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import proxyaddr from "proxy-addr";

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** Turns an IPv4-mapped IPv6 address (RFC 4291 section 2.5.5.2) into IPv4, and drops a zone id. */
export function foldAddress(address: string): string {
  const bare = address.split("%")[0] ?? "";
  return MAPPED.exec(bare)?.[1] ?? bare;
}

/** The network an address belongs to: an IPv4 /24, or an IPv6 /48, the most that a site is assigned (RFC 6177). */
export function networkOf(address: string): string {
  const folded = foldAddress(address);
  if (isIP(folded) !== 6) return folded.split(".").slice(0, 3).join(".");
  return ipaddr.IPv6.parse(folded).parts.slice(0, 3).join(":");
}

const BY_PROXY = /^(?:forwarded|via|x-real-ip|x-forwarded-.+)$/;

/** Whether a request was made on this machine itself: on loopback, without a header that a proxy adds. */
export function isLocal({ headers, socket }: IncomingMessage): boolean {
  const neighbour = foldAddress(socket.remoteAddress ?? "");
  if (neighbour !== "::1" && !neighbour.startsWith("127.")) return false;
  return !Object.keys(headers).some((name) => BY_PROXY.test(name));
}

/** Returns a function that finds a request's client address, given the CIDRs of the proxies to trust. */
export function clientAddresses(trustedProxies: string[]): (request: IncomingMessage) => string {
  const isTrusted = proxyaddr.compile(trustedProxies);
  return (request) => {
    // An entry that is not an address ends the walk; the last trusted hop then counts as the client.
    const hops = proxyaddr.all(request, isTrusted).map((hop) => foldAddress(hop ?? ""));
    return hops.findLast((hop) => isIP(hop)) ?? "";
  };
}

const HOUR_MS = 3_600_000;

/**
 * Returns a function that notices requests with X-Forwarded-For from a neighbour that is not trusted, and calls
 * `report` with the neighbour's address, at most once an hour: anybody can send them.
 */
export function forwardingWatch(
  trustedProxies: string[],
  report: (neighbour: string) => void,
  elapsed = () => performance.now(),
): (request: IncomingMessage) => void {
  const isTrusted = proxyaddr.compile(trustedProxies);
  let quietUntil = 0;
  return ({ headers, socket }) => {
    if (!headers["x-forwarded-for"] || elapsed() < quietUntil) return;
    const neighbour = foldAddress(socket.remoteAddress ?? "");
    if (!isIP(neighbour) || isTrusted(neighbour, 0)) return;
    quietUntil = elapsed() + HOUR_MS;
    report(neighbour);
  };
}
