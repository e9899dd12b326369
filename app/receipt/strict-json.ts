import { demand } from "./report.ts";
import type { Json, Shape } from "./shape.ts";

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
