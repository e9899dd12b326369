import type { Key } from "./keys.ts";
import { MAX_KEYS_OF_A_TAG, MAX_SIGNATURES } from "./limits.ts";
import { countLabels, lastLabels, type Name, nameText, wildcardOf } from "./name.ts";
import { concat, type RrSet, type Rrsig, record, TYPE } from "./records.ts";
import { isSignedBy, isSupported } from "./signature.ts";
import { Stop, spend, stopAs } from "./stop.ts";
import type { Cost } from "./verdict.ts";

/** A judgement in progress. `used`: the RRsets it rests on so far, each with the signature that was verified. */
export type Work = {
  sets: readonly RrSet[];
  answered: ReadonlySet<string>;
  at: number;
  cost: Cost;
  used: Map<RrSet, Rrsig>;
};
/** A zone whose keys are authenticated. */
export type SecureZone = { zone: Name; keys: readonly Key[] };

/** What a fault or a gap is about. */
export const about = (zone: Name, name: Name, type: number) => ({
  zone: nameText(zone),
  name: nameText(name),
  records: Object.entries(TYPE).find(([, number]) => number === type)?.[0] ?? String(type),
});

/**
 * What `attempt` makes of the first version of an RRset that it accepts; null if there is no version. Throws the Stop of
 * the first one if all are bogus.
 */
export async function firstOf<T>(
  versions: readonly RrSet[],
  attempt: (set: RrSet) => Promise<T>,
): Promise<T | null> {
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

/**
 * The signature of an RRset that is valid by a key of the zone (RFC 4035 section 5.3); one suffices (RFC 6840 section
 * 5.11). With fewer labels than the owner, it is that of a wildcard. Throws Stop.
 */
export async function verify(work: Work, set: RrSet, by: SecureZone): Promise<Rrsig> {
  const subject = about(by.zone, set.owner, set.type);
  const fitting: { rrsig: Rrsig; keys: Key[] }[] = [];
  for (const rrsig of set.signatures) {
    if (rrsig.signer !== by.zone || rrsig.labels > countLabels(set.owner)) continue;
    const keys = by.keys.filter(
      ({ keyTag, algorithm }) => keyTag === rrsig.keyTag && algorithm === rrsig.algorithm,
    );
    if (keys.length > 0 && (await isSupported(rrsig.algorithm))) fitting.push({ rrsig, keys });
  }
  if (fitting.length === 0) return stopAs.bogus({ type: "signatures_missing", ...subject });
  const timely = fitting.filter(
    ({ rrsig }) => isStarted(rrsig, work.at) && !isOver(rrsig, work.at),
  );
  if (timely.length === 0) return stopAs.bogus({ ...untimely(fitting, work.at), ...subject });
  for (const { rrsig, keys } of timely.slice(0, MAX_SIGNATURES)) {
    for (const { publicKey } of keys.slice(0, MAX_KEYS_OF_A_TAG)) {
      spend(work.cost, "verifications");
      const { algorithm, signature } = rrsig;
      if (await isSignedBy(algorithm, publicKey, signature, signedData(set, rrsig))) return rrsig;
    }
  }
  const keyTags = [...new Set(timely.map(({ rrsig }) => rrsig.keyTag))];
  return stopAs.bogus({ type: "signatures_invalid", keyTags, ...subject });
}

/** As verify, for an RRset that no wildcard may stand for. */
export async function verifyExact(work: Work, set: RrSet, by: SecureZone): Promise<Rrsig> {
  const rrsig = await verify(work, set, by);
  if (rrsig.labels === countLabels(set.owner)) return rrsig;
  return stopAs.bogus({ type: "signatures_missing", ...about(by.zone, set.owner, set.type) });
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
  const name = labels < countLabels(owner) ? wildcardOf(lastLabels(owner, labels)) : owner;
  return concat(signed, ...records.map((rdata) => record(name, type, originalTtl, rdata)));
}
