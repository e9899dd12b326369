import type { Answer } from "dns-packet";
import { canonical } from "./names.ts";

/**
 * A record of a sample zone. TTLs are in seconds. TXT data is a list of strings of at most 255 octets, DS data is zone
 * file text.
 */
export type ZoneRecord = { name: string; ttl: number } & (
  | { type: "A" | "AAAA" | "NS" | "CNAME" | "DNAME" | "DS"; data: string }
  | { type: "TXT"; data: string[] }
  | { type: "MX"; data: { preference: number; exchange: string } }
);

/** The times of a zone's SOA record, in seconds: its own TTL, REFRESH and MINIMUM (RFC 1035 3.3.13, RFC 2308 4). */
export type SoaTimes = { ttl: number; refresh: number; minimum: number };

const MAX_STRING_OCTETS = 255;

/** Splits text into the strings of one TXT record, each at most 255 octets, never inside a character. */
export function textStrings(text: string): string[] {
  const strings: string[] = [];
  let current = "";
  for (const character of text) {
    if (Buffer.byteLength(current + character) > MAX_STRING_OCTETS) {
      strings.push(current);
      current = "";
    }
    current += character;
  }
  return [...strings, current];
}

export const txt = (name: string, text: string | string[], ttl = 300): ZoneRecord => ({
  name: canonical(name),
  type: "TXT",
  ttl,
  data: typeof text === "string" ? textStrings(text) : text,
});

function dsData(text: string) {
  const [keyTag, algorithm, digestType, digest = ""] = text.split(" ");
  return {
    keyTag: Number(keyTag),
    algorithm: Number(algorithm),
    digestType: Number(digestType),
    digest: Buffer.from(digest, "hex"),
  };
}

/** The record in dns-packet's form, under the given owner name. Copies TXT data, because the codec overwrites it. */
export function toAnswer(record: ZoneRecord, owner: string = record.name): Answer {
  const common = { name: owner === "" ? "." : owner, ttl: record.ttl, class: "IN" } as const;
  if (record.type === "TXT") return { ...common, type: "TXT", data: [...record.data] };
  if (record.type === "MX") return { ...common, type: "MX", data: { ...record.data } };
  if (record.type === "DS") return { ...common, type: "DS", data: dsData(record.data) };
  return { ...common, type: record.type, data: record.data };
}

/** One line of master-file text (RFC 1035 section 5), for display. */
export function zoneLine(record: ZoneRecord): string {
  const data =
    record.type === "TXT"
      ? record.data.map((part) => JSON.stringify(part)).join(" ")
      : record.type === "MX"
        ? `${record.data.preference} ${record.data.exchange}.`
        : ["A", "AAAA", "DS"].includes(record.type)
          ? record.data
          : `${record.data}.`;
  return `${record.name}. ${record.ttl} IN ${record.type} ${data}`;
}
