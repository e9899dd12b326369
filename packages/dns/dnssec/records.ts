export const LIMITS = {
  /** The most octets of a message. Longer messages are skipped. */
  messageOctets: 16 * 1024,
  /** How many messages are judged together: two of each kind for ten zones, and the answers of the name's servers. */
  messages: 64,
  records: 512,
  /** How many versions of one RRset are kept if servers disagree. */
  versions: 4,
  /** The most keys or DS records of a zone. The largest honest sets have about a dozen. */
  keys: 32,
  /** How many signatures of one RRset are tried. The rollover of an algorithm needs four. */
  signatures: 8,
  /** The most keys tried for one signature. Two equal key tags are rare, but three are an attack (CVE-2023-50387). */
  keysPerTag: 2,
  cost: { verifications: 64, digests: 64, rounds: 4_096 },
  /** The most additional NSEC3 iterations. With more, a zone counts as unsigned (RFC 9276, 3.2, CVE-2023-50868). */
  iterations: 50,
};

/**
 * A name as text in canonical order (RFC 4034 section 6.1): labels from the right, in lower case, each octet as the
 * next character code, each label ended by U+0000. The root is empty; a name starts with its parent's text.
 */
export type Name = string;

const LABEL_END = "\0";
const ASTERISK = "+";
export const MAX_NAME_OCTETS = 255;
const MAX_LABEL_OCTETS = 63;

export function under(parent: Name, label: ArrayLike<number>): Name {
  const octets = Array.from(label, (octet) =>
    octet > 0x40 && octet < 0x5b ? octet + 0x20 : octet,
  );
  return parent + octets.map((octet) => String.fromCharCode(octet + 1)).join("") + LABEL_END;
}

/** Reads a name such as "acme.test" or "."; null if the text cannot be a name. Does not read escapes. */
export function parseName(text: string): Name | null {
  const labels = text === "." ? [] : text.split(".").map((part) => new TextEncoder().encode(part));
  const size = labels.reduce((sum, { length }) => sum + 1 + length, 1);
  if (
    size > MAX_NAME_OCTETS ||
    labels.some(({ length }) => length === 0 || length > MAX_LABEL_OCTETS)
  )
    return null;
  return labels.reduceRight<Name>(under, "");
}

const labelsOf = (name: Name) =>
  name
    .split(LABEL_END)
    .slice(0, -1)
    .reverse()
    .map((label) => Array.from(label, (character) => character.charCodeAt(0) - 1));

export const octetsOf = (name: Name) =>
  Uint8Array.from([...labelsOf(name).flatMap((label) => [label.length, ...label]), 0]);

/** Writes a name for people, without the last dot and with special octets escaped (RFC 1035 section 5.1). */
export function nameText(name: Name): string {
  const escapeOctet = (octet: number) =>
    octet > 0x20 && octet < 0x7f && !'."\\'.includes(String.fromCharCode(octet))
      ? String.fromCharCode(octet)
      : `\\${String(octet).padStart(3, "0")}`;
  const labels = labelsOf(name).map((label) => label.map(escapeOctet).join(""));
  return labels.join(".") || ".";
}

export const parentOf = (name: Name) =>
  name.slice(0, name.lastIndexOf(LABEL_END, name.length - 2) + 1);

export function namesBetween(zone: Name, name: Name): Name[] {
  const names: Name[] = [];
  if (name.startsWith(zone)) for (let at = name; at !== zone; at = parentOf(at)) names.unshift(at);
  return names;
}

/** Counts labels as RRSIG does: without the root and a leading asterisk (RFC 4034 section 3.1.3). */
export const countLabels = (name: Name) =>
  name.split(LABEL_END).length -
  ((LABEL_END + name).endsWith(LABEL_END + ASTERISK + LABEL_END) ? 2 : 1);

export const lastLabels = (name: Name, count: number) => namesBetween("", name)[count - 1] ?? "";

export const wildcardOf = (name: Name): Name => name + ASTERISK + LABEL_END;

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
} as const;
const KEPT_TYPES: readonly number[] = [TYPE.TXT, TYPE.DS, TYPE.NSEC, TYPE.DNSKEY, TYPE.NSEC3];
const CLASS_IN = 1;
const POINTER_BITS = 0xc0;
/** How many compression pointers are followed in one name. Servers write one. */
const MAX_HOPS = 10;

/** An RRset of class IN: distinct RDATA in canonical order (RFC 4034 section 6.3), and the signatures over it. */
export type RrSet = { owner: Name; type: number; records: Bytes[]; signatures: Rrsig[] };

export class Malformed extends Error {}

/** A name or the end of one: where its labels are, how many octets it has, and how many pointers. */
type Spelling = { labels: [from: number, to: number][]; octets: number; hops: number };

/** Reads octets from front to back. Throws Malformed. */
export class Octets {
  /** Ends of names by pointer target. Each is read once, even if many names share it. */
  private readonly spellings = new Map<number, Spelling>();

  constructor(
    protected readonly bytes: Uint8Array,
    public at = 0,
  ) {}

  get left(): number {
    return this.bytes.length - this.at;
  }

  take(count: number): Bytes {
    if (count > this.left) throw new Malformed();
    this.at += count;
    return new Uint8Array(this.bytes.subarray(this.at - count, this.at));
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

  name(compressed = false): Name {
    const { labels } = this.spelling(compressed);
    return labels.map((range) => this.bytes.subarray(...range)).reduceRight<Name>(under, "");
  }

  /** Each pointer (RFC 1035 section 4.1.4), if pointers are allowed, must lead further to the front. */
  protected spelling(compressed: boolean, start = this.at, hops = 0): Spelling {
    const labels: Spelling["labels"] = [];
    this.at = start;
    let length = this.byte();
    for (; length > 0 && length < POINTER_BITS; length = this.byte()) {
      const end = this.at + length;
      if (length > MAX_LABEL_OCTETS || length > this.left || end - start >= MAX_NAME_OCTETS)
        throw new Malformed();
      labels.push([this.at, end]);
      this.at = end;
    }
    const octets = this.at - start;
    this.spend(octets);
    if (length === 0) return { labels, octets, hops: 0 };
    const target = (length - POINTER_BITS) * 0x100 + this.byte();
    if (!compressed || target >= start || hops === MAX_HOPS) throw new Malformed();
    const { at } = this;
    const rest = this.spellings.get(target) ?? this.spelling(true, target, hops + 1);
    this.spellings.set(target, rest);
    this.at = at;
    const total = { octets: octets - 1 + rest.octets, hops: rest.hops + 1 };
    if (total.octets > MAX_NAME_OCTETS || hops + total.hops > MAX_HOPS) throw new Malformed();
    return { ...total, labels: [...labels, ...rest.labels] };
  }

  protected spend(_steps: number): void {}
}

export const tryRead = <T>(bytes: Uint8Array, read: (octets: Octets) => T): T | null =>
  nullIfMalformed(() => read(new Octets(bytes)));

export function nullIfMalformed<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof Malformed) return null;
    throw error;
  }
}

export function concat(...parts: readonly Uint8Array[]): Bytes {
  const result = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const part of parts) {
    result.set(part, offset);
    offset += part.length;
  }
  return result;
}

export function compareBytes(left: Uint8Array, right: Uint8Array): number {
  const index = left.findIndex((octet, index) => octet !== right[index]);
  return index < 0 ? left.length - right.length : (left[index] ?? 0) - (right[index] ?? -1);
}

export function readSets(octets: Octets, count: number, compressed = false): RrSet[] {
  const sets = new Map<string, RrSet>();
  const signatures: [key: string, Rrsig][] = [];
  for (let index = 0; index < count && octets.left > 0; index += 1) {
    const owner = octets.name(compressed);
    const type = octets.word();
    const isKept = octets.word() === CLASS_IN && KEPT_TYPES.includes(type);
    octets.long();
    const rdata = octets.take(octets.word());
    const rrsig = type === TYPE.RRSIG ? tryRead(rdata, readRrsig) : null;
    if (rrsig) signatures.push([`${rrsig.covers} ${owner}`, rrsig]);
    if (!isKept) continue;
    const key = `${type} ${owner}`;
    const set = sets.get(key) ?? { owner, type, records: [], signatures: [] };
    sets.set(key, set);
    if (set.records.every((other) => compareBytes(other, rdata) !== 0)) set.records.push(rdata);
  }
  for (const [key, rrsig] of signatures) sets.get(key)?.signatures.push(rrsig);
  for (const { records } of sets.values()) records.sort(compareBytes);
  return [...sets.values()];
}

/** An RRSIG (RFC 4034 section 3.1). Times are in seconds modulo 2^32. `signed` is its RDATA before the signature. */
export type Rrsig = ReturnType<typeof readRrsig>;
function readRrsig(octets: Octets) {
  const head = octets.take(18);
  const signer = octets.name();
  const fields = new Octets(head);
  return {
    covers: fields.word(),
    algorithm: fields.byte(),
    labels: fields.byte(),
    originalTtl: fields.long(),
    expiration: fields.long(),
    inception: fields.long(),
    keyTag: fields.word(),
    signer,
    signed: concat(head, octetsOf(signer)),
    signature: octets.take(octets.left),
  };
}

/** Writes one record in canonical form (RFC 4034 section 6.2). `rdata` must be canonical already. */
export function encodeRecord(owner: Name, type: number, ttl: number, rdata: Uint8Array): Bytes {
  const head = new DataView(new ArrayBuffer(10));
  head.setUint16(0, type);
  head.setUint16(2, CLASS_IN);
  head.setUint32(4, ttl);
  head.setUint16(8, rdata.length);
  return concat(octetsOf(owner), new Uint8Array(head.buffer), rdata);
}

/** Writes each RRset in canonical form with its original TTL, then its signature. A chain from the root is RFC 9102. */
export const encodeChain = (proofs: Iterable<readonly [RrSet, Rrsig]>): Bytes =>
  concat(
    ...[...proofs].flatMap(([{ owner, type, records }, { originalTtl, signed, signature }]) => [
      ...records.map((rdata) => encodeRecord(owner, type, originalTtl, rdata)),
      encodeRecord(owner, TYPE.RRSIG, originalTtl, concat(signed, signature)),
    ]),
  );

const CHAIN_OCTETS = 64 * 1024;
export const decodeChain = (chain: Uint8Array): RrSet[] | null =>
  chain.length > CHAIN_OCTETS ? null : tryRead(chain, (octets) => readSets(octets, LIMITS.records));
