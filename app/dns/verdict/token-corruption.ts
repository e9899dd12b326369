import type { Corruption } from "./diagnosis.ts";

/** A token is a prefix before this many hex digits. */
const HEX_DIGITS = 40;
/** What stands before a token's digits. */
export const prefixOf = (token: string): string => token.slice(0, -HEX_DIGITS);

/** Hex digits that must be left of a token cut short: 64 random bits nobody types by chance. */
const RECOGNISABLE = 16;

const QUOTES = /["'`´“”„‟‘’‚‛«»‹›＂＇]+|&quot;|&#3[49];/g;
const GAPS = /[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]+/gu;
/** Zone-file escapes: a character by its decimal code, or a character standing for itself (RFC 1035 section 5.1). */
const ESCAPES = /\\(?:(\d{3})|(.))/gs;

const withoutEscapes = (text: string) =>
  text.replace(ESCAPES, (whole, code: string | undefined, character: string | undefined) => {
    if (code === undefined) return character ?? whole;
    return Number(code) < 256 ? String.fromCharCode(Number(code)) : whole;
  });

type Undone = { text: string; damage: Set<Corruption> };

/** The value without escapes, quotes and gaps, and which of them it had. */
function undo(value: string): Undone {
  const damage = new Set<Corruption>();
  const plain = withoutEscapes(value);
  if (plain !== value) damage.add("quoted");
  const unquoted = plain.replace(QUOTES, "");
  if (unquoted !== plain) damage.add("quoted");
  const text = unquoted.replace(GAPS, "");
  if (text !== unquoted) damage.add("whitespace");
  return { text, damage };
}

/** Where in `text` the token, or as much of it as is recognisable, stands: [start, end). */
function spanOf(text: string, token: string): [start: number, end: number] | null {
  const whole = text.indexOf(token);
  if (whole >= 0) return [whole, whole + token.length];

  const head = token.slice(0, prefixOf(token).length + RECOGNISABLE);
  const start = text.indexOf(head);
  if (start >= 0) {
    let length = head.length;
    while (length < token.length && text[start + length] === token[length]) length += 1;
    return [start, start + length];
  }

  const tail = token.slice(-RECOGNISABLE);
  const at = text.indexOf(tail);
  if (at < 0) return null;
  let length = tail.length;
  while (
    at - (length - tail.length) > 0 &&
    text[at + tail.length - length - 1] === token.at(-length - 1)
  )
    length += 1;
  return [at + tail.length - length, at + tail.length];
}

const ORDER: readonly Corruption[] = [
  "quoted",
  "whitespace",
  "prefix",
  "suffix",
  "case",
  "truncated",
];

/**
 * What must be undone to make `token` of `value`: quotes and escapes, white space, text before or after it, letter
 * case; or what cut it short (at least 16 of its hex digits are left). Null where the value is the token itself, or
 * is no trace of it.
 */
export function corruptionOf(value: string, token: string): Corruption[] | null {
  // What is undone only shortens a value.
  if (value === token || value.length < RECOGNISABLE) return null;
  const { text, damage } = undo(value);
  const folded = text.toLowerCase();
  // Lower-casing may lengthen text outside ASCII; positions are then of the folded text alone.
  const seen = folded.length === text.length ? text : folded;
  const span = spanOf(folded, token.toLowerCase());
  if (span === null) return null;

  const [start, end] = span;
  const found = seen.slice(start, end);
  if (start > 0) damage.add("prefix");
  if (end < folded.length) damage.add("suffix");
  if (!token.includes(found)) damage.add("case");
  if (end - start < token.length) damage.add("truncated");
  return damage.size === 0 ? null : ORDER.filter((kind) => damage.has(kind));
}

/** The values that make up `token` when put end to end, in that order, where it was cut into records; else none. */
export function piecesOf(values: readonly string[], token: string): string[] {
  const pieces: string[] = [];
  const left = new Set([...values].sort((a, b) => b.length - a.length));
  left.delete("");
  for (let rest = token; rest !== ""; ) {
    const piece = [...left].find((value) => rest.startsWith(value));
    if (piece === undefined) return [];
    left.delete(piece);
    pieces.push(piece);
    rest = rest.slice(piece.length);
  }
  return pieces;
}

/** An installation has one prefix. */
let known = { prefix: "", form: /(?!)/ };

function formOf(prefix: string): RegExp {
  if (known.prefix !== prefix)
    known = { prefix, form: new RegExp(`${prefix}[0-9a-f]{${HEX_DIGITS}}(?![0-9a-f])`, "i") };
  return known.form;
}

/** The first token of the service's form in `value`, once quotes, white space and letter case are undone. */
export function tokenOfForm(value: string, prefix: string): string | null {
  if (value.length < prefix.length + HEX_DIGITS) return null;
  return formOf(prefix).exec(undo(value).text)?.[0].toLowerCase() ?? null;
}

/**
 * The first of `values`, each once, that hold at most `limit` UTF-16 units together: a zone may serve any number of
 * them, and each is searched for what is left of a token.
 */
export function firstOf(values: Iterable<string>, limit: number): string[] {
  const first = new Set<string>();
  let left = limit;
  for (const value of values) {
    if (first.has(value)) continue;
    left -= Math.max(1, value.length);
    if (left < 0) break;
    first.add(value);
  }
  return [...first];
}
