import { randomInt } from "node:crypto";
import { Malformed, nullIfMalformed } from "../dnssec/records.ts";
import { octetsOf } from "../names.ts";
import { Cursor } from "./cursor.ts";

const HEADER = 12;
const CLASS_IN = 1;
const QTYPES = { A: 1, NS: 2, SOA: 6, MX: 15, TXT: 16, AAAA: 28, DS: 43, DNSKEY: 48, SPF: 99 };
const TYPES = { ...QTYPES, CNAME: 5, DNAME: 39, OPT: 41 };
type TypeName = keyof typeof TYPES;
const TYPE_NAMES = new Map(Object.entries(TYPES).map(([name, code]) => [code, name as TypeName]));
/** UDP payload size in octets that fits every path without fragmentation (DNS flag day 2020). */
export const MAX_DATAGRAM_OCTETS = 1232;
/** The OPT record: root name, EDNS version 0, no options (RFC 6891), that payload size. DO is in octet 7 (RFC 3225). */
const EDNS_RECORD = Buffer.alloc(11);
EDNS_RECORD[2] = TYPES.OPT;
EDNS_RECORD.writeUInt16BE(MAX_DATAGRAM_OCTETS, 3);

export type QuestionType = keyof typeof QTYPES | "CNAME";
export type Question = { name: string; type: QuestionType };

export type QueryOptions = {
  /** Sets RD for recursive resolvers, and AD to get the result of their validation (RFC 6840 section 5.7). */
  recursion?: boolean;
  /** Sets CD, which asks for an answer without validation. */
  checkingDisabled?: boolean;
  /** Sets DO, which asks for signatures in the answer (RFC 4035 section 3.2.1). */
  dnssec?: boolean;
  /** Omits EDNS, for servers that answer FORMERR to it (RFC 6891 section 7). */
  plain?: boolean;
  /** Mixes the letter case of the name (0x20), which an answer over UDP must repeat. */
  mixedCase?: boolean;
};

export type Query = { bytes: Buffer; questionEnd: number };

/** The name must have passed isQueryable; it may have escapes. */
export function buildQuery(question: Question, options: QueryOptions = {}): Query {
  const name = octetsOf(question.name);
  const questionEnd = HEADER + (name === "." ? 1 : name.length + 2) + 4;
  const bytes = Buffer.allocUnsafe(questionEnd + (options.plain ? 0 : EDNS_RECORD.length));
  bytes.fill(0, 0, HEADER);
  // The first value is the flags RD and AD, the second the flag CD.
  bytes.writeUInt16BE((options.recursion ? 0x120 : 0) | (options.checkingDisabled ? 0x10 : 0), 2);
  bytes.writeUInt16BE(1, 4);
  if (name !== ".") writeName(bytes, name, options.mixedCase === true);
  bytes[questionEnd - 5] = 0;
  bytes.writeUInt16BE(TYPES[question.type], questionEnd - 4);
  bytes.writeUInt16BE(CLASS_IN, questionEnd - 2);
  if (!options.plain) {
    bytes.writeUInt16BE(1, 10);
    EDNS_RECORD.copy(bytes, questionEnd);
    if (options.dnssec) bytes[questionEnd + 7] = 0x80;
  }
  return { bytes, questionEnd };
}

function writeName(bytes: Buffer, name: string, isMixed: boolean): void {
  let lengthAt = HEADER;
  let randomBits = 1;
  let firstLetterAt = 0;
  for (let index = 0; index < name.length; index += 1) {
    const code = name.charCodeAt(index);
    const octetIndex = HEADER + 1 + index;
    if (name[index] === ".") {
      bytes[lengthAt] = octetIndex - lengthAt - 1;
      lengthAt = octetIndex;
      continue;
    }
    // There are eight random bits below a sentinel bit. At 1, all of them are used up.
    if (randomBits === 1) randomBits = 0x100 | randomInt(0x100);
    const isLetter = code >= 0x61 && code <= 0x7a;
    const isCapital = isMixed && isLetter && (randomBits & 1) === 1;
    bytes[octetIndex] = isCapital ? code - 0x20 : code;
    if (isCapital) firstLetterAt = -1;
    else if (isLetter && firstLetterAt === 0) firstLetterAt = octetIndex;
    randomBits >>= 1;
  }
  // One in 8 names as short as a.io would get no capital, and a server that fails on capitals would seem to work.
  if (isMixed && firstLetterAt > 0) bytes[firstLetterAt] = (bytes[firstLetterAt] ?? 0) - 0x20;
  bytes[lengthAt] = HEADER + name.length - lengthAt;
}

/** The query with its length in front, as TCP streams have it (RFC 1035 section 4.2.2). */
export const frameMessage = ({ bytes }: Query): Buffer =>
  Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 0xff]), bytes]);

/** Compares questions, not id and peer. "case": only the letter case differs. "bare": an error without a question. */
export function matchQuestion(reply: Buffer, query: Query): "exact" | "case" | "bare" | "none" {
  if (reply.length < HEADER || ((reply[2] ?? 0) & 0xf8) !== 0x80) return "none";
  const count = reply.readUInt16BE(4);
  if (count === 0) return ((reply[3] ?? 0) & 0x0f) === 0 ? "none" : "bare";
  if (count !== 1 || reply.length < query.questionEnd) return "none";
  let exact = true;
  for (let offset = HEADER; offset < query.questionEnd; offset += 1) {
    const expected = query.bytes[offset] ?? 0;
    const received = reply[offset] ?? 0;
    if (expected === received) continue;
    if (offset >= query.questionEnd - 4 || lowerCaseOctet(expected) !== lowerCaseOctet(received))
      return "none";
    exact = false;
  }
  return exact ? "exact" : "case";
}

const lowerCaseOctet = (byte: number) => (byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte);

export const shuffled = <T>(items: readonly T[]): T[] =>
  items
    .map((item) => ({ item, key: randomInt(0x1_0000) }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);

/** The most octets of a message: the length field in front of it in TCP allows no more (RFC 1035 section 4.2.2). */
export const MAX_MESSAGE_OCTETS = 65_535;
/** More records than any honest message has. */
const MAX_RECORDS = 2_048;
const MAX_ERRORS = 20;
const MAX_ERROR_TEXT = 255;
const EXTENDED_ERROR = 15;
const RCODES =
  "NOERROR FORMERR SERVFAIL NXDOMAIN NOTIMP REFUSED YXDOMAIN YXRRSET NXRRSET NOTAUTH NOTZONE".split(
    " ",
  );
/** RCODEs that do not fit the header (RFC 6891 section 9, RFC 7873 section 8). */
const EXTENDED_RCODES: Record<number, string> = { 16: "BADVERS", 23: "BADCOOKIE" };

export type ResourceRecord = { name: string; ttl: number } & RecordData;

type RecordData =
  | { type: "A" | "AAAA"; address: string }
  | { type: "NS" | "CNAME" | "DNAME" | "MX"; target: string }
  | { type: "SOA"; serial: number; refresh: number; minimum: number }
  | { type: "TXT" | "SPF"; value: string }
  | { type: "DS" };

/** Null if malformed, or with more records or steps than honest messages. Never throws. `cursor` follows the header. */
export function decodeMessage(bytes: Buffer, cursor = new Cursor(bytes, HEADER)): Message | null {
  if (bytes.length < HEADER || bytes.length > MAX_MESSAGE_OCTETS) return null;
  const counts = [4, 6, 8, 10].map((at) => bytes.readUInt16BE(at));
  if (counts.reduce((sum, count) => sum + count) > MAX_RECORDS) return null;
  return nullIfMalformed(() => readBody(bytes, counts, cursor));
}

export type Message = ReturnType<typeof readBody>;
function readBody(bytes: Buffer, counts: readonly number[], cursor: Cursor) {
  const [questions = 0, answers = 0, authorities = 0, additionals = 0] = counts;
  const flags = bytes.readUInt16BE(2);
  const code = flags & 0xf;
  const message = {
    rcode: RCODES[code] ?? `RCODE_${code}`,
    aa: (flags & 0x400) !== 0,
    tc: (flags & 0x200) !== 0,
    /** Whether the server looks names up for clients (RFC 1035 section 4.1.1). */
    ra: (flags & 0x80) !== 0,
    ad: (flags & 0x20) !== 0,
    answers: [] as ResourceRecord[],
    authorities: [] as ResourceRecord[],
    additionals: [] as ResourceRecord[],
    extendedErrors: [] as { code: number; text: string }[],
  };
  for (let count = 0; count < questions; count += 1) {
    cursor.name();
    cursor.take(4);
  }
  readSection(cursor, answers, message, message.answers);
  readSection(cursor, authorities, message, message.authorities);
  readSection(cursor, additionals, message, message.additionals);
  return message;
}

function readSection(cursor: Cursor, count: number, message: Message, records: ResourceRecord[]) {
  for (let index = 0; index < count; index += 1) {
    const name = cursor.name();
    const type = cursor.word();
    const dnsClass = cursor.word();
    const ttl = cursor.long();
    const length = cursor.word();
    const end = cursor.at + length;
    if (length > cursor.left) throw new Malformed();
    if (type === TYPES.OPT) readOptions(cursor, end, ttl, message);
    const data = dnsClass === CLASS_IN ? readData(cursor, end, type) : null;
    if (data) {
      if (cursor.at !== end) throw new Malformed();
      // A TTL with the highest bit set counts as 0 (RFC 2181 section 8).
      records.push({ name, ttl: ttl > 0x7fffffff ? 0 : ttl, ...data });
    }
    cursor.at = end;
  }
}

function readData(cursor: Cursor, end: number, code: number): RecordData | null {
  const type = TYPE_NAMES.get(code);
  switch (type) {
    case "A":
    case "AAAA":
      return { type, address: cursor.address(type === "A" ? 4 : 16) };
    case "MX":
    case "NS":
    case "CNAME":
    case "DNAME":
      if (type === "MX") cursor.take(2);
      return { type, target: cursor.name() };
    case "TXT":
    // SPF has the same format as TXT (RFC 4408 section 3.1.1, now obsolete).
    case "SPF":
      return { type, value: cursor.strings(end) };
    case "SOA": {
      cursor.name();
      cursor.name();
      const [serial, refresh] = [cursor.long(), cursor.long()];
      cursor.take(8);
      return { type, serial, refresh, minimum: cursor.long() };
    }
    case "DS":
      cursor.at = end;
      return { type };
    default:
      return null;
  }
}

/** Reads the EDNS options (RFC 6891). The TTL field of OPT has the upper bits of the RCODE. */
function readOptions(cursor: Cursor, end: number, ttl: number, message: Message): void {
  const upperOctet = ttl >>> 24;
  const code = (upperOctet << 4) | Math.max(0, RCODES.indexOf(message.rcode));
  if (upperOctet > 0) message.rcode = EXTENDED_RCODES[code] ?? `RCODE_${code}`;
  while (cursor.at < end) {
    const code = cursor.word();
    const length = cursor.word();
    const next = cursor.at + length;
    if (next > end) throw new Malformed();
    if (code === EXTENDED_ERROR && length >= 2 && message.extendedErrors.length < MAX_ERRORS) {
      const errorCode = cursor.word();
      const text = Buffer.from(cursor.take(Math.min(length - 2, MAX_ERROR_TEXT)));
      message.extendedErrors.push({ code: errorCode, text: text.toString("utf8") });
    }
    cursor.at = next;
  }
}
