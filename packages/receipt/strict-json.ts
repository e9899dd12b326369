import { demand } from "./report.ts";

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** The path of the first member that is not as it should be, "" for the value itself; null if there is none. */
type Shape = (value: Json) => string | null;

const test =
  (is: (value: Json) => boolean): Shape =>
  (value) =>
    is(value) ? null : "";

export const exactly = (...values: Json[]): Shape => test((value) => values.includes(value));
export const matching = (pattern: RegExp): Shape =>
  test((value) => typeof value === "string" && pattern.test(value));
/** Seconds since 1970, as DNSSEC counts them. */
export const seconds = test((value) => Number.isInteger(value) && Number(value) < 2 ** 32);
export const orNull =
  (shape: Shape): Shape =>
  (value) =>
    value === null ? null : shape(value);

export const listOf =
  (shape: Shape): Shape =>
  (value) =>
    Array.isArray(value) ? (value.map(shape).find((wrong) => wrong !== null) ?? null) : "";

/** An object with these members, in this order, and no others. */
export function objectOf(members: Record<string, Shape>): Shape {
  return (value) => {
    const given = Object.entries(value ?? {});
    for (const [name, shape] of Object.entries(members)) {
      const [own, member = null] = given.shift() ?? [];
      const wrong = own === name ? shape(member) : "";
      if (wrong !== null) return wrong === "" ? name : `${name}.${wrong}`;
    }
    return given.length > 0 ? "" : null;
  };
}

/** Brackets in a text, and so how deep its values may be. */
const MAX_BRACKETS = 1_000;
/** White space between values, once strings are kept. */
const SPACE = /("(?:[^"\\]|\\.)*")|[\t\n\r ]+/g;

/**
 * The value of a JSON text, which must be written as RFC 8785 has it; in the file itself, white space and the order of
 * members are free. So no name comes twice, and nothing could be read in another way. Throws Stop.
 */
export function readJson(
  octets: Uint8Array,
  shape: Shape,
  part: "file" | "signature" | "statement",
): unknown {
  const [text, value] = parse(octets);
  demand(text !== "", part, "not_json");
  const isFile = part === "file";
  const written = isFile ? text.replace(SPACE, "$1") : text;
  demand(JSON.stringify(value) === written, part, "not_canonical");
  const member = shape(isFile ? inOrder(value) : value);
  demand(member === null, part, "member", { member });
  return value;
}

const inOrder = (value: Json): Json =>
  Object.fromEntries(Object.entries(value ?? {}).sort(([one], [other]) => (one < other ? -1 : 1)));

/** No text if it is not JSON in UTF-8. */
function parse(octets: Uint8Array): [string, Json] {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(octets);
    return text.split(/[[{]/).length > MAX_BRACKETS ? ["", null] : [text, JSON.parse(text)];
  } catch {
    return ["", null];
  }
}
