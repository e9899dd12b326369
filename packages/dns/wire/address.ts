import { isIP, isIPv4 } from "node:net";
import ipaddr from "ipaddr.js";

/** Special-purpose ranges (RFC 6890) that ipaddr.js counts as unicast. */
const SPECIAL_NETWORKS = ["2620:4f:8000::/48", "3fff::/20"];

/** Addresses for metadata and DNS inside clouds. They are refused even if an allowed range contains them. */
const CLOUD_NETWORKS = [
  "169.254.0.0/16",
  "168.63.129.16/32", // Azure
  "fd00:ec2::/32", // AWS
  "fd20:ce::254/128", // Google
  "192.0.0.192/32", // Oracle
  "100.100.2.136/32", // Alibaba
  "100.100.2.138/32", // Alibaba
  "100.100.100.200/32", // Alibaba
  "161.26.0.0/24", // IBM
  "183.60.82.98/32", // Tencent
  "183.60.83.19/32", // Tencent
];

const MAX_CACHED_VERDICTS = 10_000;

export type AddressPolicy = (address: string) => boolean;

/** Refuses special-purpose addresses except `allowed` CIDRs; always refuses cloud-internal addresses and `denied` CIDRs. */
export function addressPolicy(allowed: readonly string[], denied: readonly string[] = []) {
  const isSpecial = inNetworks(SPECIAL_NETWORKS);
  const isAllowed = inNetworks(allowed);
  const isDenied = inNetworks([...CLOUD_NETWORKS, ...denied]);
  const verdicts = new Map<string, boolean>();
  return (address: string) => {
    const cached = verdicts.get(address);
    if (cached !== undefined) return cached;
    const verdict =
      isZoneless(address) &&
      !isDenied(address) &&
      (isAllowed(address) || (isGlobal(address) && !isSpecial(address)));
    if (verdicts.size >= MAX_CACHED_VERDICTS) verdicts.clear();
    verdicts.set(address, verdict);
    return verdict;
  };
}

const isZoneless = (address: string): boolean => isIP(address) !== 0 && !address.includes("%");

export function inNetworks(networks: readonly string[]): AddressPolicy {
  const ranges = networks.map((network) =>
    ipaddr.parseCIDR(network.includes("/") ? network : `${network}/${isIPv4(network) ? 32 : 128}`),
  );
  return (address) => {
    if (!isZoneless(address)) return false;
    const ip = ipaddr.parse(address);
    return ranges.some((range) => ip.kind() === range[0].kind() && ip.match(range));
  };
}

/** Outside 2000::/3, IPv6 has no global unicast addresses. */
function isGlobal(address: string): boolean {
  const ip = ipaddr.parse(address);
  return ip.range() === "unicast" && (!("parts" in ip) || (ip.parts[0] ?? 0) >> 13 === 1);
}

/** The canonical spelling of an address (RFC 5952), as sockets report it; null for anything else. */
export const canonicalAddress = (address: string): string | null =>
  isZoneless(address) ? ipaddr.parse(address).toString() : null;
