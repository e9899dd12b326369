import { toBase64Url } from "./base64.ts";
import { isSoundEd25519 } from "./ed25519.ts";
import {
  type Bytes,
  compareBytes,
  concat,
  countLabels,
  encodeRecord,
  LIMITS,
  lastLabels,
  type Name,
  nameText,
  octetsOf,
  type RrSet,
  type Rrsig,
  TYPE,
  wildcardOf,
} from "./records.ts";
import type { Cost, Fault, Gap, Insecurity, Judgement } from "./verdict.ts";

export class Stop extends Error {
  constructor(readonly judgement: Judgement) {
    super(judgement.verdict);
  }
}

const stop = (judgement: Judgement): never => {
  throw new Stop(judgement);
};
/** Each throws Stop, which ends the validation. */
export const stopAs = {
  bogus: (reason: Fault) => stop({ verdict: "bogus", reason }),
  insecure: (reason: Insecurity) => stop({ verdict: "insecure", reason }),
  indeterminate: (reason: Gap) => stop({ verdict: "indeterminate", reason }),
};

/** Counts work before doing it. Throws Stop at the limit. */
export function spend(cost: Cost, limit: keyof Cost, count = 1): void {
  if (cost[limit] + count > LIMITS.cost[limit]) stopAs.indeterminate({ type: "limit", limit });
  cost[limit] += count;
}

/** A key that may sign a zone (RFC 4034 section 2), and the RDATA of its record. */
export type Key = NonNullable<ReturnType<typeof readKey>>;
/** A DS record (RFC 4034 section 5). */
export type Ds = { keyTag: number; algorithm: number; digestType: number; digest: Bytes };

const PROTOCOL = 3;

/** Reads a key; null if it may not sign a zone, because it has another purpose or is revoked (RFC 5011). */
export function readKey(rdata: Bytes) {
  const [high = 0, low = 0, protocol, algorithm] = rdata;
  if (algorithm === undefined || protocol !== PROTOCOL) return null;
  // The lowest bit of `high` marks a zone key; the highest of `low` a revoked key, and the lowest an entry point.
  if ((high & 0x01) === 0 || (low & 0x80) !== 0) return null;
  // The key tag is defined in RFC 4034 appendix B.
  const sum = rdata.reduce((total, octet, at) => total + (at % 2 === 0 ? octet << 8 : octet), 0);
  const keyTag = (sum + (sum >>> 16)) & 0xffff;
  const isEntryPoint = (low & 0x01) !== 0;
  return { keyTag, algorithm, isEntryPoint, rdata, publicKey: rdata.slice(4) };
}

export function readDs(rdata: Bytes): Ds {
  const [high = 0, low = 0, algorithm = 0, digestType = 0] = rdata;
  return { keyTag: high * 0x100 + low, algorithm, digestType, digest: rdata.slice(4) };
}

/** Whether only Ed448, which some platforms lack, can make a DS record usable. */
export const needsEd448 = (ds: readonly Ds[]): boolean =>
  ds.some(({ algorithm, digestType }) => algorithm === ED448 && digestType in DIGESTS);

/** The DS records that can be used (RFC 6840 section 5.2). If there are none, the zone counts as unsigned. */
export async function usableDs(ds: readonly Ds[]): Promise<Ds[]> {
  const support = await Promise.all(ds.map(({ algorithm }) => isSupported(algorithm)));
  return ds.filter(({ digestType }, index) => support[index] && digestType in DIGESTS);
}

export async function entryKeys(zone: Name, keys: readonly Key[], all: readonly Ds[], cost: Cost) {
  const matches = new Set<Key>();
  for (const key of keys) {
    for (const ds of all) {
      if (matches.has(key) || ds.keyTag !== key.keyTag || ds.algorithm !== key.algorithm) continue;
      spend(cost, "digests");
      const digest = await hash(DIGESTS[ds.digestType] ?? "", concat(octetsOf(zone), key.rdata));
      if (compareBytes(digest, ds.digest) === 0) matches.add(key);
    }
  }
  return [...matches];
}

/** A validation in progress. `used` has the RRsets behind the verdict so far, each with its verified signature. */
export type Work = {
  sets: readonly RrSet[];
  answered: ReadonlySet<string>;
  at: number;
  cost: Cost;
  used: Map<RrSet, Rrsig>;
};
export type SecureZone = { zone: Name; keys: readonly Key[] };

export const subjectOf = (zone: Name, name: Name, type: number) => ({
  zone: nameText(zone),
  name: nameText(name),
  records: Object.entries(TYPE).find(([, number]) => number === type)?.[0] ?? String(type),
});

/** Returns the result for the first version that `attempt` accepts; null without versions. Or throws the first Stop. */
export async function tryEach<T>(versions: readonly RrSet[], attempt: (set: RrSet) => Promise<T>) {
  let first: Stop | null = null;
  for (const set of versions) {
    try {
      return await attempt(set);
    } catch (error) {
      if (!(error instanceof Stop) || error.judgement.verdict !== "bogus") throw error;
      first ??= error;
    }
  }
  if (first) throw first;
  return null;
}

/** Finds one valid signature, which is enough (RFC 6840 section 5.11). It may be for a wildcard. Throws Stop. */
export async function verify(work: Work, set: RrSet, signer: SecureZone): Promise<Rrsig> {
  const subject = subjectOf(signer.zone, set.owner, set.type);
  const candidates: { rrsig: Rrsig; keys: Key[] }[] = [];
  for (const rrsig of set.signatures) {
    const { labels } = rrsig;
    const isInZone = rrsig.signer === signer.zone && labels >= countLabels(signer.zone);
    if (!isInZone || labels > countLabels(set.owner)) continue;
    const keys = signer.keys.filter(
      ({ keyTag, algorithm }) => keyTag === rrsig.keyTag && algorithm === rrsig.algorithm,
    );
    if (keys.length > 0 && (await isSupported(rrsig.algorithm))) candidates.push({ rrsig, keys });
  }
  if (candidates.length === 0) return stopAs.bogus({ type: "signatures_missing", ...subject });
  const isTimely = (rrsig: Rrsig) => isStarted(rrsig, work.at) && !isExpired(rrsig, work.at);
  const timely = candidates.filter(({ rrsig }) => isTimely(rrsig));
  if (timely.length === 0) return stopAs.bogus({ ...timeFault(candidates, work.at), ...subject });
  for (const { rrsig, keys } of timely.slice(0, LIMITS.signatures)) {
    for (const { publicKey } of keys.slice(0, LIMITS.keysPerTag)) {
      spend(work.cost, "verifications");
      const { algorithm, signature } = rrsig;
      if (await isSignedBy(algorithm, publicKey, signature, signedData(set, rrsig))) return rrsig;
    }
  }
  const keyTags = [...new Set(timely.map(({ rrsig }) => rrsig.keyTag))];
  return stopAs.bogus({ type: "signatures_invalid", keyTags, ...subject });
}

/** Like verify, but refuses an answer from a wildcard. */
export async function verifyExact(work: Work, set: RrSet, signer: SecureZone): Promise<Rrsig> {
  const rrsig = await verify(work, set, signer);
  if (rrsig.labels === countLabels(set.owner)) return rrsig;
  const subject = subjectOf(signer.zone, set.owner, set.type);
  return stopAs.bogus({ type: "signatures_missing", ...subject });
}

/** Compares times by serial number arithmetic, as RFC 4034 section 3.1.5 asks. */
const isAfter = (time: number, reference: number) => (time - reference) >>> 0 < 2 ** 31;
export const isStarted = ({ inception }: Pick<Rrsig, "inception">, at: number) =>
  isAfter(at, inception);
const isExpired = ({ expiration }: Rrsig, at: number) => !isAfter(expiration, at);

function timeFault(candidates: readonly { rrsig: Rrsig }[], at: number) {
  const notYetValid = candidates.filter(({ rrsig }) => !isStarted(rrsig, at));
  const from = Math.min(...notYetValid.map(({ rrsig }) => rrsig.inception));
  if (notYetValid.length > 0) return { type: "signatures_not_yet_valid" as const, at: from };
  const until = Math.max(...candidates.map(({ rrsig }) => rrsig.expiration));
  return { type: "signatures_expired" as const, at: until };
}

/** What is signed: the signature's RDATA without itself, and the canonical records (RFC 4034 section 3.1.8.1). */
function signedData({ owner, type, records }: RrSet, { labels, originalTtl, signed }: Rrsig) {
  const name = labels < countLabels(owner) ? wildcardOf(lastLabels(owner, labels)) : owner;
  return concat(signed, ...records.map((rdata) => encodeRecord(name, type, originalTtl, rdata)));
}

const RSA = "RSASSA-PKCS1-v1_5";
/** The algorithms of RFC 5702, RFC 6605 and RFC 8080 as Web Crypto names them. Ed448 is not on every platform. */
const ALGORITHMS: Record<number, { name: string; hash?: string; namedCurve?: string }> = {
  8: { name: RSA, hash: "SHA-256" },
  10: { name: RSA, hash: "SHA-512" },
  13: { name: "ECDSA", hash: "SHA-256", namedCurve: "P-256" },
  14: { name: "ECDSA", hash: "SHA-384", namedCurve: "P-384" },
  15: { name: "Ed25519" },
  16: { name: "Ed448" },
};
export const ED25519 = 15;
const ED448 = 16;
const ED448_OCTETS = 57;
/** The digests of DS records (RFC 4509, RFC 6605). SHA-1 is refused. */
const DIGESTS: Record<number, string> = { 2: "SHA-256", 4: "SHA-384" };

let hasEd448: Promise<boolean> | undefined;

export async function isSupported(algorithm: number): Promise<boolean> {
  if (algorithm !== ED448) return algorithm in ALGORITHMS;
  hasEd448 ??= importKey(ED448, new Uint8Array(ED448_OCTETS)).then(Boolean, () => false);
  return hasEd448;
}

export const sha1 = (data: Bytes) => hash("SHA-1", data);

const hash = async (name: string, data: Bytes) =>
  new Uint8Array(await crypto.subtle.digest(name, data));

/** Takes `key` and `signature` as they are in DNSSEC records. False if the key cannot be used. */
export async function isSignedBy(algorithm: number, key: Bytes, signature: Bytes, data: Bytes) {
  if (algorithm === ED25519 && !isSoundEd25519(key, signature)) return false;
  try {
    const cryptoKey = await importKey(algorithm, key);
    return await crypto.subtle.verify(ALGORITHMS[algorithm] ?? RSA, cryptoKey, signature, data);
  } catch {
    return false;
  }
}

async function importKey(algorithm: number, key: Bytes): Promise<CryptoKey> {
  const algorithmName = ALGORITHMS[algorithm] ?? { name: "" };
  if (algorithmName.name === RSA)
    return crypto.subtle.importKey("jwk", rsaKey(key), algorithmName, false, ["verify"]);
  // The octet 4 says that an uncompressed point follows.
  const raw = algorithmName.name === "ECDSA" ? concat(Uint8Array.of(4), key) : key;
  return crypto.subtle.importKey("raw", raw, algorithmName, false, ["verify"]);
}

/** The size of RSA moduli in bits. Shorter ones can be factored; longer ones are not allowed (RFC 5702 section 2). */
const RSA_BITS = { least: 1_024, most: 4_096 };

/** Reads an RSA key (RFC 3110 section 2): the exponent's length, here in one octet, the exponent and the modulus. */
function rsaKey(key: Bytes): JsonWebKey {
  const [length = 0] = key;
  const exponent = key.subarray(1, 1 + length);
  const modulus = key.subarray(1 + length);
  const size = 8 * modulus.length;
  // Usual exponents are odd and at least 3, without a leading zero. Platforms differ on others.
  const isUsual = length <= 4 && (exponent[0] ?? 0) > 0 && ((exponent.at(-1) ?? 0) & 1) === 1;
  const isOne = length === 1 && exponent[0] === 1;
  if (modulus[0] === 0 || size < RSA_BITS.least || size > RSA_BITS.most || !isUsual || isOne)
    throw new RangeError("not a usable RSA key");
  return { kty: "RSA", n: toBase64Url(modulus), e: toBase64Url(exponent) };
}
