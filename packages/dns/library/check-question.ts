import { domainToASCII } from "node:url";
import { isQueryable, labelsOf, ownedName } from "../names.ts";
import { escapeUntrusted } from "../verdict/escape-untrusted.ts";
import type { RecordType } from "../verdict/observation.ts";
import { InvalidInput, refuseUnknown } from "./invalid-input.ts";

/** A record that somebody was asked to publish. If there are several values, any one of them is enough. */
export type RecordQuestion = {
  name: string;
  type?: RecordType | undefined;
  value: string | readonly string[];
};

/** The normalized question. `label` is the part of the name before the host or the registered name. */
export type RecordQuery = ReturnType<typeof queryOf>;

export const MAX_VALUE = 2_000;
const MAX_VALUES = 10;

/** Checks and normalizes a question. Throws InvalidInput, before any packet. */
export function queryOf(question: RecordQuestion) {
  const { name: typed, type = "TXT", value, ...unknownFields } = question;
  refuseUnknown(unknownFields, []);
  if (type !== "TXT" && type !== "CNAME")
    throw new InvalidInput("type", "The type must be TXT or CNAME.");
  const name = parseName(typed, "name");
  const parse = (item: unknown) => (type === "CNAME" ? parseName(item, "value") : parseText(item));
  const [first, ...accepted] = new Set([value].flat().map(parse));
  if (first === undefined || accepted.length >= MAX_VALUES)
    throw new InvalidInput("value", `Give one value, or at most ${MAX_VALUES}.`);
  const values: readonly [string, ...string[]] = [first, ...accepted];
  return { name, ...splitName(name), type, values };
}

function parseText(value: unknown): string {
  const isText = typeof value === "string" && escapeUntrusted(value, 2 * MAX_VALUE) === value;
  if (isText && value.trim() !== "" && Array.from(value).length <= MAX_VALUE) return value;
  throw new InvalidInput("value", `A value has 1 to ${MAX_VALUE} visible characters.`);
}

/** Returns a name in A-labels. Unlike those of a domain, its labels may have underscores. */
function parseName(typed: unknown, field: "name" | "value"): string {
  const text = typeof typed === "string" ? typed.trim().replace(/\.$/, "").toLowerCase() : "";
  const name = /^[\0-\x7f]*$/.test(text) ? text : domainToASCII(text);
  if (/^[a-z0-9_.-]+$/.test(name) && isQueryable(name) && !/(^|\.)\d*$/.test(name)) return name;
  const why = "has labels of letters, digits, hyphens and underscores, and at most 253 characters";
  throw new InvalidInput(field, `${field === "name" ? "A name" : "The target of a CNAME"} ${why}.`);
}

export function splitName(name: string) {
  const labels = labelsOf(name);
  const lastUnderscore = labels.findLastIndex((label) => label.includes("_"));
  const [ownedDomain, host] = [ownedName(name), labels.slice(lastUnderscore + 1).join(".")];
  const domain = lastUnderscore < 0 || host.length < ownedDomain.length ? ownedDomain : host;
  return { label: name.slice(0, -domain.length).replace(/\.$/, ""), domain };
}
