import { AUTHENTIC_DATA, CHECKING_DISABLED, encode, RECURSION_DESIRED } from "dns-packet";
import { randomByte } from "./random.ts";

/** Fits every path unfragmented (DNS flag day 2020). */
const UDP_PAYLOAD = 1232;
const HEADER = 12;

export type QuestionType = "A" | "AAAA" | "MX" | "NS" | "SOA" | "TXT";
export type Question = { name: string; type: QuestionType };

export type QueryOptions = {
  /** Asks a recursive resolver: RD, and AD to have its verdict on DNSSEC (RFC 6840 section 5.7). */
  recursion?: boolean;
  /** CD: answer without validating. */
  checkingDisabled?: boolean;
  /** EDNS off, for servers that answer FORMERR to it (RFC 6891 section 7). */
  plain?: boolean;
};

/** An encoded query. Its id is set where it is sent; the letters' case is random (0x20). */
export type Query = { bytes: Buffer; questionEnd: number };

/** Encodes a question. The name must have passed isAskable. */
export function buildQuery(question: Question, options: QueryOptions = {}): Query {
  let flags = 0;
  if (options.recursion) flags |= RECURSION_DESIRED | AUTHENTIC_DATA;
  if (options.checkingDisabled) flags |= CHECKING_DISABLED;
  const bytes = encode({
    type: "query",
    flags,
    questions: [{ type: question.type, name: question.name, class: "IN" }],
    additionals: options.plain
      ? []
      : [
          {
            type: "OPT",
            name: ".",
            udpPayloadSize: UDP_PAYLOAD,
            extendedRcode: 0,
            ednsVersion: 0,
            flags: 0,
            flag_do: false,
            options: [],
          },
        ],
  });
  const nameLength = question.name === "." ? 1 : question.name.length + 2;
  const query = { bytes, questionEnd: HEADER + nameLength + 4 };
  randomiseCase(query);
  return query;
}

function randomiseCase({ bytes, questionEnd }: Query): void {
  for (let offset = HEADER; offset < questionEnd - 4; offset += 1) {
    const byte = bytes[offset] ?? 0;
    // Label lengths are below 64, so no length byte is mistaken for a letter.
    if (byte >= 0x61 && byte <= 0x7a && (randomByte() & 1) === 1) bytes[offset] = byte - 0x20;
  }
}

/**
 * Whether a response echoes a query's question (id and peer are the caller's to match):
 * "exact" with the letters' case, "case" but for it, "bare" without any question, as servers that
 * cannot parse a query answer (only with an error code).
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
    if (offset >= query.questionEnd - 4 || lower(sent) !== lower(got)) return "none";
    exact = false;
  }
  return exact ? "exact" : "case";
}

function lower(byte: number): number {
  return byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte;
}
