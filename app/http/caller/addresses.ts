import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

const BITS: Record<number, number> = { 4: 32, 6: 128 };

/**
 * An address or a CIDR as the address of its network, `203.0.113.0/24`, without the length if it is a single address.
 * Null if it is neither, or maps IPv4 into IPv6.
 */
export function networkText(text: string): string | null {
  const [address = "", length, ...more] = text.trim().toLowerCase().split("/");
  const family = isIP(address);
  const bits = BITS[family];
  if (bits === undefined || more.length > 0 || address.includes("%")) return null;
  if (length !== undefined && !/^(0|[1-9]\d{0,2})$/.test(length)) return null;
  const given = length === undefined ? bits : Number(length);
  if (given > bits) return null;
  const parsed = ipaddr.parse(address);
  if (parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress()) return null;
  const cidr = `${address}/${given}`;
  const network =
    family === 4
      ? ipaddr.IPv4.networkAddressFromCIDR(cidr)
      : ipaddr.IPv6.networkAddressFromCIDR(cidr);
  return given === bits ? network.toString() : `${network}/${given}`;
}

/** Whether the address is in one of the networks. */
export function isWithin(address: string, networks: readonly string[]): boolean {
  if (isIP(address) === 0) return false;
  const given = ipaddr.parse(address);
  return networks.some((network) => {
    const [range, bits] = network.includes("/")
      ? ipaddr.parseCIDR(network)
      : ([ipaddr.parse(network), BITS[isIP(network)] ?? 0] as const);
    return range.kind() === given.kind() && given.match(range, bits);
  });
}
