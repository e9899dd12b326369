import { isAtOrBelow } from "../names.ts";
import type { Decision, DiagnosisCode } from "./diagnosis.ts";
import { escapeUntrusted } from "./escape-untrusted.ts";
import { corruptionOf, takeDistinct } from "./near-misses.ts";
import type { Observation } from "./observation.ts";
import { valuesOf } from "./publication-status.ts";

/** The thirteen codes of a claim, and some that only occur with other services' records. */
export type RecordCode =
  | DiagnosisCode
  /** The name is an alias, and its target lacks the value. */
  | "alias_elsewhere"
  /** Instead of a CNAME: records of another type, its target's own addresses, or other addresses. */
  | "wrong_type"
  | "flattened"
  | "proxied";

/**
 * The value that is most similar to `wanted`, one of those asked for. "altered": `wanted` itself, damaged. "only_one":
 * another value, where only one is allowed. "other_code": another value of the same form, perhaps somebody else's.
 */
export type Nearest = {
  value: string;
  how: "altered" | "only_one" | "other_code";
  wanted: string;
};

/** How many pairs with a wanted value are looked at, and how many are compared letter by letter. */
const MAX_PAIRS = 400;
const MAX_COMPARED = 20;
const MAX_SHOWN_UNITS = 2_000;

/** What all codes of one kind begin with, such as `google-site-verification=`. */
const CODE_FORM = /^[a-z][\w .-]{1,60}?[=:]/i;
const formOf = (value: string) => CODE_FORM.exec(value)?.[0].toLowerCase() ?? "";

/** A name may have only one of these. Two count as none (RFC 7208, 4.5; RFC 7489, 6.6.3; atproto handles). */
const SINGLE_RECORD = /^(v=spf1|v=DMARC1|did=)/i;
const singleOf = (value: string) => SINGLE_RECORD.exec(value)?.[0].toLowerCase();

/** Two codes with this share of units in common are the same code with a typing error. */
const MIN_COMMON_SHARE = 0.8;
const MIN_LENGTH = 8;

/** The share of `wanted` that is at the start and the end of `value`, in order. */
function overlap(value: string, wanted: string): number {
  const minLength = Math.min(value.length, wanted.length);
  let start = 0;
  while (start < minLength && value[start] === wanted[start]) start += 1;
  let end = 0;
  while (end < minLength - start && value.at(-1 - end) === wanted.at(-1 - end)) end += 1;
  return (start + end) / Math.max(value.length, wanted.length);
}

function isTypo(value: string, wanted: string): boolean {
  const formLength = formOf(wanted).length;
  const rest = wanted.slice(formLength);
  return rest.length >= MIN_LENGTH && overlap(value.slice(formLength), rest) >= MIN_COMMON_SHARE;
}

/** The record's value that is closest to a wanted one; null if none is similar. */
function nearestOf(values: string[], wanted: readonly string[], type?: "CNAME"): Nearest | null {
  const pairs = wanted
    .flatMap((asked) => values.map((value) => ({ value, asked })))
    .slice(0, MAX_PAIRS);
  const alternatives = pairs
    .filter(
      ({ value, asked }) =>
        type === "CNAME" || (formOf(asked) !== "" && formOf(value) === formOf(asked)),
    )
    .slice(0, MAX_COMPARED);
  const match =
    pairs.find(({ value, asked }) => corruptionOf(value, asked) !== null) ??
    alternatives.find(
      ({ value, asked }) =>
        isTypo(value, asked) || isAtOrBelow(asked, value) || value.startsWith(`${asked}.`),
    );
  if (match) return { value: match.value, how: "altered", wanted: match.asked };
  const pair = pairs.find(
    ({ value, asked }) => singleOf(asked) && singleOf(value) === singleOf(asked),
  );
  if (pair) return { value: pair.value, how: "only_one", wanted: pair.asked };
  const [other] = type === "CNAME" ? [] : alternatives;
  return other ? { value: other.value, how: "other_code", wanted: other.asked } : null;
}

/** Says what is wrong with a record of any service: more than a claim's decision does. Texts are escaped. */
export function judgeRecord(seen: Observation, decision: Decision, wanted: readonly string[]) {
  const foundValues = seen.servers.flatMap(({ answer }) => (answer ? valuesOf(answer) : []));
  const values = takeDistinct(foundValues).filter((value) => !wanted.includes(value));
  const isAbsent = decision.outcome === "absent";
  const found = isAbsent ? nearestOf(values, wanted, seen.type) : null;
  const nearest = found && { ...found, value: escapeUntrusted(found.value, MAX_SHOWN_UNITS) };
  const code = codeOf(seen, isAbsent ? (decision.diagnosis?.code ?? null) : null, nearest?.how);
  return { code, nearest, others: values.length - (nearest ? 1 : 0) };
}

function codeOf(seen: Observation, code: DiagnosisCode | null, kind?: string): RecordCode | null {
  if (code === "no_matching_record" && kind === "altered") return "value_formatted";
  // Records of a wildcard do not block a CNAME.
  const otherRecords = typeof seen.wildcard === "string" ? [] : (seen.instead ?? []);
  if (code !== "record_absent" || otherRecords.length === 0 || seen.misplaced.length > 0)
    return code;
  const ownAddresses = otherRecords.flatMap(({ type, data }) => (type === "A" ? data : []));
  const targetAddresses = seen.target?.addresses ?? [];
  if (ownAddresses.length === 0 || targetAddresses.length === 0) return "wrong_type";
  return ownAddresses.some((address) => targetAddresses.includes(address))
    ? "flattened"
    : "proxied";
}
