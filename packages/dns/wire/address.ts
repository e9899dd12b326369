import { isIP, isIPv4, isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";

/** Special-purpose ranges (RFC 6890) that ipaddr.js counts as unicast. */
const MORE_SPECIAL = ["2620:4f:8000::/48", "3fff::/20"];

/**
 * Addresses at which clouds serve their own machines: metadata services and internal resolvers. Refused even if
 * allowed, because an allowed private range may contain one, and some are public addresses.
 */
const CLOUDS = [
  "169.254.0.0/16",
  // Azure
  "168.63.129.16/32",
  // AWS
  "fd00:ec2::/32",
  // Google
  "fd20:ce::254/128",
  // Oracle
  "192.0.0.192/32",
  // Alibaba
  "100.100.2.136/32",
  "100.100.2.138/32",
  "100.100.100.200/32",
  // IBM
  "161.26.0.0/24",
  // Tencent
  "183.60.82.98/32",
  "183.60.83.19/32",
];

/** Limit on cached verdicts: a nameserver's address is checked at every read of its zones. */
const MANY = 10_000;

/** Whether packets may be sent to an address. */
export type AddressPolicy = (address: string) => boolean;

/** Refuses special-purpose addresses but for `allowed` CIDRs; cloud-internal addresses and `denied` CIDRs always. */
export function addressPolicy(
  allowed: readonly string[],
  denied: readonly string[] = [],
): AddressPolicy {
  const special = ranges(MORE_SPECIAL);
  const exceptions = ranges(allowed);
  const never = ranges([...CLOUDS, ...denied]);
  const judge = (address: string) => {
    if (!isIP(address) || address.includes("%")) return false;
    const ip = ipaddr.parse(address);
    if (isWithin(ip, never)) return false;
    return isWithin(ip, exceptions) || (isGlobal(ip) && !isWithin(ip, special));
  };
  const known = new Map<string, boolean>();
  return (address) => {
    const before = known.get(address);
    if (before !== undefined) return before;
    const verdict = judge(address);
    if (known.size >= MANY) known.clear();
    known.set(address, verdict);
    return verdict;
  };
}

type Ip = ReturnType<typeof ipaddr.parse>;
type Range = ReturnType<typeof ipaddr.parseCIDR>;

const ranges = (cidrs: readonly string[]): Range[] => cidrs.map((cidr) => ipaddr.parseCIDR(cidr));

const isWithin = (ip: Ip, all: readonly Range[]): boolean =>
  all.some((range) => ip.kind() === range[0].kind() && ip.match(range));

/** Outside 2000::/3, IPv6 has no global unicast addresses. */
const isGlobal = (ip: Ip): boolean =>
  ip.range() === "unicast" && (ip instanceof ipaddr.IPv4 || (ip.parts[0] ?? 0) >> 13 === 1);

/** The canonical spelling of an address (RFC 5952), as sockets report it; null for anything else. */
export function canonicalAddress(address: string): string | null {
  if (isIPv4(address)) return address;
  return isIPv6(address) && !address.includes("%") ? ipaddr.parse(address).toString() : null;
}
