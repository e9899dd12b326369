import type { DnssecReading, Signature } from "./observation.ts";

/** The DNSSEC fault that makes resolvers reject a zone's records. Times are epoch milliseconds. */
export type DnssecFault =
  /** The parent has DS records, and the zone has no keys. */
  | { type: "ds_without_keys"; dsKeyTags: number[] }
  /** The zone has keys, and no DS record matches any of them. */
  | { type: "ds_matches_no_key"; dsKeyTags: number[]; keyTags: number[] }
  /** `at`: when the last signature expired. */
  | { type: "signatures_expired"; at: number }
  /** `at`: when the first signature becomes valid. */
  | { type: "signatures_not_yet_valid"; at: number }
  /** No signature by a key that counts. */
  | { type: "signatures_missing" };

/**
 * Algorithms that validators support (RFC 8624 section 3.1). A zone whose DS records use none counts as unsigned.
 */
const ALGORITHMS = new Set([5, 7, 8, 10, 13, 14, 15, 16]);
const SHA_1 = 1;
const DIGESTS = new Set([SHA_1, 2, 4]);

type Ds = NonNullable<DnssecReading["ds"]>[number];
type Key = NonNullable<DnssecReading["keys"]>[number];

/**
 * The DS records that a validator uses: those with a supported algorithm and digest (RFC 4035 section 5.2), SHA-1 only
 * if there is no better digest (RFC 4509 section 3). If the result is empty, validators treat the zone as unsigned.
 */
export function usableDs(ds: readonly Ds[]): Ds[] {
  const known = ds.filter((one) => ALGORITHMS.has(one.algorithm) && DIGESTS.has(one.digestType));
  const strong = known.filter(({ digestType }) => digestType !== SHA_1);
  return strong.length > 0 ? strong : known;
}

/**
 * The first fault of one zone in the order of validation (RFC 4035 section 5): the DS records, the DNSKEY RRset and its
 * signature by a key with a DS record, the answer's signature by any key. Signatures are not verified; only their keys
 * and validity periods are checked. Null if no fault shows, the zone counts as unsigned, or too little was read. `now`
 * in epoch milliseconds.
 */
export function dnssecFault(
  { ds, keys, keySignatures, answerSignatures }: DnssecReading,
  now: number,
): DnssecFault | null {
  const usable = usableDs(ds ?? []);
  if (usable.length === 0 || keys === null) return null;
  const dsKeyTags = distinct(usable.map(({ keyTag }) => keyTag));
  if (keys.length === 0) return { type: "ds_without_keys", dsKeyTags };
  const matching = usable.filter(({ fits }) => fits);
  if (matching.length === 0) {
    const entries = keys.filter(({ isEntryPoint }) => isEntryPoint);
    const keyTags = distinct((entries.length > 0 ? entries : keys).map(({ keyTag }) => keyTag));
    return { type: "ds_matches_no_key", dsKeyTags, keyTags };
  }
  return (
    signatureFault(keySignatures, matching, now) ??
    (answerSignatures && signatureFault(answerSignatures, keys, now))
  );
}

function signatureFault(
  signatures: readonly Signature[],
  keys: readonly Pick<Key, "keyTag" | "algorithm">[],
  now: number,
): DnssecFault | null {
  const relevant = signatures.filter(({ keyTag, algorithm }) =>
    keys.some((key) => key.keyTag === keyTag && key.algorithm === algorithm),
  );
  if (relevant.length === 0) return { type: "signatures_missing" };
  if (relevant.some(({ inception, expiration }) => inception <= now && now <= expiration))
    return null;
  const notYetValid = relevant.filter(({ inception }) => inception > now);
  return notYetValid.length > 0
    ? { type: "signatures_not_yet_valid", at: Math.min(...notYetValid.map((one) => one.inception)) }
    : { type: "signatures_expired", at: Math.max(...relevant.map((one) => one.expiration)) };
}

const distinct = (tags: readonly number[]) => [...new Set(tags)].sort((a, b) => a - b);
