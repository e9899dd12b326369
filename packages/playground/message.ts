import {
  type Answer,
  AUTHENTIC_DATA,
  AUTHORITATIVE_ANSWER,
  CHECKING_DISABLED,
  decode,
  encode,
  RECURSION_AVAILABLE,
  RECURSION_DESIRED,
  TRUNCATED_RESPONSE,
} from "dns-packet";

const RCODES = { NOERROR: 0, FORMERR: 1, SERVFAIL: 2, NXDOMAIN: 3, NOTIMP: 4, REFUSED: 5 } as const;
export type Rcode = keyof typeof RCODES;

const HEADER = 12;
const TYPE_AND_CLASS = 4;
const MAX_PAYLOAD = 1232;
const EXTENDED_ERROR = 15;
const OPCODE = 0x7800;
const QUESTION_FLAGS = OPCODE | RECURSION_DESIRED | CHECKING_DISABLED;

/** A query as received. `name` keeps its case (0x20); `question` is what a response repeats. */
export type Query = {
  id: number;
  /** Header bits to repeat in the response. */
  flags: number;
  name: string;
  question: Buffer;
  type: string;
  standard: boolean;
  recursionDesired: boolean;
  checkingDisabled: boolean;
  /** The client sets AD or DO: it wants to know whether the answer was validated (RFC 6840 section 5.7). */
  wantsAuthentic: boolean;
  /** The client sets DO: it wants signatures. */
  wantsSignatures: boolean;
  /** UDP payload size the client accepts; null without EDNS. */
  payload: number | null;
  ednsVersion: number;
};

export type Response = {
  rcode: Rcode;
  authoritative?: boolean;
  recursive?: boolean;
  authentic?: boolean;
  answers?: Answer[];
  authorities?: Answer[];
  additionals?: Answer[];
  /** RFC 8914. */
  extendedError?: { code: number; text: string };
};

/** Decodes a query with one question; null for anything that should not be answered. */
export function readQuery(bytes: Buffer): Query | null {
  try {
    const packet = decode(bytes);
    const [question, ...more] = packet.questions ?? [];
    if (packet.flag_qr || !question || more.length > 0) return null;
    const opt = packet.additionals?.find((record) => record.type === "OPT");
    const edns = opt?.type === "OPT" ? opt : null;
    const flags = packet.flags ?? 0;
    const name = question.name === "." ? "" : question.name;
    const end = HEADER + (name ? Buffer.byteLength(name) + 2 : 1) + TYPE_AND_CLASS;
    return {
      id: packet.id ?? 0,
      flags: flags & QUESTION_FLAGS,
      name,
      question: bytes.subarray(HEADER, end),
      type: question.type,
      standard: (flags & OPCODE) === 0,
      recursionDesired: packet.flag_rd,
      checkingDisabled: packet.flag_cd,
      wantsSignatures: edns?.flag_do ?? false,
      wantsAuthentic: packet.flag_ad || (edns?.flag_do ?? false),
      payload: edns ? edns.udpPayloadSize : null,
      ednsVersion: edns?.ednsVersion ?? 0,
    };
  } catch {
    return null;
  }
}

/** Encodes an OPT record (RFC 6891) by hand, because the codec does not support extended errors. */
function optRecord(badVersion: boolean, error: Response["extendedError"]): Buffer {
  const text = Buffer.from(error?.text ?? "");
  const head = Buffer.alloc(11 + (error ? 6 : 0));
  head.writeUInt16BE(41, 1);
  head.writeUInt16BE(MAX_PAYLOAD, 3);
  head.writeUInt8(badVersion ? 1 : 0, 5);
  head.writeUInt16BE(error ? 6 + text.length : 0, 9);
  if (error) {
    head.writeUInt16BE(EXTENDED_ERROR, 11);
    head.writeUInt16BE(2 + text.length, 13);
    head.writeUInt16BE(error.code, 15);
  }
  return error ? Buffer.concat([head, text]) : head;
}

function encodeResponse(query: Query, response: Response, truncated: boolean): Buffer {
  const badVersion = query.ednsVersion !== 0;
  const content: Partial<Response> = truncated || badVersion ? {} : response;
  const flags =
    query.flags |
    (response.authoritative ? AUTHORITATIVE_ANSWER : 0) |
    (response.recursive ? RECURSION_AVAILABLE : 0) |
    (response.authentic ? AUTHENTIC_DATA : 0) |
    (truncated ? TRUNCATED_RESPONSE : 0) |
    (badVersion ? 0 : RCODES[response.rcode]);
  const encoded = encode({
    type: "response",
    id: query.id,
    flags,
    answers: content.answers ?? [],
    authorities: content.authorities ?? [],
    additionals: content.additionals ?? [],
  });
  // The codec encodes a name wrongly if its labels have a dot or a line break.
  const [head, rest] = [encoded.subarray(0, HEADER), encoded.subarray(HEADER)];
  const bytes = Buffer.concat([head, query.question, rest]);
  bytes.writeUInt16BE(1, 4);
  if (query.payload === null) return bytes;
  bytes.writeUInt16BE(bytes.readUInt16BE(10) + 1, 10);
  return Buffer.concat([bytes, optRecord(badVersion, response.extendedError)]);
}

/** Encodes the response. Over UDP, one larger than the client accepts is replaced by an empty one with TC set. */
export function writeResponse(query: Query, response: Response, transport: "udp" | "tcp"): Buffer {
  const whole = encodeResponse(query, response, false);
  const limit = Math.min(MAX_PAYLOAD, Math.max(512, query.payload ?? 512));
  if (transport === "tcp" || whole.length <= limit) return whole;
  return encodeResponse(query, response, true);
}
