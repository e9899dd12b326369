import { MAX_ITERATIONS, spend } from "./limits.ts";
import {
  type Bytes,
  concat,
  Octets,
  octetsOf,
  type RrSet,
  type Rrsig,
  readName,
  TYPE,
} from "./records.ts";
import { type SecureZone, verify, type Work } from "./rrset.ts";
import { sha1 } from "./signature.ts";
import type { Insecurity } from "./verdict.ts";
import {
  compareNames,
  countLabels,
  isAtOrBelow,
  labelsOf,
  lastLabels,
  nameText,
  parentOf,
  sharedLabels,
  type WireName,
} from "./wire-name.ts";

/** An RRset that was verified, and the signature that did. */
type Proof = [RrSet, Rrsig];
/** `denied`: shown not to exist. `insecure`: nothing can be shown, and that is proved. */
type Denial = { proofs: Proof[] } & ({ type: "denied" } | { type: "insecure"; reason: Insecurity });

type Nsec = { set: RrSet; next: WireName; types: Set<number> };
type Nsec3 = {
  set: RrSet;
  hash: string;
  next: string;
  optOut: boolean;
  iterations: number;
  salt: Bytes;
  types: Set<number>;
};

/** Proof that `child`, a name below the zone, is a delegation without DS records; null if there is none. */
export async function denyDs(
  work: Work,
  by: SecureZone,
  child: WireName,
): Promise<(Denial & { type: "insecure" }) | null> {
  const names = { zone: nameText(child), parent: nameText(by.zone) };
  const isUnsigned = ({ types }: { types: Set<number> }) =>
    types.has(TYPE.NS) && !types.has(TYPE.DS) && !types.has(TYPE.SOA);
  for (const nsec of nsecsOf(work, by)) {
    if (nsec.set.owner !== child || !isUnsigned(nsec)) continue;
    const proofs = await verifyAll(work, by, nsec.set);
    if (proofs) return { type: "insecure", reason: { type: "unsigned", ...names }, proofs };
  }
  return withNsec3(work, by, async (hashed) => {
    const own = await hashed.matching(child);
    if (own) {
      const proofs = isUnsigned(own) && (await verifyAll(work, by, own.set));
      return proofs ? { type: "insecure", reason: { type: "unsigned", ...names }, proofs } : null;
    }
    // RFC 5155 section 8.6: the closest encloser exists, and the name below it is in a span with opt-out.
    for (let at = child; at !== by.zone; at = parentOf(at)) {
      const encloser = await hashed.matching(parentOf(at));
      if (!encloser) continue;
      const span = await hashed.covering(at);
      if (!span?.optOut || isCutOrAlias(encloser)) return null;
      const proofs = await verifyAll(work, by, encloser.set, span.set);
      return proofs && { type: "insecure", reason: { type: "opt_out", ...names }, proofs };
    }
    return null;
  });
}

/**
 * Proof that no name is closer to `name` than the wildcard it was answered from, which has `labels` labels without its
 * asterisk (RFC 4035 section 5.3.4, RFC 5155 section 8.8); null if there is none.
 */
export async function denyCloser(
  work: Work,
  by: SecureZone,
  name: WireName,
  labels: number,
): Promise<Denial | null> {
  for (const nsec of nsecsOf(work, by)) {
    const { owner } = nsec.set;
    const closest = Math.max(sharedLabels(name, owner), sharedLabels(name, nsec.next));
    // Below a cut or a DNAME, this zone's order says nothing (RFC 6840 section 4.1).
    if (closest !== labels || (isAtOrBelow(name, owner) && isCutOrAlias(nsec))) continue;
    if (!isBetween(name, owner, nsec.next, compareNames)) continue;
    const proofs = await verifyAll(work, by, nsec.set);
    if (proofs) return { type: "denied", proofs };
  }
  return withNsec3(work, by, async (hashed) => {
    const closer = lastLabels(name, labels + 1);
    const span = await hashed.covering(closer);
    const proofs = span && (await verifyAll(work, by, span.set));
    if (!proofs) return null;
    const names = { zone: nameText(closer), parent: nameText(by.zone) };
    // RFC 5155 section 9.2: a span with opt-out may hide an unsigned delegation.
    return span.optOut
      ? { type: "insecure", reason: { type: "opt_out", ...names }, proofs }
      : { type: "denied", proofs };
  });
}

const isCutOrAlias = ({ types }: { types: Set<number> }) =>
  (types.has(TYPE.NS) && !types.has(TYPE.SOA)) || types.has(TYPE.DNAME);

/** Whether `one` is strictly between two neighbours of a ring. */
function isBetween<T>(one: T, from: T, to: T, compare: (a: T, b: T) => number): boolean {
  const isPast = compare(from, one) < 0;
  const isBefore = compare(one, to) < 0;
  return compare(from, to) < 0 ? isPast && isBefore : isPast || isBefore;
}

const compareText = (one: string, other: string) => (one < other ? -1 : Number(one > other));

/** Null if one of them cannot be verified, or was expanded from a wildcard. */
async function verifyAll(work: Work, by: SecureZone, ...sets: RrSet[]): Promise<Proof[] | null> {
  const proofs: Proof[] = [];
  for (const set of new Set(sets)) {
    const verified = await verify(work, set, by);
    if ("fault" in verified || verified.rrsig.labels !== countLabels(set.owner)) return null;
    proofs.push([set, verified.rrsig]);
  }
  return proofs;
}

function nsecsOf({ pool }: Work, { zone }: SecureZone): Nsec[] {
  return pool.sets.flatMap((set) => {
    const [rdata, second] = set.records;
    if (set.type !== TYPE.NSEC || !rdata || second || !isAtOrBelow(set.owner, zone)) return [];
    const octets = new Octets(rdata);
    const next = readName(octets);
    return next === null ? [] : [{ set, next, types: readTypes(octets.rest()) }];
  });
}

type Hashed = {
  /** The record of a name that exists. */
  matching(name: WireName): Promise<Nsec3 | null>;
  /** The record whose span holds the hash of a name that does not. */
  covering(name: WireName): Promise<Nsec3 | null>;
};

/** Looks for a proof among the NSEC3 records of a zone, by each salt and number of iterations that they have. */
async function withNsec3<T extends Denial>(
  work: Work,
  by: SecureZone,
  prove: (hashed: Hashed) => Promise<T | null>,
): Promise<T | (Denial & { type: "insecure" }) | null> {
  const all = work.pool.sets.flatMap((set) =>
    parentOf(set.owner) === by.zone ? readNsec3(set) : [],
  );
  const chains = new Map<string, Nsec3[]>();
  for (const one of all) {
    const parameters = `${one.iterations} ${one.salt}`;
    chains.set(parameters, [...(chains.get(parameters) ?? []), one]);
  }
  for (const chain of chains.values()) {
    const [{ iterations, salt, set } = { iterations: 0, salt: new Uint8Array(), set: null }] =
      chain;
    if (iterations <= MAX_ITERATIONS) {
      const find = async (name: WireName, fits: (record: Nsec3, hash: string) => boolean) => {
        const hash = await hashOf(work, name, iterations, salt);
        return chain.find((record) => fits(record, hash)) ?? null;
      };
      const proof = await prove({
        matching: (name) => find(name, (record, hash) => record.hash === hash),
        covering: (name) =>
          find(name, (record, hash) => isBetween(hash, record.hash, record.next, compareText)),
      });
      if (proof) return proof;
      continue;
    }
    const proofs = set && (await verifyAll(work, by, set));
    const reason = { type: "iterations" as const, zone: nameText(by.zone), iterations };
    if (proofs) return { type: "insecure", reason, proofs };
  }
  return null;
}

/** RFC 5155 section 5, in base32hex as in owner names. */
async function hashOf(
  work: Work,
  name: WireName,
  iterations: number,
  salt: Bytes,
): Promise<string> {
  spend(work.cost, "rounds", iterations + 1);
  let hash = octetsOf(name);
  for (let round = 0; round <= iterations; round += 1) hash = await sha1(concat(hash, salt));
  return base32hex(hash);
}

const SHA_1 = 1;
const OPT_OUT = 1;

/** RFC 5155 section 3.2: none if the RRset is not one record of a known hash and flags. */
function readNsec3(set: RrSet): Nsec3[] {
  const [rdata, second] = set.records;
  if (set.type !== TYPE.NSEC3 || !rdata || second || rdata.length < 6) return [];
  const octets = new Octets(rdata);
  const [algorithm, flags, iterations] = [octets.byte(), octets.byte(), octets.word()];
  const saltLength = octets.byte();
  const hashAt = 5 + saltLength;
  const hashLength = rdata[hashAt] ?? 0;
  const typesAt = hashAt + 1 + hashLength;
  if (algorithm !== SHA_1 || flags > OPT_OUT || hashLength !== 20 || typesAt > rdata.length)
    return [];
  const [hash = ""] = labelsOf(set.owner);
  return [
    {
      set,
      hash,
      next: base32hex(rdata.subarray(hashAt + 1, typesAt)),
      optOut: flags === OPT_OUT,
      iterations,
      salt: rdata.slice(5, hashAt),
      types: readTypes(rdata.subarray(typesAt)),
    },
  ];
}

/** RFC 4648 section 7, in lower case without padding; 20 octets need none. */
function base32hex(bytes: Uint8Array): string {
  let bits = "";
  for (const octet of bytes) bits += octet.toString(2).padStart(8, "0");
  return bits.replace(/.{5}/g, (five) => Number.parseInt(five, 2).toString(32));
}

/** The type bit maps of RFC 4034 section 4.1.2; reads what is whole. */
function readTypes(bytes: Uint8Array): Set<number> {
  const types = new Set<number>();
  for (let at = 0; at + 2 <= bytes.length; ) {
    const [window = 0, length = 0] = bytes.subarray(at, at + 2);
    for (let bit = 0; bit < 8 * Math.min(length, 32); bit += 1) {
      const octet = bytes[at + 2 + (bit >> 3)] ?? 0;
      if ((octet & (0x80 >> (bit & 7))) !== 0) types.add(window * 0x100 + bit);
    }
    at += 2 + length;
  }
  return types;
}
