import { type Name, octetsOf } from "./name.ts";
import { type Bytes, compareBytes, concat } from "./records.ts";
import { digest, isDigest, isSupported } from "./signature.ts";
import { spend } from "./stop.ts";
import type { Cost } from "./verdict.ts";

/** A key that may sign a zone (RFC 4034 section 2): the RDATA of its record, and the key in it. */
export type Key = {
  keyTag: number;
  algorithm: number;
  isEntryPoint: boolean;
  rdata: Bytes;
  publicKey: Bytes;
};
/** RFC 4034 section 5. */
export type Ds = { keyTag: number; algorithm: number; digestType: number; digest: Bytes };

const ZONE_KEY = 0x01;
const REVOKED = 0x80;
const ENTRY_POINT = 0x01;
const PROTOCOL = 3;

/** Null if the key may not sign a zone: another purpose, or revoked (RFC 5011). */
export function readKey(rdata: Bytes): Key | null {
  const [high = 0, low = 0, protocol, algorithm] = rdata;
  if (algorithm === undefined || protocol !== PROTOCOL) return null;
  if ((high & ZONE_KEY) === 0 || (low & REVOKED) !== 0) return null;
  // The key tag: RFC 4034 appendix B.
  const sum = rdata.reduce((all, octet, at) => all + (at % 2 === 0 ? octet << 8 : octet), 0);
  const keyTag = (sum + (sum >>> 16)) & 0xffff;
  const isEntryPoint = (low & ENTRY_POINT) !== 0;
  return { keyTag, algorithm, isEntryPoint, rdata, publicKey: rdata.slice(4) };
}

export function readDs(rdata: Bytes): Ds {
  const [high = 0, low = 0, algorithm = 0, digestType = 0] = rdata;
  return { keyTag: high * 0x100 + low, algorithm, digestType, digest: rdata.slice(4) };
}

/** The DS records that count (RFC 6840 section 5.2); if none does, the zone counts as unsigned. */
export async function usableDs(all: readonly Ds[]): Promise<Ds[]> {
  const supported = await Promise.all(all.map(({ algorithm }) => isSupported(algorithm)));
  return all.filter(({ digestType }, index) => supported[index] && isDigest(digestType));
}

/** The keys of a zone that have the digest of one of its DS records. Throws Stop. */
export async function entryKeys(
  zone: Name,
  keys: readonly Key[],
  all: readonly Ds[],
  cost: Cost,
): Promise<Key[]> {
  const found = new Set<Key>();
  for (const key of keys) {
    for (const ds of all) {
      if (found.has(key) || ds.keyTag !== key.keyTag || ds.algorithm !== key.algorithm) continue;
      spend(cost, "digests");
      const own = await digest(ds.digestType, concat(octetsOf(zone), key.rdata));
      if (compareBytes(own, ds.digest) === 0) found.add(key);
    }
  }
  return [...found];
}
