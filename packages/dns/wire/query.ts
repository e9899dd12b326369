import { randomInt } from "node:crypto";

const HEADER = 12;
const IN = 1;
const TYPES = { A: 1, NS: 2, SOA: 6, MX: 15, TXT: 16, AAAA: 28, DS: 43, DNSKEY: 48, SPF: 99 };
/** UDP payload size in octets that fits every path without fragmentation (DNS flag day 2020). */
export const MAX_DATAGRAM = 1232;
/** OPT record: root name, EDNS version 0, no options (RFC 6891), with that payload size. DO is in its octet 7 (RFC 3225). */
const OPT = Buffer.from([0, 0, 41, MAX_DATAGRAM >> 8, MAX_DATAGRAM & 0xff, 0, 0, 0, 0, 0, 0]);

export type QuestionType = keyof typeof TYPES;
export type Question = { name: string; type: QuestionType };

export type QueryOptions = {
  /** For recursive resolvers: sets RD, and AD to get the validation result (RFC 6840 section 5.7). */
  recursion?: boolean;
  /** Sets CD: answer without validating. */
  checkingDisabled?: boolean;
  /** Sets DO: include signatures in the answer (RFC 4035 section 3.2.1). */
  dnssec?: boolean;
  /** Omits EDNS, for servers that answer FORMERR to it (RFC 6891 section 7). */
  plain?: boolean;
  /** Mixes the letter case of the name (0x20), which an answer over UDP must repeat. */
  mixedCase?: boolean;
};

/** An encoded query. The sender sets its id. */
export type Query = { bytes: Buffer; questionEnd: number };

/** Encodes a question. The name must have passed isAskable. */
export function buildQuery({ name, type }: Question, options: QueryOptions = {}): Query {
  const nameLength = name === "." ? 1 : name.length + 2;
  const questionEnd = HEADER + nameLength + 4;
  const bytes = Buffer.allocUnsafe(questionEnd + (options.plain ? 0 : OPT.length));
  bytes.fill(0, 0, HEADER);
  // RD and AD; CD.
  bytes.writeUInt16BE((options.recursion ? 0x120 : 0) | (options.checkingDisabled ? 0x10 : 0), 2);
  bytes.writeUInt16BE(1, 4);
  if (name !== ".") writeName(bytes, name, options.mixedCase === true);
  bytes[questionEnd - 5] = 0;
  bytes.writeUInt16BE(TYPES[type], questionEnd - 4);
  bytes.writeUInt16BE(IN, questionEnd - 2);
  if (!options.plain) {
    bytes.writeUInt16BE(1, 10);
    OPT.copy(bytes, questionEnd);
    if (options.dnssec) bytes[questionEnd + 7] = 0x80;
  }
  return { bytes, questionEnd };
}

/** Writes a name after the header, with random letter case if `isMixed`. */
function writeName(bytes: Buffer, name: string, isMixed: boolean): void {
  let length = HEADER;
  let bits = 1;
  for (let index = 0; index < name.length; index += 1) {
    const code = name.charCodeAt(index);
    const at = HEADER + 1 + index;
    if (name[index] === ".") {
      bytes[length] = at - length - 1;
      length = at;
      continue;
    }
    // Eight random bits below a sentinel bit; 1 means that all of them are used.
    if (bits === 1) bits = 0x100 | randomInt(0x100);
    const isLetter = code >= 0x61 && code <= 0x7a;
    bytes[at] = isMixed && isLetter && (bits & 1) === 1 ? code - 0x20 : code;
    bits >>= 1;
  }
  bytes[length] = HEADER + name.length - length;
}

/**
 * Whether a response echoes the query's question; the caller must match id and peer. "case": except for letter case;
 * "bare": an error response without a question, as from servers that cannot parse the query.
 */
export function matchQuestion(reply: Buffer, query: Query): "exact" | "case" | "bare" | "none" {
  if (reply.length < HEADER || ((reply[2] ?? 0) & 0xf8) !== 0x80) return "none";
  const count = reply.readUInt16BE(4);
  if (count === 0) return ((reply[3] ?? 0) & 0x0f) === 0 ? "none" : "bare";
  if (count !== 1 || reply.length < query.questionEnd) return "none";
  let exact = true;
  for (let offset = HEADER; offset < query.questionEnd; offset += 1) {
    const sent = query.bytes[offset] ?? 0;
    const got = reply[offset] ?? 0;
    if (sent === got) continue;
    if (offset >= query.questionEnd - 4 || lowerCaseOctet(sent) !== lowerCaseOctet(got))
      return "none";
    exact = false;
  }
  return exact ? "exact" : "case";
}

const lowerCaseOctet = (byte: number) => (byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte);

/** A copy in random order. */
export const shuffled = <T>(items: readonly T[]): T[] =>
  items
    .map((item) => ({ item, key: randomInt(0x1_0000) }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);
