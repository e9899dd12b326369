import type { Key } from "./keys.ts";
import { type Cost, MAX_KEYS_OF_A_TAG, MAX_SIGNATURES, spend } from "./limits.ts";
import { concat, type Pool, type RrSet, type Rrsig, record } from "./records.ts";
import { isSignedBy, isSupported } from "./signature.ts";
import type { Fault } from "./verdict.ts";
import { countLabels, lastLabels, nameText, type WireName } from "./wire-name.ts";

/** A judgement in progress. `used`: the RRsets it rests on so far, each with the signature that was verified. */
export type Work = { pool: Pool; at: number; cost: Cost; used: Map<RrSet, Rrsig> };
/** A zone whose keys are authenticated. */
export type SecureZone = { zone: WireName; keys: readonly Key[] };

const TYPE_NAMES: Record<number, string> = {
  16: "TXT",
  43: "DS",
  47: "NSEC",
  48: "DNSKEY",
  50: "NSEC3",
};

/** A fault or gap is about this. */
export const about = (zone: WireName, name: WireName, type: number) => ({
  zone: nameText(zone),
  name: nameText(name),
  records: TYPE_NAMES[type] ?? String(type),
});

export const versionsOf = ({ pool }: Work, owner: WireName, type: number) =>
  pool.sets.filter((set) => set.owner === owner && set.type === type);

type Verified = { rrsig: Rrsig } | { fault: Fault };

/**
 * Verifies an RRset by the keys of a zone (RFC 4035 section 5.3). One valid signature suffices (RFC 6840 section 5.11).
 * The caller judges signatures of wildcards, which have fewer labels than the owner. Throws LimitReached.
 */
export async function verify(work: Work, set: RrSet, by: SecureZone): Promise<Verified> {
  const subject = about(by.zone, set.owner, set.type);
  const fitting: { rrsig: Rrsig; keys: Key[] }[] = [];
  for (const rrsig of set.signatures) {
    if (rrsig.signer !== by.zone || rrsig.labels > countLabels(set.owner)) continue;
    const keys = by.keys.filter(
      ({ keyTag, algorithm }) => keyTag === rrsig.keyTag && algorithm === rrsig.algorithm,
    );
    if (keys.length > 0 && (await isSupported(rrsig.algorithm))) fitting.push({ rrsig, keys });
  }
  if (fitting.length === 0) return { fault: { type: "signatures_missing", ...subject } };
  const timely = fitting.filter(
    ({ rrsig }) => isStarted(rrsig, work.at) && !isOver(rrsig, work.at),
  );
  if (timely.length === 0) return { fault: { ...untimely(fitting, work.at), ...subject } };
  for (const { rrsig, keys } of timely.slice(0, MAX_SIGNATURES)) {
    for (const { publicKey } of keys.slice(0, MAX_KEYS_OF_A_TAG)) {
      spend(work.cost, "verifications");
      const { algorithm, signature } = rrsig;
      if (await isSignedBy(algorithm, publicKey, signature, signedData(set, rrsig)))
        return { rrsig };
    }
  }
  const keyTags = [...new Set(timely.map(({ rrsig }) => rrsig.keyTag))];
  return { fault: { type: "signatures_invalid", keyTags, ...subject } };
}

/** Serial number arithmetic, as RFC 4034 section 3.1.5 asks. */
const isAfter = (one: number, other: number) => (one - other) >>> 0 < 2 ** 31;
const isStarted = ({ inception }: Rrsig, at: number) => isAfter(at, inception);
const isOver = ({ expiration }: Rrsig, at: number) => !isAfter(expiration, at);

function untimely(fitting: readonly { rrsig: Rrsig }[], at: number) {
  const early = fitting.filter(({ rrsig }) => !isStarted(rrsig, at));
  return early.length > 0
    ? {
        type: "signatures_not_yet_valid" as const,
        at: Math.min(...early.map(({ rrsig }) => rrsig.inception)),
      }
    : {
        type: "signatures_expired" as const,
        at: Math.max(...fitting.map(({ rrsig }) => rrsig.expiration)),
      };
}

/** RFC 4034 section 3.1.8.1: the RDATA of the signature without itself, and the records in canonical form. */
function signedData({ owner, type, records }: RrSet, { labels, originalTtl, signed }: Rrsig) {
  const isExpanded = labels < countLabels(owner);
  const name = isExpanded ? `\x01*${lastLabels(owner, labels)}` : owner;
  return concat(signed, ...records.map((rdata) => record(name, type, originalTtl, rdata)));
}
