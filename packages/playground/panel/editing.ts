import { createHash } from "node:crypto";
import { isIPv4, isIPv6 } from "node:net";
import { canonical, isWithin } from "../names.ts";
import { type ZoneRecord, zoneLine } from "../records.ts";
import { type Habit, ownerName, shownText, typedName, typedText } from "./habits.ts";

export const RECORD_TYPES = ["TXT", "A", "AAAA", "CNAME", "MX"] as const;
type Type = (typeof RECORD_TYPES)[number];

/** The contents of one record's form. */
export type TypedRecord = { name: string; type: string; value: string; ttl: string };
export type Problem = { field: keyof TypedRecord; message: string };

export const EMPTY_FORM: TypedRecord = { name: "", type: "TXT", value: "", ttl: "300" };

const MAX_VALUE_LENGTH = 2_000;
const LABEL = /^(\*|[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)$/;

const isName = (name: string) =>
  name.length <= 253 && name.split(".").every((label) => LABEL.test(label));

/** A short id for a record, for use in URLs. */
export const idOf = (record: ZoneRecord): string =>
  createHash("sha256").update(zoneLine(record)).digest("hex").slice(0, 16);

const isType = (text: string): text is Type => RECORD_TYPES.some((type) => type === text);

function dataOf(habit: Habit, type: Type, value: string) {
  const text = value.trim();
  const host = canonical(text);
  if (type === "TXT") return { type, data: typedText(habit, value) } as const;
  if (type === "A") return isIPv4(text) ? ({ type, data: text } as const) : "an IPv4 address";
  if (type === "AAAA") return isIPv6(text) ? ({ type, data: text } as const) : "an IPv6 address";
  if (type === "CNAME") return isName(host) ? ({ type, data: host } as const) : "a domain name";
  const [preference = "", exchange = "", ...rest] = host.split(/\s+/);
  if (!/^\d{1,4}$/.test(preference) || !isName(exchange) || rest.length > 0)
    return "a preference and a host name, such as 10 mail.acme.com";
  return { type, data: { preference: Number(preference), exchange } } as const;
}

/**
 * Parses a submitted form by the rules of that panel: a record, or what is wrong with the form. `others` are the zone's
 * other records.
 */
export function readForm(
  habit: Habit,
  zone: string,
  typed: TypedRecord,
  others: readonly ZoneRecord[],
): ZoneRecord | Problem {
  const name = ownerName(habit, typed.name, zone);
  const ttl = /^\d{1,5}$/.test(typed.ttl) ? Number(typed.ttl) : 0;
  if (!isName(name) || !isWithin(name, zone))
    return { field: "name", message: `Type a name within ${zone}: letters, digits, - and _.` };
  if (!isType(typed.type)) return { field: "type", message: "Choose one of the types." };
  if (typed.value === "" || typed.value.length > MAX_VALUE_LENGTH)
    return { field: "value", message: `Type 1 to ${MAX_VALUE_LENGTH} characters.` };
  if (ttl < 1 || ttl > 86_400) return { field: "ttl", message: "Type seconds, from 1 to 86400." };
  const data = dataOf(habit, typed.type, typed.value);
  if (typeof data === "string") return { field: "value", message: `Type ${data}.` };
  const same = others.filter((record) => record.name === name);
  const isAlias = (type: string) => type === "CNAME";
  if (same.length > 0 && (isAlias(data.type) || same.some(({ type }) => isAlias(type))))
    return { field: "name", message: "A CNAME cannot have another record at the same name." };
  if (isAlias(data.type) && name === zone)
    return { field: "name", message: "The domain itself cannot be a CNAME." };
  return { name, ttl, ...data };
}

/** The form for an existing record. */
export const fillForm = (habit: Habit, zone: string, record: ZoneRecord): TypedRecord => ({
  name: typedName(record.name, zone),
  type: record.type,
  ttl: String(record.ttl),
  value: dataText(habit, record),
});

export function dataText(habit: Habit, record: ZoneRecord): string {
  if (record.type === "TXT") return shownText(habit, record.data);
  return record.type === "MX" ? `${record.data.preference} ${record.data.exchange}` : record.data;
}
