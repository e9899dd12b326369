import { MAX_MESSAGE, type Soa } from "../protocol.ts";
import { Cursor, Malformed } from "./cursor.ts";

/** More records than any honest message of 16 KiB holds. */
const MAX_RECORDS = 512;
/** Limits on the RFC 8914 errors kept per response, and on the text of each in octets. */
const MAX_ERRORS = 20;
const MAX_ERROR_TEXT = 255;
const HEADER = 12;
const IN = 1;
const OPT = 41;
const EXTENDED_ERROR = 15;
const RCODES = [
  "NOERROR",
  "FORMERR",
  "SERVFAIL",
  "NXDOMAIN",
  "NOTIMP",
  "REFUSED",
  "YXDOMAIN",
  "YXRRSET",
  "NXRRSET",
  "NOTAUTH",
  "NOTZONE",
];

export type ResourceRecord = { name: string; ttl: number } & RecordData;

type RecordData =
  | { type: "A" | "AAAA"; address: string }
  | { type: "NS" | "CNAME" | "DNAME" | "MX"; target: string }
  | { type: "SOA"; soa: Soa }
  | { type: "TXT" | "SPF"; value: string }
  /** `covers`: the type signed; times in seconds since 1970 (RFC 4034 section 3.1). */
  | {
      type: "RRSIG";
      covers: number;
      algorithm: number;
      inception: number;
      expiration: number;
      keyTag: number;
      signer: string;
    };

/** A response reduced to the records that a read uses. Names are lower case. */
export type Message = {
  rcode: string;
  aa: boolean;
  tc: boolean;
  ad: boolean;
  answers: ResourceRecord[];
  authorities: ResourceRecord[];
  additionals: ResourceRecord[];
  /** RFC 8914. */
  extendedErrors: { code: number; text: string }[];
};

/**
 * Decodes a response (RFC 1035 section 4). Null if it is too long, malformed, or takes more records or steps than any
 * honest message. Never throws. `cursor` must start after the header; afterwards it holds the steps used.
 */
export function decodeMessage(
  bytes: Buffer,
  cursor: Cursor = new Cursor(bytes, HEADER),
): Message | null {
  if (bytes.length < HEADER || bytes.length > MAX_MESSAGE) return null;
  const counts = [4, 6, 8, 10].map((at) => bytes.readUInt16BE(at));
  if (counts.reduce((sum, count) => sum + count) > MAX_RECORDS) return null;
  try {
    return read(bytes, counts, cursor);
  } catch (error) {
    if (error instanceof Malformed) return null;
    throw error;
  }
}

/** `counts`: of questions, and of the records of each section. */
function read(bytes: Buffer, counts: readonly number[], cursor: Cursor): Message {
  const [questions = 0, answers = 0, authorities = 0, additionals = 0] = counts;
  const flags = bytes.readUInt16BE(2);
  const code = flags & 0xf;
  const message: Message = {
    rcode: RCODES[code] ?? `RCODE_${code}`,
    aa: (flags & 0x400) !== 0,
    tc: (flags & 0x200) !== 0,
    ad: (flags & 0x20) !== 0,
    answers: [],
    authorities: [],
    additionals: [],
    extendedErrors: [],
  };
  for (let count = 0; count < questions; count += 1) {
    cursor.name();
    cursor.skip(4);
  }
  readSection(cursor, answers, message, message.answers);
  readSection(cursor, authorities, message, message.authorities);
  readSection(cursor, additionals, message, message.additionals);
  return message;
}

function readSection(
  cursor: Cursor,
  count: number,
  message: Message,
  kept: ResourceRecord[],
): void {
  for (let index = 0; index < count; index += 1) {
    const name = cursor.name();
    const type = cursor.word();
    const dnsClass = cursor.word();
    const ttl = cursor.long();
    const length = cursor.word();
    const end = cursor.at + length;
    cursor.need(length);
    if (type === OPT) readOptions(cursor, end, ttl, message);
    const data = dnsClass === IN ? readData(cursor, end, type, name, ttlOf(ttl)) : null;
    if (data) {
      if (cursor.at !== end) throw new Malformed();
      kept.push({ name, ttl: ttlOf(ttl), ...data });
    }
    cursor.at = end;
  }
}

function readData(
  cursor: Cursor,
  end: number,
  type: number,
  name: string,
  ttl: number,
): RecordData | null {
  switch (type) {
    case 1:
      return { type: "A", address: cursor.address(4) };
    case 28:
      return { type: "AAAA", address: cursor.address(16) };
    case 2:
      return { type: "NS", target: cursor.name() };
    case 5:
      return { type: "CNAME", target: cursor.name() };
    case 39:
      return { type: "DNAME", target: cursor.name() };
    case 15:
      cursor.skip(2);
      return { type: "MX", target: cursor.name() };
    case 16:
      return { type: "TXT", value: cursor.strings(end) };
    // SPF has the format of TXT (RFC 4408 section 3.1.1, obsoleted since).
    case 99:
      return { type: "SPF", value: cursor.strings(end) };
    case 6: {
      cursor.name();
      cursor.name();
      const serial = cursor.long();
      const refresh = cursor.long();
      cursor.skip(8);
      return { type: "SOA", soa: { zone: name, serial, refresh, minimum: cursor.long(), ttl } };
    }
    case 46: {
      const covers = cursor.word();
      const algorithm = cursor.byte();
      cursor.skip(5);
      const expiration = cursor.long();
      const inception = cursor.long();
      const keyTag = cursor.word();
      const signer = cursor.name();
      cursor.skip(Math.max(end - cursor.at, 0));
      const times = { inception, expiration };
      return { type: "RRSIG", covers, algorithm, ...times, keyTag, signer };
    }
    default:
      return null;
  }
}

/** EDNS (RFC 6891): the TTL field of OPT holds the upper bits of the RCODE. */
function readOptions(cursor: Cursor, end: number, ttl: number, message: Message): void {
  const extendedRcode = ttl >>> 24;
  if (extendedRcode > 0) message.rcode = `EXTENDED_${extendedRcode}`;
  while (cursor.at < end) {
    const code = cursor.word();
    const length = cursor.word();
    const next = cursor.at + length;
    if (next > end) throw new Malformed();
    if (code === EXTENDED_ERROR && length >= 2 && message.extendedErrors.length < MAX_ERRORS) {
      const info = cursor.word();
      const text = cursor.peek(Math.min(length - 2, MAX_ERROR_TEXT));
      message.extendedErrors.push({ code: info, text });
    }
    cursor.at = next;
  }
}

/** RFC 2181 section 8: a TTL with the highest bit set counts as 0. */
const ttlOf = (ttl: number) => (ttl > 0x7fffffff ? 0 : ttl);
