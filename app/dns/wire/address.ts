import { BlockList, isIPv4, isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";

/**
 * Ranges that no public nameserver uses: the complete IANA special-purpose address registries (RFC 6890), including
 * globally reachable entries, and multicast. Also IPv4 embedded in IPv6 (mapped, NAT64, 6to4, Teredo), which would
 * reach any IPv4 address under another spelling.
 */
const SPECIAL_PURPOSE = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "192.175.48.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
  // Everything outside global unicast, 2000::/3: loopback, unspecified, mapped, NAT64, discard-only, SRv6,
  // unique-local, link-local, multicast and unassigned space.
  "::/3",
  "4000::/2",
  "8000::/1",
  "2001::/23",
  "2001:db8::/32",
  "2002::/16",
  "2620:4f:8000::/48",
  "3fff::/20",
];

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

/**
 * Refuses special-purpose addresses except those in `allowed` CIDRs. Always refuses cloud-internal addresses and
 * `denied` CIDRs, even if allowed.
 */
export function addressPolicy(
  allowed: readonly string[],
  denied: readonly string[] = [],
): AddressPolicy {
  const special = ranges(SPECIAL_PURPOSE);
  const exceptions = ranges(allowed);
  const never = ranges([...CLOUDS, ...denied]);
  const judge = (address: string) => {
    const family = isIPv4(address) ? "ipv4" : isIPv6(address) ? "ipv6" : null;
    if (family === null || address.includes("%")) return false;
    if (never[family].check(address, family)) return false;
    return exceptions[family].check(address, family) || !special[family].check(address, family);
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

/** One list per family: in a shared list, Node treats an IPv4 address and its IPv4-mapped form as equal. */
function ranges(cidrs: readonly string[]): { ipv4: BlockList; ipv6: BlockList } {
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const cidr of cidrs) {
    const [address = "", length = ""] = cidr.split("/");
    const family = isIPv4(address) ? "ipv4" : "ipv6";
    lists[family].addSubnet(address, Number(length), family);
  }
  return lists;
}

/** The canonical spelling of an address (RFC 5952), as sockets report it; null for anything else. */
export function canonicalAddress(address: string): string | null {
  if (isIPv4(address)) return address;
  return isIPv6(address) && !address.includes("%") ? ipaddr.parse(address).toString() : null;
}
