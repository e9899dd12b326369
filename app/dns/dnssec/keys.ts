import { type Cost, spend } from "./limits.ts";
import { type Bytes, compareBytes, concat, octetsOf } from "./records.ts";
import { digest, isDigest, isSupported } from "./signature.ts";
import { nameText, type WireName, wireName } from "./wire-name.ts";

/** A key that may sign a zone (RFC 4034 section 2): its RDATA, and the key itself without the head. */
export type Key = { keyTag: number; algorithm: number; rdata: Bytes; publicKey: Bytes };

/** A DS record (RFC 4034 section 5). */
export type Ds = { keyTag: number; algorithm: number; digestType: number; digest: Bytes };

/** A key that is trusted from the start: the DS record of a zone. `digest` in hex, `zone` as "." or "lab.test". */
export type Anchor = {
  zone: string;
  keyTag: number;
  algorithm: number;
  digestType: number;
  digest: string;
};

const root = (keyTag: number, hex: string): Anchor => ({
  zone: ".",
  keyTag,
  algorithm: 8,
  digestType: 2,
  digest: hex,
});

/** The root's keys: KSK-2017, and KSK-2024, which signs from October 2026. */
export const ROOT_ANCHORS: readonly Anchor[] = [
  root(20326, "e06d44b80b8f1d39a95c0b0d7c65d08458e880409bbc683457104237c7f8ec8d"),
  root(38696, "683d2d0acb8c9b712a1948b27f741219298d0a450d612c483af444a4c0fb2b16"),
];

const ANCHOR =
  /^(?<zone>\S+)\s+(?:\d+\s+)?(?:IN\s+)?DS\s+(?<tag>\d{1,5})\s+(?<algorithm>\d{1,3})\s+(?<type>\d{1,3})\s+(?<digest>[0-9a-f\s]+)$/i;

/** The anchor in the line of a zone file, such as "lab.test. IN DS 4711 13 2 9f3c..."; null if it is not a DS record. */
export function parseAnchor(line: string): Anchor | null {
  const {
    zone = "",
    tag,
    algorithm,
    type,
    digest: hex = "",
  } = ANCHOR.exec(line.trim())?.groups ?? {};
  const name = wireName(zone === "." ? zone : zone.replace(/\.$/, ""));
  const digits = hex.replace(/\s/g, "").toLowerCase();
  if (name === null || digits.length % 2 !== 0) return null;
  const numbers = { keyTag: Number(tag), algorithm: Number(algorithm), digestType: Number(type) };
  return { zone: nameText(name), ...numbers, digest: digits };
}

export const dsOfAnchor = ({ digest: hex, ...rest }: Anchor): Ds => ({
  ...rest,
  digest: Uint8Array.from(hex.match(/../g) ?? [], (octet) => Number.parseInt(octet, 16)),
});

export function readDs(rdata: Bytes): Ds {
  const [high = 0, low = 0, algorithm = 0, digestType = 0] = rdata;
  return { keyTag: high * 0x100 + low, algorithm, digestType, digest: rdata.slice(4) };
}

const ZONE_KEY = 0x01;
const REVOKED = 0x80;
const PROTOCOL = 3;

/** The key in a DNSKEY record; null if it may not sign a zone: another purpose, or revoked (RFC 5011). */
export function readKey(rdata: Bytes): Key | null {
  const [high = 0, low = 0, protocol, algorithm] = rdata;
  if (algorithm === undefined || protocol !== PROTOCOL) return null;
  if ((high & ZONE_KEY) === 0 || (low & REVOKED) !== 0) return null;
  return { keyTag: keyTagOf(rdata), algorithm, rdata, publicKey: rdata.slice(4) };
}

/** RFC 4034 appendix B. */
function keyTagOf(rdata: Bytes): number {
  const sum = rdata.reduce((all, octet, at) => all + (at % 2 === 0 ? octet * 0x100 : octet), 0);
  return (sum + (sum >>> 16)) & 0xffff;
}

/** The DS records that count (RFC 4035 section 5.2, RFC 6840 section 5.2); if none, the zone counts as unsigned. */
export async function usableDs(all: readonly Ds[]): Promise<Ds[]> {
  const supported = await Promise.all(all.map(({ algorithm }) => isSupported(algorithm)));
  return all.filter(({ digestType }, index) => supported[index] && isDigest(digestType));
}

/** The keys of a zone that a DS record names and whose digest it has. Throws LimitReached. */
export async function entryKeys(
  zone: WireName,
  keys: readonly Key[],
  all: readonly Ds[],
  cost: Cost,
): Promise<Key[]> {
  const found: Key[] = [];
  for (const key of keys) {
    for (const ds of all) {
      if (ds.keyTag !== key.keyTag || ds.algorithm !== key.algorithm) continue;
      spend(cost, "digests");
      const own = await digest(ds.digestType, concat(octetsOf(zone), key.rdata));
      if (own === null || compareBytes(own, ds.digest) !== 0) continue;
      found.push(key);
      break;
    }
  }
  return found;
}
