import {
  MAX_CHAIN,
  MAX_MESSAGE,
  MAX_MESSAGES,
  MAX_RECORDS,
  MAX_SIGNATURES,
  MAX_VERSIONS,
} from "./limits.ts";
import { lowerCase, MAX_NAME, nameText, type WireName } from "./wire-name.ts";

export type Bytes = Uint8Array<ArrayBuffer>;

export const TYPE = {
  NS: 2,
  SOA: 6,
  TXT: 16,
  DNAME: 39,
  DS: 43,
  RRSIG: 46,
  NSEC: 47,
  DNSKEY: 48,
  NSEC3: 50,
};
const KEPT = new Set([TYPE.TXT, TYPE.DS, TYPE.NSEC, TYPE.DNSKEY, TYPE.NSEC3]);
const IN = 1;
const HEADER = 12;
const POINTER = 0xc0;
const MAX_HOPS = 10;

/** RFC 4034 section 3.1; times in seconds modulo 2^32. `signed`: the octets of the RDATA that the signature covers. */
export type Rrsig = {
  covers: number;
  algorithm: number;
  labels: number;
  originalTtl: number;
  expiration: number;
  inception: number;
  keyTag: number;
  signer: WireName;
  signed: Bytes;
  signature: Bytes;
};

/** An RRset of class IN: distinct RDATA in canonical order (RFC 4034 section 6.3), and the signatures over it. */
export type RrSet = { owner: WireName; type: number; records: Bytes[]; signatures: Rrsig[] };

/**
 * What servers said. `sets`: every RRset of use, once per version. `answered`: "name type" of the questions that got
 * an answer, empty or not.
 */
export type Pool = { sets: RrSet[]; answered: Set<string> };

/** The octets are not what they should be. */
export class Malformed extends Error {}

/** Reads octets from front to back. Throws Malformed. */
export class Octets {
  constructor(
    private readonly bytes: Uint8Array,
    public at = 0,
  ) {}

  get isAtEnd(): boolean {
    return this.at === this.bytes.length;
  }

  byte(): number {
    const octet = this.bytes[this.at];
    if (octet === undefined) throw new Malformed();
    this.at += 1;
    return octet;
  }

  word(): number {
    return this.byte() * 0x100 + this.byte();
  }

  long(): number {
    return this.word() * 0x10000 + this.word();
  }

  take(count: number): Bytes {
    const end = this.at + count;
    if (end > this.bytes.length) throw new Malformed();
    const taken = new Uint8Array(this.bytes.subarray(this.at, end));
    this.at = end;
    return taken;
  }

  rest(): Bytes {
    return this.take(this.bytes.length - this.at);
  }

  /** A name in lower case. Pointers, if allowed, go to the front each time, at most ten in a name. */
  name(compressed: boolean): WireName {
    let name = "";
    let after: number | null = null;
    let start = this.at;
    for (let hops = 0; ; ) {
      const length = this.byte();
      if (length >= POINTER) {
        const target = (length - POINTER) * 0x100 + this.byte();
        hops += 1;
        if (!compressed || target >= start || hops > MAX_HOPS) throw new Malformed();
        after ??= this.at;
        start = target;
        this.at = target;
        continue;
      }
      if (length > 63 || name.length + length + 1 > MAX_NAME) throw new Malformed();
      name += String.fromCharCode(length, ...this.take(length));
      if (length === 0) break;
    }
    this.at = after ?? this.at;
    return lowerCase(name);
  }
}

/** The octets of a name, or of any text of one character per octet. */
export const octetsOf = (text: string): Bytes =>
  Uint8Array.from(text, (character) => character.charCodeAt(0));

export function concat(...parts: readonly Uint8Array[]): Bytes {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Octet by octet; of two that begin alike, the shorter first. */
export function compareBytes(one: Uint8Array, other: Uint8Array): number {
  for (let at = 0; at < Math.min(one.length, other.length); at += 1) {
    const difference = (one[at] ?? 0) - (other[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
}

const areSame = (one: readonly Bytes[], other: readonly Bytes[]) =>
  one.length === other.length &&
  one.every((bytes, index) => compareBytes(bytes, other[index] ?? new Uint8Array()) === 0);

/** The RRsets of DNS responses. What is malformed, truncated, too long or an error is left out. */
export function collect(messages: readonly Uint8Array[]): Pool {
  const pool: Pool = { sets: [], answered: new Set() };
  for (const message of messages.slice(0, MAX_MESSAGES)) {
    try {
      readMessage(message, pool);
    } catch (error) {
      if (!(error instanceof Malformed)) throw error;
    }
  }
  return pool;
}

function readMessage(message: Uint8Array, pool: Pool): void {
  if (message.length > MAX_MESSAGE) throw new Malformed();
  const octets = new Octets(message, 2);
  const flags = octets.word();
  const [questions, answers, authorities] = [octets.word(), octets.word(), octets.word()];
  // A response to a query (opcode 0), not truncated, NOERROR or NXDOMAIN.
  const isAnswer = (flags & 0xfa00) === 0x8000 && [0, 3].includes(flags & 0xf);
  if (!isAnswer || questions !== 1 || answers + authorities > MAX_RECORDS) throw new Malformed();
  octets.at = HEADER;
  const name = octets.name(true);
  const type = octets.word();
  octets.word();
  const sets = readRecords(octets, answers + authorities, true);
  pool.answered.add(`${nameText(name)} ${type}`);
  for (const set of sets) addTo(pool, set);
}

/** The RRsets of a chain (see encodeChain); null if it is malformed or too long. */
export function decodeChain(chain: Uint8Array): Pool | null {
  if (chain.length > MAX_CHAIN) return null;
  const pool: Pool = { sets: [], answered: new Set() };
  const octets = new Octets(chain);
  try {
    for (const set of readRecords(octets, MAX_RECORDS, false)) addTo(pool, set);
  } catch (error) {
    if (error instanceof Malformed) return null;
    throw error;
  }
  return octets.isAtEnd ? pool : null;
}

/**
 * Signed RRsets as octets: for each its records in canonical form and order with the original TTL, then its signature;
 * as in the chain of RFC 9102, but from the root down.
 */
export function encodeChain(used: Iterable<readonly [RrSet, Rrsig]>): Bytes {
  const parts: Bytes[] = [];
  for (const [{ owner, type, records }, rrsig] of used) {
    for (const rdata of records) parts.push(record(owner, type, rrsig.originalTtl, rdata));
    const rdata = concat(rrsig.signed, rrsig.signature);
    parts.push(record(owner, TYPE.RRSIG, rrsig.originalTtl, rdata));
  }
  return concat(...parts);
}

/** One record in canonical form (RFC 4034 section 6.2), with RDATA that is so already. */
export function record(owner: WireName, type: number, ttl: number, rdata: Uint8Array): Bytes {
  const head = new DataView(new ArrayBuffer(10));
  head.setUint16(0, type);
  head.setUint16(2, IN);
  head.setUint32(4, ttl);
  head.setUint16(8, rdata.length);
  return concat(octetsOf(owner), new Uint8Array(head.buffer), rdata);
}

/** At most `count` records, grouped; signatures over what is not there are dropped. */
function readRecords(octets: Octets, count: number, compressed: boolean): RrSet[] {
  const sets = new Map<string, RrSet>();
  const signatures: [string, Rrsig][] = [];
  for (let index = 0; index < count && !octets.isAtEnd; index += 1) {
    const owner = octets.name(compressed);
    const type = octets.word();
    const isInternet = octets.word() === IN;
    octets.long();
    const rdata = octets.take(octets.word());
    if (!isInternet) continue;
    const rrsig = type === TYPE.RRSIG ? readRrsig(rdata) : null;
    if (rrsig) signatures.push([`${rrsig.covers} ${owner}`, rrsig]);
    if (!KEPT.has(type)) continue;
    const key = `${type} ${owner}`;
    const set = sets.get(key) ?? { owner, type, records: [], signatures: [] };
    sets.set(key, set);
    if (set.records.every((known) => compareBytes(known, rdata) !== 0)) set.records.push(rdata);
  }
  for (const set of sets.values()) set.records.sort(compareBytes);
  for (const [key, rrsig] of signatures) sets.get(key)?.signatures.push(rrsig);
  return [...sets.values()];
}

function addTo(pool: Pool, set: RrSet): void {
  const versions = pool.sets.filter(({ owner, type }) => owner === set.owner && type === set.type);
  const same = versions.find(({ records }) => areSame(records, set.records));
  const isRoom = versions.length < MAX_VERSIONS && pool.sets.length < MAX_RECORDS;
  if (!same && isRoom) pool.sets.push(set);
  for (const rrsig of same ? set.signatures : []) {
    const isNew = same?.signatures.every((known) => !areSame(rdataOf(known), rdataOf(rrsig)));
    if (isNew && same && same.signatures.length < MAX_VERSIONS * MAX_SIGNATURES)
      same.signatures.push(rrsig);
  }
}

const rdataOf = ({ signed, signature }: Rrsig) => [signed, signature];

/** An uncompressed name in RDATA; null if it is malformed. */
export function readName(octets: Octets): WireName | null {
  try {
    return octets.name(false);
  } catch (error) {
    if (error instanceof Malformed) return null;
    throw error;
  }
}

/** Null if it is malformed. */
function readRrsig(rdata: Bytes): Rrsig | null {
  // 18 octets before the signer's name, and one of the name at least.
  if (rdata.length < 19) return null;
  const octets = new Octets(rdata);
  const fields = {
    covers: octets.word(),
    algorithm: octets.byte(),
    labels: octets.byte(),
    originalTtl: octets.long(),
    expiration: octets.long(),
    inception: octets.long(),
    keyTag: octets.word(),
  };
  const head = rdata.slice(0, octets.at);
  const signer = readName(octets);
  return signer === null
    ? null
    : { ...fields, signer, signed: concat(head, octetsOf(signer)), signature: octets.rest() };
}
