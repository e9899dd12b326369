import type { Anchor } from "./anchors.ts";
import { denyCloserName, denyDs, denyTxt } from "./denial.ts";
import {
  compareBytes,
  concat,
  countLabels,
  decodeChain,
  encodeChain,
  LIMITS,
  Malformed,
  type Name,
  namesBetween,
  nameText,
  type Octets,
  parseName,
  type RrSet,
  type Rrsig,
  readSets,
  TYPE,
  tryRead,
} from "./records.ts";
import {
  type Ds,
  entryKeys,
  isStarted,
  needsEd448,
  readDs,
  readKey,
  type SecureZone,
  Stop,
  stopAs,
  subjectOf,
  tryEach,
  usableDs,
  verify,
  verifyExact,
  type Work,
} from "./signature.ts";
import type { Judgement, Validation } from "./verdict.ts";

/** Judges DNS responses to questions with DO, in any order; skips malformed and truncated ones. Never throws. */
export function validate(messages: readonly Uint8Array[], question: Question): Promise<Validation> {
  const sets: RrSet[] = [];
  const answered = new Set<string>();
  for (const message of messages.slice(0, LIMITS.messages)) {
    const read = message.length > LIMITS.messageOctets ? null : tryRead(message, readMessage);
    if (!read) continue;
    answered.add(read.question);
    for (const set of read.sets) addSet(sets, set);
  }
  return judge(sets, question, answered);
}

function readMessage(octets: Octets) {
  octets.word();
  const flags = octets.word();
  const [questions, answers, authorities] = [octets.word(), octets.word(), octets.word()];
  const rcode = flags & 0xf;
  // An answer is a response to a query, not truncated, with NOERROR or NXDOMAIN.
  const isAnswer = (flags & 0xfa00) === 0x8000 && (rcode === 0 || rcode === 3);
  if (!isAnswer || questions !== 1 || answers + authorities > LIMITS.records) throw new Malformed();
  octets.at = 12;
  const question = `${nameText(octets.name(true))} ${octets.word()}`;
  octets.word();
  return { question, sets: readSets(octets, answers + authorities, true) };
}

function addSet(sets: RrSet[], set: RrSet): void {
  const versions = versionsOf(sets, set.owner, set.type);
  const same = versions.find(({ records }) => areEqual(records, set.records));
  if (!same && versions.length < LIMITS.versions && sets.length < LIMITS.records) sets.push(set);
  if (!same) return;
  for (const rrsig of set.signatures) {
    const isKnown = same.signatures.some((existing) => areEqual(rdataOf(existing), rdataOf(rrsig)));
    if (!isKnown && same.signatures.length < LIMITS.versions * LIMITS.signatures)
      same.signatures.push(rrsig);
  }
}

const rdataOf = ({ signed, signature }: RrSet["signatures"][number]) => [signed, signature];

const areEqual = (left: readonly Uint8Array[], right: readonly Uint8Array[]) =>
  left.length === right.length &&
  left.every((bytes, index) => compareBytes(bytes, right[index] ?? concat()) === 0);

/** For verifiers with slow clocks, signers backdate signatures by a day at most. */
const BACKDATING_SECONDS = 86_400;

/** The `since` of a question about the record of a claim that was opened at `openedAt`, in epoch milliseconds. */
export const sinceClaim = (openedAt: number) => Math.floor(openedAt / 1000) - BACKDATING_SECONDS;

/** What to prove: at second `at` since 1970, `name` had a TXT record with `value`, its strings joined. */
export type Question = {
  name: string;
  value: string;
  at: number;
  anchors: readonly Anchor[];
  /** Whether the servers deny the record: then the zone is at fault if nothing proves that. */
  isDenied?: boolean;
  /** Zones known to be above the name. An unsigned answer below one whose cut was not read is no fault. */
  zones?: readonly string[];
  /** The earliest second since 1970 at which the TXT signature may begin; left out if any beginning is allowed. */
  since?: number;
};

/** Judges a chain. A proof must have exactly the octets that encodeChain writes. Never throws. */
export async function verifyChain(chain: Uint8Array, question: Question): Promise<Validation> {
  const validation = await judge(decodeChain(chain) ?? [], question);
  const isProof = validation.verdict === "secure" || validation.verdict === "insecure";
  if (!isProof || compareBytes(validation.chain, chain) === 0) return validation;
  return { ...validation, verdict: "bogus", reason: { type: "not_canonical" } };
}

/** Judges RRsets. `answered` has the questions, as "name type", that got an answer, empty or not. Never throws. */
export async function judge(
  sets: readonly RrSet[],
  question: Question,
  answered: ReadonlySet<string> = new Set(),
): Promise<Validation> {
  const cost = { verifications: 0, digests: 0, rounds: 0 };
  const work: Work = { sets, answered, at: question.at, cost, used: new Map() };
  const zones: SecureZone[] = [];
  const judgement = await descend(work, question, zones).catch((error: unknown) => {
    if (error instanceof Stop) return error.judgement;
    throw error;
  });
  const signatures = [...work.used.values()];
  const from = Math.max(...signatures.map(({ inception }) => inception));
  const until = Math.min(...signatures.map(({ expiration }) => expiration));
  return {
    ...judgement,
    zones: zones.map(({ zone }) => nameText(zone)),
    chain: encodeChain(work.used),
    period: signatures.length > 0 ? { from, until } : null,
    cost,
  };
}

async function descend(work: Work, question: Question, zones: SecureZone[]): Promise<Judgement> {
  const { at, anchors } = question;
  const name = parseName(question.name);
  if (name === null || !Number.isInteger(at) || at < 0 || at >= 2 ** 32)
    return stopAs.indeterminate({ type: "not_a_question" });
  const closest = ["", ...namesBetween("", name)].findLast((zone) =>
    anchors.some((anchor) => parseName(anchor.zone) === zone),
  );
  const anchorDs = anchors.filter((anchor) => parseName(anchor.zone) === closest);
  if ((await usableDs(anchorDs)).length === 0) return stopAs.indeterminate({ type: "no_anchor" });
  let cut: Cut = { zone: closest ?? "", parent: null, ttl: null, ds: anchorDs };
  for (;;) {
    const signer = await authenticateKeys(work, cut);
    zones.push(signer);
    const next = await nextZone(work, signer, name);
    if (next === null) {
      const judgement = await judgeAnswer(work, signer, name, question);
      return judgement ?? judgeUnsigned(work, signer, name, question);
    }
    cut = next;
  }
}

type Cut = { zone: Name; parent: string | null; ttl: number | null; ds: readonly Ds[] };

const versionsOf = (sets: readonly RrSet[], owner: Name, type: number) =>
  sets.filter((set) => set.owner === owner && set.type === type);

const setsSignedBy = ({ sets }: Work, { zone }: SecureZone, owner: Name, type: number) =>
  versionsOf(sets, owner, type).filter((set) =>
    set.signatures.some(({ signer }) => signer === zone),
  );

/** A key with the digest of a DS record must sign all keys (RFC 4035 section 5.2). */
async function authenticateKeys(work: Work, cut: Cut): Promise<SecureZone> {
  const { zone, parent, ttl, ds: all } = cut;
  const ds = await usableDs(all);
  const zoneText = nameText(zone);
  if (ds.length === 0) {
    if (needsEd448(all)) return stopAs.indeterminate({ type: "no_ed448", zone: zoneText });
    const algorithms = distinct(all.map(({ algorithm }) => algorithm));
    const digestTypes = distinct(all.map(({ digestType }) => digestType));
    return stopAs.insecure({ type: "ds_unsupported", zone: zoneText, algorithms, digestTypes });
  }
  const dsKeyTags = distinct(ds.map(({ keyTag }) => keyTag));
  const subject = { zone: zoneText, parent, ttl, dsKeyTags };
  const secureZone = await tryEach(versionsOf(work.sets, zone, TYPE.DNSKEY), async (set) => {
    if (set.records.length > LIMITS.keys || ds.length > LIMITS.keys)
      return stopAs.indeterminate({ type: "limit", limit: "keys" });
    const keys = set.records.flatMap((rdata) => readKey(rdata) ?? []);
    const entries = await entryKeys(zone, keys, ds, work.cost);
    if (entries.length === 0) {
      const flagged = keys.filter(({ isEntryPoint }) => isEntryPoint);
      const keyTags = distinct((flagged.length > 0 ? flagged : keys).map(({ keyTag }) => keyTag));
      return stopAs.bogus({ type: "ds_matches_no_key", ...subject, keyTags });
    }
    work.used.set(set, await verifyExact(work, set, { zone, keys: entries }));
    return { zone, keys };
  });
  if (secureZone) return secureZone;
  return work.answered.has(`${zoneText} ${TYPE.DNSKEY}`)
    ? stopAs.bogus({ type: "ds_without_keys", ...subject })
    : stopAs.indeterminate({ type: "not_read", ...subjectOf(zone, zone, TYPE.DNSKEY) });
}

async function nextZone(work: Work, signer: SecureZone, name: Name): Promise<Cut | null> {
  for (const zone of namesBetween(signer.zone, name)) {
    const cut = await tryEach(setsSignedBy(work, signer, zone, TYPE.DS), async (set) => {
      const rrsig = await verifyExact(work, set, signer);
      work.used.set(set, rrsig);
      const parent = nameText(signer.zone);
      return { zone, parent, ttl: rrsig.originalTtl, ds: set.records.map(readDs) };
    });
    if (cut) return cut;
  }
  return null;
}

const judgeAnswer = (work: Work, signer: SecureZone, name: Name, { value, since }: Question) =>
  tryEach(setsSignedBy(work, signer, name, TYPE.TXT), async (set): Promise<Judgement> => {
    const subject = subjectOf(signer.zone, name, TYPE.TXT);
    const isFresh = (signature: Rrsig) =>
      since === undefined || isStarted({ inception: since }, signature.inception);
    const signatures = set.signatures.filter(isFresh);
    if (signatures.length === 0) return stopAs.bogus({ type: "signatures_too_old", ...subject });
    const rrsig = await verify(work, { ...set, signatures }, signer);
    const wantedText = new TextEncoder().encode(value);
    const texts = set.records.flatMap((rdata) => tryRead(rdata, readText) ?? []);
    if (!texts.some((text) => compareBytes(text, wantedText) === 0))
      return stopAs.bogus({ type: "value_absent", ...subject });
    const isFromWildcard = rrsig.labels < countLabels(name);
    const denial = isFromWildcard ? await denyCloserName(work, signer, name, rrsig.labels) : null;
    if (isFromWildcard && !denial) return stopAs.bogus({ type: "denial_missing", ...subject });
    work.used.set(set, rrsig);
    for (const [proof, signature] of denial?.proofs ?? []) work.used.set(proof, signature);
    return denial?.reason ? stopAs.insecure(denial.reason) : { verdict: "secure" };
  });

/** Judges an answer that the last zone does not sign: a zone below must sign it, or be proved unsigned. */
async function judgeUnsigned(work: Work, signer: SecureZone, name: Name, question: Question) {
  const { zones = [], isDenied } = question;
  const denial = await denyDs(work, signer, name);
  if (denial?.reason) {
    for (const [set, rrsig] of denial.proofs) work.used.set(set, rrsig);
    return stopAs.insecure(denial.reason);
  }
  const signers = work.sets.flatMap((set) => set.signatures.map(({ signer }) => signer));
  const knownZones = new Set([...signers, ...zones.map(parseName)]);
  const child = namesBetween(signer.zone, name).find((zone) => knownZones.has(zone));
  const [owner, type] = child === undefined ? [name, TYPE.TXT] : [child, TYPE.DS];
  const subject = subjectOf(signer.zone, owner, type);
  if (versionsOf(work.sets, owner, type).length > 0)
    return stopAs.bogus({ type: "signatures_missing", ...subject });
  if (child !== undefined && work.answered.has(`${subject.name} ${TYPE.DS}`))
    return stopAs.bogus({ type: "denial_missing", ...subject });
  // The answer may be negative. If its signatures are wrong, the zone is at fault.
  for (const set of work.sets) {
    const isDenial = set.type === TYPE.NSEC || set.type === TYPE.NSEC3;
    if (isDenial && setsSignedBy(work, signer, set.owner, set.type).includes(set))
      await verify(work, set, signer);
  }
  const isAnswered = work.answered.has(`${subject.name} ${TYPE.TXT}`);
  if (isDenied && child === undefined && isAnswered && !(await denyTxt(work, signer, name)))
    return stopAs.bogus({ type: "denial_missing", ...subject });
  return stopAs.indeterminate({ type: "not_read", ...subject });
}

/** Joins the character strings of TXT RDATA (RFC 1035 section 3.3.14). */
function readText(octets: Octets): Uint8Array {
  const strings: Uint8Array[] = [];
  while (octets.left > 0) strings.push(octets.take(octets.byte()));
  return concat(...strings);
}

const distinct = (numbers: readonly number[]) => [...new Set(numbers)].sort((a, b) => a - b);
