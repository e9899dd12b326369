import { MAX_MESSAGE, MAX_MESSAGES, MAX_RECORDS, MAX_SIGNATURES, MAX_VERSIONS } from "./limits.ts";
import { nameText } from "./name.ts";
import {
  compareBytes,
  concat,
  Malformed,
  type Octets,
  type RrSet,
  reading,
  readSets,
} from "./records.ts";
import { judge, type Question } from "./validate.ts";
import type { Validation } from "./verdict.ts";

const HEADER = 12;
/** Response, opcode, and truncation; a response to a query that is whole has only the first. */
const FLAGS = 0xfa00;
const RESPONSE = 0x8000;
const NOERROR = 0;
const NXDOMAIN = 3;

/**
 * Judges DNS responses: to DNSKEY and DS of each zone from the anchor's down, and to TXT at the name; asked with DO, in
 * any order, from any number of servers. Leaves out responses that are malformed, truncated, too long, or errors.
 * Never throws for what they hold.
 */
export function validate(messages: readonly Uint8Array[], question: Question): Promise<Validation> {
  const sets: RrSet[] = [];
  const answered = new Set<string>();
  for (const message of messages.slice(0, MAX_MESSAGES)) {
    const read = message.length > MAX_MESSAGE ? null : reading(message, readMessage);
    if (!read) continue;
    answered.add(read.question);
    for (const set of read.sets) add(sets, set);
  }
  return judge(sets, question, answered);
}

function readMessage(octets: Octets) {
  octets.word();
  const flags = octets.word();
  const [questions, answers, authorities] = [octets.word(), octets.word(), octets.word()];
  const rcode = flags & 0xf;
  const isAnswer = (flags & FLAGS) === RESPONSE && (rcode === NOERROR || rcode === NXDOMAIN);
  if (!isAnswer || questions !== 1 || answers + authorities > MAX_RECORDS) throw new Malformed();
  octets.at = HEADER;
  const question = `${nameText(octets.name(true))} ${octets.word()}`;
  octets.word();
  return { question, sets: readSets(octets, answers + authorities, true) };
}

/** Adds another version of an RRset, or its new signatures to the version that has the same records. */
function add(sets: RrSet[], set: RrSet): void {
  const versions = sets.filter(({ owner, type }) => owner === set.owner && type === set.type);
  const same = versions.find(({ records }) => areSame(records, set.records));
  if (!same) {
    if (versions.length < MAX_VERSIONS && sets.length < MAX_RECORDS) sets.push(set);
    return;
  }
  for (const rrsig of set.signatures) {
    const isKnown = same.signatures.some((known) => areSame(rdataOf(known), rdataOf(rrsig)));
    if (!isKnown && same.signatures.length < MAX_VERSIONS * MAX_SIGNATURES)
      same.signatures.push(rrsig);
  }
}

const rdataOf = ({ signed, signature }: RrSet["signatures"][number]) => [signed, signature];

const areSame = (one: readonly Uint8Array[], other: readonly Uint8Array[]) =>
  one.length === other.length &&
  one.every((bytes, index) => compareBytes(bytes, other[index] ?? concat()) === 0);
