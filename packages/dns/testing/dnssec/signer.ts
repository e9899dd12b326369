import { createHash } from "node:crypto";
import type { Anchor } from "../../dnssec/anchors.ts";
import {
  type Bytes,
  compareBytes,
  concat,
  countLabels,
  encodeChain,
  encodeRecord,
  lastLabels,
  type Name,
  nameText,
  octetsOf,
  parseName,
  type RrSet,
  type Rrsig,
  TYPE,
  wildcardOf,
} from "../../dnssec/records.ts";
import { type Key, readKey } from "../../dnssec/signature.ts";

/** Signs things that no honest signer would. All times are around `AT`. */
export const AT = 1_800_000_000;
const DAY = 86_400;
const period = { from: AT - DAY, until: AT + DAY };

/** From now on signs around this time instead of `AT`, in seconds since 1970. */
export const signAround = (at: number) =>
  void Object.assign(period, { from: at - DAY, until: at + DAY });

export type SigningKey = Key & { sign(data: Bytes): Promise<Bytes> };

export const named = (text: string): Name => parseName(text) ?? "";

const word = (value: number) => [value >> 8, value & 0xff];
const long = (value: number) => [...word(value >>> 16), ...word(value & 0xffff)];

/** A new ECDSA P-256 key with these flags. */
export async function makeKey(flags = 257): Promise<SigningKey> {
  const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  const pair = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const point = new Uint8Array(await crypto.subtle.exportKey("raw", pair.publicKey));
  const rdata = Uint8Array.from([...word(flags), 3, 13, ...point.subarray(1)]);
  // Also signs with keys that readKey refuses.
  const read = readKey(Uint8Array.from([1, 1, ...rdata.subarray(2)])) as Key;
  const sum = rdata.reduce((all, octet, at) => all + (at % 2 === 0 ? octet << 8 : octet), 0);
  const sign = async (data: Bytes) =>
    new Uint8Array(await crypto.subtle.sign(algorithm, pair.privateKey, data));
  return { ...read, rdata, keyTag: (sum + (sum >>> 16)) & 0xffff, sign };
}

/** The key and others with the same key tag: two words of the key are changed in opposite ways. */
export const clonesOf = (key: SigningKey, count: number) =>
  Array.from({ length: count }, (_, step) => {
    const rdata = Uint8Array.from(key.rdata);
    const words = new DataView(rdata.buffer);
    const [one, two] = [words.getUint16(10), words.getUint16(12)];
    const by = Math.min(step, 0xffff - one, two);
    words.setUint16(10, one + by);
    words.setUint16(12, two - by);
    return { ...key, rdata };
  });

/** The hash of NSEC3 (RFC 5155 section 5), and it as a label. */
export function hashOf(name: string, iterations = 0, salt = new Uint8Array()): Bytes {
  let hash = octetsOf(named(name));
  for (let round = 0; round <= iterations; round += 1)
    hash = Uint8Array.from(createHash("sha1").update(concat(hash, salt)).digest());
  return hash;
}
export const labelOf = (hash: Uint8Array) =>
  [...hash]
    .map((octet) => octet.toString(2).padStart(8, "0"))
    .join("")
    .replace(/.{5}/g, (five) => Number.parseInt(five, 2).toString(32));

/** An RRset signed with a zone's key; with `labels` below the owner's count it comes from a wildcard. */
export async function signed(
  zone: Name,
  key: SigningKey,
  owner: Name,
  type: number,
  records: Uint8Array[],
  labels = countLabels(owner),
): Promise<RrSet> {
  const sorted = records.map((rdata) => Uint8Array.from(rdata)).sort(compareBytes);
  const times = [300, period.until, period.from].flatMap(long);
  const head = [...word(type), key.algorithm, labels, ...times, ...word(key.keyTag)];
  const covered = concat(Uint8Array.from(head), octetsOf(zone));
  const name = labels < countLabels(owner) ? wildcardOf(lastLabels(owner, labels)) : owner;
  const data = concat(covered, ...sorted.map((rdata) => encodeRecord(name, type, 300, rdata)));
  const rrsig: Rrsig = {
    covers: type,
    algorithm: key.algorithm,
    labels,
    originalTtl: 300,
    expiration: period.until,
    inception: period.from,
    keyTag: key.keyTag,
    signer: zone,
    signed: covered,
    signature: await key.sign(data),
  };
  return { owner, type, records: sorted, signatures: [rrsig] };
}

/** Makes a chain of the sets, each with its first signature. */
export const encodeSets = (sets: RrSet[]) =>
  encodeChain(
    sets.flatMap((set) => set.signatures.slice(0, 1).map((rrsig) => [set, rrsig] as const)),
  );

export const txt = (text: string) => Uint8Array.from([text.length, ...Buffer.from(text)]);

/** The type bit map of NSEC and NSEC3, for types below 256. */
function bitmap(types: readonly number[]): number[] {
  const octets = new Uint8Array(7);
  for (const type of types) octets[type >> 3] = (octets[type >> 3] ?? 0) | (0x80 >> (type & 7));
  return [0, octets.length, ...octets];
}

export const nsec = (next: Name, types: readonly number[]) =>
  Uint8Array.from([...octetsOf(next), ...bitmap(types)]);

export async function dsOf(zone: Name, key: Key): Promise<Uint8Array> {
  const digest = await crypto.subtle.digest("SHA-256", concat(octetsOf(zone), key.rdata));
  return Uint8Array.from([...word(key.keyTag), key.algorithm, 2, ...new Uint8Array(digest)]);
}

/** A zone below its own anchor, with one key that signs everything. */
export async function makeZone(text: string, others: readonly Key[] = []) {
  const zone = named(text);
  const key = await makeKey();
  const all = [key, ...others].map(({ rdata }) => rdata);
  const keys = await signed(zone, key, zone, TYPE.DNSKEY, all);
  const ds = await dsOf(zone, key);
  const anchor: Anchor = {
    zone: nameText(zone),
    keyTag: key.keyTag,
    algorithm: key.algorithm,
    digestType: 2,
    digest: Uint8Array.from(ds.subarray(4)),
  };
  const sign = (owner: string, type: number, records: Uint8Array[], labels?: number, by = key) =>
    signed(zone, by, named(owner), type, records, labels);
  return { zone, key, keys, anchor, sign };
}
