import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import proxyaddr from "proxy-addr";
import { DeedError } from "#app/core/errors.server.ts";
import type { Env } from "#app/ops/environment/env.server.ts";

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

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);
const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i;

export const isWrite = (method: string): boolean => !SAFE_METHODS.has(method);

type Provenance = Record<"origin" | "fetchSite" | "host", string | null | undefined>;

function isOwnOrigin(env: Env, origin: string, host: string): boolean {
  if (origin === env.BASE_URL) return true;
  const isOwnLoopback = origin.toLowerCase() === `http://${host.toLowerCase()}`;
  return !env.baseUrlGiven && LOOPBACK_HOST.test(host) && isOwnLoopback;
}

/**
 * Whether a write comes from another site: its `Origin` is not the service's, or its `Sec-Fetch-Site` is cross-site or
 * same-site. `Origin: null` is the service's if `Sec-Fetch-Site`, which no page can set, says same-origin: some proxies
 * and privacy settings remove the origin. A request with neither header comes from a program, not a browser.
 */
export function isCrossOrigin(env: Env, { origin, fetchSite, host }: Provenance): boolean {
  if (fetchSite === "cross-site" || fetchSite === "same-site") return true;
  if (origin === "null" && fetchSite === "same-origin") return false;
  return typeof origin === "string" && !isOwnOrigin(env, origin, host ?? "");
}

/** Throws cross_origin for a write from another site. */
export function checkOrigin(request: Request, env: Env): void {
  if (!isWrite(request.method)) return;
  const provenance = {
    origin: request.headers.get("Origin"),
    fetchSite: request.headers.get("Sec-Fetch-Site"),
    host: request.headers.get("Host"),
  };
  if (isCrossOrigin(env, provenance)) throw new DeedError("cross_origin");
}
