import { isIP } from "node:net";
import { lowerCase, ROOT } from "../names.ts";
import { canonicalAddress } from "../wire/address.ts";
import type { GluedCut } from "./reader.ts";

export type RootHint = { host: string; addresses: string[] };

const ROOT_SERVERS: [letter: string, v4: string, v6: string][] = [
  ["a", "198.41.0.4", "2001:503:ba3e::2:30"],
  ["b", "170.247.170.2", "2801:1b8:10::b"],
  ["c", "192.33.4.12", "2001:500:2::c"],
  ["d", "199.7.91.13", "2001:500:2d::d"],
  ["e", "192.203.230.10", "2001:500:a8::e"],
  ["f", "192.5.5.241", "2001:500:2f::f"],
  ["g", "192.112.36.4", "2001:500:12::d0d"],
  ["h", "198.97.190.53", "2001:500:1::53"],
  ["i", "192.36.148.17", "2001:7fe::53"],
  ["j", "192.58.128.30", "2001:503:c27::2:30"],
  ["k", "193.0.14.129", "2001:7fd::1"],
  ["l", "199.7.83.42", "2001:500:9f::42"],
  ["m", "202.12.27.33", "2001:dc3::35"],
];

export const IANA_ROOT_HINTS: RootHint[] = ROOT_SERVERS.map(([letter, v4, v6]) => ({
  host: `${letter}.root-servers.net`,
  addresses: [v4, v6],
}));

/** Reads the format of named.root. Throws a one-line Error if the text has no root server with an address. */
export function parseRootHints(text: string): RootHint[] {
  const addresses = new Map<string, string[]>();
  const hosts: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    const [owner, ...rest] = line.replace(/;.*$/, "").trim().split(/\s+/);
    const [type = "", data = ""] = rest.filter((word) => !/^(\d+|IN)$/i.test(word));
    if (!owner || !data) continue;
    if (owner === "." && /^NS$/i.test(type)) hosts.push(normalizeHost(data));
    if (/^A(AAA)?$/i.test(type) && isIP(data)) {
      const host = normalizeHost(owner);
      addresses.set(host, [...(addresses.get(host) ?? []), data]);
    }
  }
  const hints = hosts
    .map((host) => ({ host, addresses: addresses.get(host) ?? [] }))
    .filter((hint) => hint.addresses.length > 0);
  if (hints.length === 0) throw new Error("no root server with an address in the root hints");
  return hints;
}

const normalizeHost = (name: string) => lowerCase(name).replace(/\.$/, "");

/** Nothing delegates the root, so its TTL has no meaning. */
export function rootZone(hints: readonly RootHint[]): GluedCut {
  const addressesOf = ({ addresses }: RootHint) =>
    addresses.flatMap((address) => canonicalAddress(address) ?? []);
  const glue = new Map(hints.map((hint) => [lowerCase(hint.host), addressesOf(hint)]));
  return { cut: { zone: ROOT, parent: ROOT, nameservers: [...glue.keys()], ttl: 0 }, glue };
}
