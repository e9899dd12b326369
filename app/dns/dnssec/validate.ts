import { denyCloser, denyDs } from "./denial.ts";
import { type Anchor, type Ds, dsOfAnchor, entryKeys, readDs, readKey, usableDs } from "./keys.ts";
import { type Cost, LimitReached, MAX_KEYS } from "./limits.ts";
import {
  collect,
  compareBytes,
  concat,
  decodeChain,
  encodeChain,
  type Pool,
  type RrSet,
  TYPE,
} from "./records.ts";
import { about, type SecureZone, verify, versionsOf, type Work } from "./rrset.ts";
import type { Fault, Gap, Insecurity, Judgement, Validation } from "./verdict.ts";
import {
  countLabels,
  isAtOrBelow,
  labelsOf,
  namesBetween,
  nameText,
  type WireName,
  wireName,
} from "./wire-name.ts";

/** What is to be shown: that TXT records at `name` had `value` (their strings joined), signed at `at` (seconds since 1970). */
export type Question = {
  name: string;
  value: string;
  at: number;
  anchors: readonly Anchor[];
  /** The zones known to be on the way to the name, to tell an unsigned answer below an unread cut from a fault. */
  zones?: readonly string[];
};

/**
 * Judges DNS responses: DNSKEY and DS of each zone from the anchor's down, TXT at the name, all asked with DO, in any
 * order and from any number of servers. Never throws for what they hold.
 */
export const validate = (
  messages: readonly Uint8Array[],
  question: Question,
): Promise<Validation> => judge(collect(messages), question);

/**
 * Judges a chain from an earlier validation. Accepts only the very octets that encodeChain writes for the records that
 * the verdict rests on, so that no bit of it can differ. Never throws.
 */
export async function verifyChain(chain: Uint8Array, question: Question): Promise<Validation> {
  const pool = decodeChain(chain);
  const validation = await judge(pool ?? { sets: [], answered: new Set() }, question);
  const isExact = pool !== null && compareBytes(validation.chain, chain) === 0;
  if (isExact || validation.verdict === "bogus") return validation;
  return { ...validation, verdict: "bogus", reason: { type: "not_canonical" } };
}

const bogus = (reason: Fault): Judgement => ({ verdict: "bogus", reason });
const insecure = (reason: Insecurity): Judgement => ({ verdict: "insecure", reason });
const indeterminate = (reason: Gap): Judgement => ({ verdict: "indeterminate", reason });

async function judge(pool: Pool, question: Question): Promise<Validation> {
  const cost: Cost = { verifications: 0, digests: 0, rounds: 0 };
  const work: Work = { pool, at: question.at, cost, used: new Map() };
  const secure: SecureZone[] = [];
  let judgement: Judgement;
  try {
    judgement = await descend(work, question, secure);
  } catch (error) {
    if (!(error instanceof LimitReached)) throw error;
    judgement = indeterminate({ type: "limit", limit: error.limit });
  }
  const signatures = [...work.used.values()];
  return {
    ...judgement,
    zones: secure.map(({ zone }) => nameText(zone)),
    chain: encodeChain(work.used),
    period:
      signatures.length === 0
        ? null
        : {
            from: Math.max(...signatures.map(({ inception }) => inception)),
            until: Math.min(...signatures.map(({ expiration }) => expiration)),
          },
    cost,
  };
}

/** Goes from the closest anchor down, zone by zone, to the one that signs the answer. Adds each to `secure`. */
async function descend(work: Work, question: Question, secure: SecureZone[]): Promise<Judgement> {
  const { at, anchors } = question;
  const name = wireName(question.name);
  if (name === null || !Number.isInteger(at) || at < 0 || at >= 2 ** 32)
    return indeterminate({ type: "not_a_question" });
  const start = closestAnchor(anchors, name);
  if (start === null) return indeterminate({ type: "no_anchor" });
  let { zone, ds } = start;
  for (;;) {
    const usable = await usableDs(ds);
    if (usable.length === 0)
      return secure.length === 0 ? indeterminate({ type: "no_anchor" }) : unsupported(zone, ds);
    const found = await authenticateKeys(work, zone, usable);
    if ("verdict" in found) return found;
    secure.push(found);
    const answers = versionsOf(work, name, TYPE.TXT);
    const signed = answers.filter(({ signatures }) =>
      signatures.some(({ signer }) => signer === zone),
    );
    if (signed.length > 0) return judgeAnswer(work, found, signed, question.value);
    const next = await nextZone(work, found, name);
    if ("verdict" in next) return next;
    if (next.type === "none") return judgeUnsigned(work, found, name, question);
    ({ zone, ds } = next);
  }
}

function closestAnchor(anchors: readonly Anchor[], name: WireName) {
  const zones = anchors.flatMap(({ zone }) => wireName(zone) ?? []);
  const above = zones.filter((zone) => isAtOrBelow(name, zone));
  const [zone] = above.sort((one, other) => labelsOf(other).length - labelsOf(one).length);
  if (zone === undefined) return null;
  return { zone, ds: anchors.filter((anchor) => wireName(anchor.zone) === zone).map(dsOfAnchor) };
}

const unsupported = (zone: WireName, ds: readonly Ds[]) =>
  insecure({
    type: "ds_unsupported",
    zone: nameText(zone),
    algorithms: distinct(ds.map(({ algorithm }) => algorithm)),
    digestTypes: distinct(ds.map(({ digestType }) => digestType)),
  });

/** RFC 4035 section 5.2: a key with the digest of a DS record signs all keys. */
async function authenticateKeys(
  work: Work,
  zone: WireName,
  ds: readonly Ds[],
): Promise<SecureZone | Judgement> {
  const dsKeyTags = distinct(ds.map(({ keyTag }) => keyTag));
  let first: Fault | null = null;
  for (const set of versionsOf(work, zone, TYPE.DNSKEY)) {
    if (set.records.length > MAX_KEYS || ds.length > MAX_KEYS)
      return indeterminate({ type: "limit", limit: "keys" });
    const keys = set.records.flatMap((rdata) => readKey(rdata) ?? []);
    const entries = await entryKeys(zone, keys, ds, work.cost);
    if (entries.length === 0) {
      const keyTags = distinct(keys.map(({ keyTag }) => keyTag));
      first ??= { type: "ds_matches_no_key", zone: nameText(zone), dsKeyTags, keyTags };
      continue;
    }
    const verified = await verifyExact(work, set, { zone, keys: entries });
    if (verified === null) return { zone, keys };
    first ??= verified;
  }
  if (first) return bogus(first);
  return work.pool.answered.has(`${nameText(zone)} ${TYPE.DNSKEY}`)
    ? bogus({ type: "ds_without_keys", zone: nameText(zone), dsKeyTags })
    : indeterminate({ type: "not_read", ...about(zone, zone, TYPE.DNSKEY) });
}

/** Verifies an RRset that no wildcard may expand to, and keeps it. Null if it is valid. */
async function verifyExact(work: Work, set: RrSet, by: SecureZone): Promise<Fault | null> {
  const verified = await verify(work, set, by);
  if ("fault" in verified) return verified.fault;
  if (verified.rrsig.labels !== countLabels(set.owner))
    return { type: "signatures_missing", ...about(by.zone, set.owner, set.type) };
  work.used.set(set, verified.rrsig);
  return null;
}

/** The next zone on the way to `name`: signed, proved unsigned, or none that shows. */
async function nextZone(
  work: Work,
  by: SecureZone,
  name: WireName,
): Promise<{ type: "signed"; zone: WireName; ds: Ds[] } | { type: "none" } | Judgement> {
  for (const child of namesBetween(by.zone, name)) {
    let first: Fault | null = null;
    for (const set of versionsOf(work, child, TYPE.DS)) {
      const fault = await verifyExact(work, set, by);
      if (fault === null) return { type: "signed", zone: child, ds: set.records.map(readDs) };
      first ??= fault;
    }
    const denial = await denyDs(work, by, child);
    if (denial) {
      for (const [set, rrsig] of denial.proofs) work.used.set(set, rrsig);
      return insecure(denial.reason);
    }
    if (first) return bogus(first);
  }
  return { type: "none" };
}

/** The answer that the last secure zone signs. */
async function judgeAnswer(
  work: Work,
  by: SecureZone,
  versions: readonly RrSet[],
  value: string,
): Promise<Judgement> {
  let first: Judgement | null = null;
  for (const set of versions) {
    const subject = about(by.zone, set.owner, set.type);
    const verified = await verify(work, set, by);
    if ("fault" in verified) {
      first ??= bogus(verified.fault);
      continue;
    }
    const { rrsig } = verified;
    if (!set.records.some((rdata) => textOf(rdata) === value)) {
      first ??= bogus({ type: "value_absent", ...subject });
      continue;
    }
    const isExpanded = rrsig.labels < countLabels(set.owner);
    const denial = isExpanded ? await denyCloser(work, by, set.owner, rrsig.labels) : null;
    if (isExpanded && !denial) {
      first ??= bogus({ type: "denial_missing", ...subject });
      continue;
    }
    work.used.set(set, rrsig);
    for (const [proof, signature] of denial?.proofs ?? []) work.used.set(proof, signature);
    return denial?.type === "insecure" ? insecure(denial.reason) : { verdict: "secure" };
  }
  return first ?? indeterminate({ type: "not_read", ...about(by.zone, by.zone, TYPE.TXT) });
}

/** No zone below the last secure one shows, and that one does not sign the answer. */
async function judgeUnsigned(
  work: Work,
  by: SecureZone,
  name: WireName,
  { zones = [] }: Question,
): Promise<Judgement> {
  const answers = versionsOf(work, name, TYPE.TXT);
  const signers = answers.flatMap(({ signatures }) => signatures.map(({ signer }) => signer));
  const known = new Set([...signers, ...zones.flatMap((zone) => wireName(zone) ?? [])]);
  const child = namesBetween(by.zone, name).find((one) => known.has(one));
  if (child !== undefined) {
    const subject = about(by.zone, child, TYPE.DS);
    return work.pool.answered.has(`${subject.name} ${TYPE.DS}`)
      ? bogus({ type: "denial_missing", ...subject })
      : indeterminate({ type: "not_read", ...subject });
  }
  if (answers.length > 0)
    return bogus({ type: "signatures_missing", ...about(by.zone, name, TYPE.TXT) });
  // A negative answer: the first fault of its signatures is that of the zone.
  for (const set of work.pool.sets) {
    const isDenial = set.type === TYPE.NSEC || set.type === TYPE.NSEC3;
    if (!isDenial || !set.signatures.some(({ signer }) => signer === by.zone)) continue;
    const verified = await verify(work, set, by);
    if ("fault" in verified) return bogus(verified.fault);
  }
  return indeterminate({ type: "not_read", ...about(by.zone, name, TYPE.TXT) });
}

/** The character strings of TXT RDATA, joined (RFC 1035 section 3.3.14), as UTF-8; null if they do not fill it. */
function textOf(rdata: Uint8Array): string | null {
  const parts: Uint8Array[] = [];
  let at = 0;
  for (; at < rdata.length; at += 1 + (rdata[at] ?? 0))
    parts.push(rdata.subarray(at + 1, at + 1 + (rdata[at] ?? 0)));
  return at === rdata.length ? new TextDecoder().decode(concat(...parts)) : null;
}

const distinct = (numbers: readonly number[]) => [...new Set(numbers)].sort((a, b) => a - b);
