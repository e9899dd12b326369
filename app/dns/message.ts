import { type Answer, decode } from "dns-packet";
import { lowerCase } from "./names.ts";
import type { Failure, Soa } from "./observation.ts";

/** No answer a claim needs is longer; longer ones are refused unread. */
export const MAX_MESSAGE = 16 * 1024;
/** More records than any honest 16 KiB holds. */
const MAX_RECORDS = 512;
/** Encoders point at names, not at pointers: a long chain is an attack on the decoder. */
const MAX_POINTER_CHAIN = 4;
const MAX_ERROR_TEXT = 255;
const EXTENDED_ERROR = 15;

export type ResourceRecord =
  | { type: "A" | "AAAA"; name: string; ttl: number; address: string }
  | { type: "NS" | "CNAME" | "DNAME"; name: string; ttl: number; target: string }
  | { type: "SOA"; name: string; ttl: number; soa: Soa }
  | { type: "TXT"; name: string; ttl: number; value: string };

export type ExtendedError = { code: number; text: string };

/** A response, reduced to the records a read looks at. Names are lower case. */
export type Message = {
  rcode: string;
  aa: boolean;
  tc: boolean;
  ad: boolean;
  answers: ResourceRecord[];
  authorities: ResourceRecord[];
  additionals: ResourceRecord[];
  /** RFC 8914. */
  extendedErrors: ExtendedError[];
};

/** What came of one question to one address. */
export type Reply =
  | { ok: true; message: Message; latencyMs: number }
  | { ok: false; failure: Failure };

/** dns-packet decodes more of the header than its types say. */
type Decoded = ReturnType<typeof decode> & { rcode?: string };

/**
 * Decodes a response. Null for whatever is not one: too long, malformed, or built to be slow to read.
 * Never throws, whatever the bytes.
 */
export function decodeMessage(bytes: Buffer): Message | null {
  if (!isCheap(bytes)) return null;
  try {
    return project(decode(bytes));
  } catch {
    return null;
  }
}

/** Bounds the decoder's work beforehand: few records, no chains of compression pointers. */
function isCheap(bytes: Buffer): boolean {
  if (bytes.length < 12 || bytes.length > MAX_MESSAGE) return false;
  let records = 0;
  for (let offset = 4; offset < 12; offset += 2) records += bytes.readUInt16BE(offset);
  if (records > MAX_RECORDS) return false;
  const chain = new Uint8Array(bytes.length);
  for (let offset = 12; offset + 1 < bytes.length; offset += 1) {
    const byte = bytes[offset] ?? 0;
    if (byte < 0xc0) continue;
    const target = ((byte & 0x3f) << 8) | (bytes[offset + 1] ?? 0);
    if (target >= offset) continue;
    const length = (chain[target] ?? 0) + 1;
    if (length > MAX_POINTER_CHAIN) return false;
    chain[offset] = length;
  }
  return true;
}

function project(packet: Decoded): Message {
  const flags = packet.flags ?? 0;
  const message: Message = {
    rcode: packet.rcode ?? "NOERROR",
    aa: (flags & 0x400) !== 0,
    tc: (flags & 0x200) !== 0,
    ad: (flags & 0x20) !== 0,
    answers: records(packet.answers),
    authorities: records(packet.authorities),
    additionals: records(packet.additionals),
    extendedErrors: [],
  };
  for (const record of packet.additionals ?? []) {
    if (record.type !== "OPT") continue;
    if (record.extendedRcode > 0) message.rcode = `EXTENDED_${record.extendedRcode}`;
    for (const option of record.options) {
      // dns-packet's types list the options it encodes; it decodes any code.
      const code: number = option.code;
      if (code !== EXTENDED_ERROR || !option.data || option.data.length < 2) continue;
      message.extendedErrors.push({
        code: option.data.readUInt16BE(0),
        text: option.data.toString("utf8", 2, 2 + MAX_ERROR_TEXT),
      });
    }
  }
  return message;
}

function records(section: Answer[] | undefined): ResourceRecord[] {
  const kept: ResourceRecord[] = [];
  for (const answer of section ?? []) {
    if (answer.type === "OPT" || !("class" in answer) || answer.class !== "IN") continue;
    const record = recordOf(answer);
    if (record) kept.push(record);
  }
  return kept;
}

function recordOf(answer: Answer): ResourceRecord | null {
  const name = lowerCase(answer.name);
  switch (answer.type) {
    case "A":
    case "AAAA":
      return { type: answer.type, name, ttl: ttlOf(answer.ttl), address: answer.data };
    case "NS":
    case "CNAME":
    case "DNAME":
      return { type: answer.type, name, ttl: ttlOf(answer.ttl), target: lowerCase(answer.data) };
    case "TXT":
      return { type: "TXT", name, ttl: ttlOf(answer.ttl), value: joined(answer.data) };
    case "SOA": {
      const { serial = 0, refresh = 0, minimum = 0 } = answer.data;
      const ttl = ttlOf(answer.ttl);
      return { type: "SOA", name, ttl, soa: { zone: name, serial, refresh, minimum, ttl } };
    }
    default:
      return null;
  }
}

/** RFC 2181 section 8: a TTL with the highest bit set counts as 0. */
function ttlOf(ttl: number | undefined): number {
  return ttl === undefined || ttl > 0x7fffffff ? 0 : ttl;
}

function joined(data: string | Buffer | (string | Buffer)[]): string {
  const parts = Array.isArray(data) ? data : [data];
  return Buffer.concat(parts.map((part) => Buffer.from(part))).toString("utf8");
}
