import { createHash, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { type Answer, encode } from "dns-packet";
import { isAtOrBelow, labelsOf, lowerCase } from "../names.ts";

/** The sections of an answer that carry signatures. */
type Sections = { answers: Answer[]; authorities: Answer[] };
type TypedRecord = Exclude<Answer, { type: "OPT" }>;

/** Contents of denials at a name in the zone, and the DS records of a delegation. */
export type SignedContents = {
  typesAt(name: string): readonly string[];
  dsAt(name: string): Answer[];
};

const ED25519 = 15;
const SHA_256 = 2;
const TTL = 300;
/** The flags of a key that signs a zone and is its entry point. */
const FLAGS = 257;
/** Octets in a message's header, and in a record between its name and its data. */
const HEADER = 12;
const FIELDS = 10;
const KEY_OCTETS = 32;
/** From 2020 to 2060, so that no reader's clock matters. */
const PERIOD = { inception: 1_577_836_800, expiration: 2_840_140_800 };

type Fault = {
  /** When the signatures are valid, in seconds since 1970. */
  period?: { inception: number; expiration: number };
  /** The type of records without signatures. */
  unsigned?: string;
  /** The type of records that get the signatures of other records. */
  mistaken?: string;
  /** Keys of the zone that sign nothing. */
  idleKeys?: number;
};

/** Signs one zone's answers on the fly with one Ed25519 key, like hosts that sign online (RFC 4470). */
export class ZoneSigner {
  readonly keyTag: number;
  private readonly key: Answer;
  private readonly privateKey: KeyObject;

  constructor(
    readonly zone: string,
    private readonly fault: Fault = {},
  ) {
    const { publicKey, privateKey } = generateKeyPairSync("ed25519");
    this.privateKey = privateKey;
    const key = publicKey.export({ type: "spki", format: "der" }).subarray(-KEY_OCTETS);
    const data = { flags: FLAGS, algorithm: ED25519, key };
    this.key = { name: zone, type: "DNSKEY", class: "IN", ttl: TTL, data };
    const sum = rdataOf(this.key).reduce((all, one, at) => all + (at % 2 ? one : one << 8), 0);
    this.keyTag = (sum + (sum >>> 16)) & 0xffff;
  }

  /** The RDATA of the DS record for the parent, as in a zone file. */
  get ds(): string {
    const owner = wireOf(this.key).subarray(0, -FIELDS - rdataOf(this.key).length);
    const digest = createHash("sha256").update(owner).update(rdataOf(this.key)).digest("hex");
    return `${this.keyTag} ${ED25519} ${SHA_256} ${digest}`;
  }

  keys(): Sections {
    const idle = Array.from({ length: this.fault.idleKeys ?? 0 }, (_, index) => {
      const data = { flags: FLAGS, algorithm: ED25519, key: Buffer.from(`key ${index}`) };
      return { ...this.key, data } as Answer;
    });
    return { answers: this.signed([this.key, ...idle]), authorities: [] };
  }

  /** The answer to a question at `name`, with signatures, the DS records of a referral, and denials. */
  sign<S extends Sections>(reply: S, name: string, { typesAt, dsAt }: SignedContents): S {
    const answers = this.signed(reply.answers);
    const cut = reply.authorities.find(({ type }) => type === "NS")?.name;
    const isDenial = reply.authorities.some(({ type }) => type === "SOA");
    const ds = cut === undefined ? [] : dsAt(cut);
    const proof = ds.length > 0 ? this.signed(ds) : [];
    if (cut !== undefined && ds.length === 0) proof.push(...this.deny(cut, ["NS"]));
    if (isDenial) proof.push(...this.deny(name, typesAt(name)));
    const authorities = isDenial ? this.signed(reply.authorities) : reply.authorities;
    return { ...reply, answers, authorities: [...authorities, ...proof] };
  }

  private deny(name: string, types: readonly string[]): Answer[] {
    const rrtypes = [...new Set([...types, "RRSIG", "NSEC"])];
    const data = { nextDomain: name === "." ? "\0" : `\0.${name}`, rrtypes };
    return this.signed([{ name, type: "NSEC", class: "IN", ttl: TTL, data } as Answer]);
  }

  /** The records, with a signature over each RRset of this zone. */
  private signed(records: readonly Answer[]): Answer[] {
    const own = records.filter(
      (record): record is TypedRecord =>
        record.type !== "RRSIG" && isAtOrBelow(lowerCase(record.name), this.zone),
    );
    const sets = new Map<string, TypedRecord[]>();
    for (const record of own) {
      const key = `${record.type} ${lowerCase(record.name)}`;
      sets.set(key, [...(sets.get(key) ?? []), record]);
    }
    return [...records, ...[...sets.values()].flatMap((set) => this.signatureOf(set))];
  }

  private signatureOf(set: readonly TypedRecord[]): Answer[] {
    const [first] = set;
    const { period = PERIOD, unsigned, mistaken } = this.fault;
    if (!first || first.type === unsigned) return [];
    const name = lowerCase(first.name);
    const ttl = "ttl" in first ? (first.ttl ?? TTL) : TTL;
    const data = {
      typeCovered: first.type,
      algorithm: ED25519,
      labels: labelsOf(name).length,
      originalTTL: ttl,
      ...period,
      keyTag: this.keyTag,
      signersName: this.zone,
      signature: Buffer.alloc(0),
    };
    const rrsig = { name: first.name, type: "RRSIG", class: "IN", ttl, data } as Answer;
    const wire = set.map((record) => wireOf({ ...record, name, ttl } as Answer));
    const records = wire.sort(Buffer.compare);
    const others = first.type === mistaken ? [Buffer.from("another")] : [];
    const covered = Buffer.concat([rdataOf(rrsig), ...records, ...others]);
    const signature = sign(null, covered, this.privateKey);
    return [{ ...rrsig, data: { ...data, signature } } as Answer];
  }
}

/** One record in wire format, uncompressed. TXT data is copied, because the codec overwrites it. */
function wireOf(record: Answer): Buffer {
  const copy =
    record.type === "TXT" && Array.isArray(record.data)
      ? { ...record, data: [...record.data] }
      : record;
  return encode({ type: "response", answers: [copy] }).subarray(HEADER);
}

function rdataOf(record: Answer): Buffer {
  const owner = record.name === "." ? 1 : record.name.length + 2;
  return wireOf(record).subarray(owner + FIELDS);
}
