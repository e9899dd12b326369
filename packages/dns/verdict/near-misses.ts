import { domainToUnicode } from "node:url";
import {
  isBelow,
  isQueryable,
  joined,
  labelsOf,
  lowerCase,
  octetsOf,
  parentOf,
  registeredName,
  under,
} from "../names.ts";
import { CORRUPTIONS, type Observation, type ProbeKind } from "./observation.ts";

type Corruption = (typeof CORRUPTIONS)[number];

export type Probe = { kind: ProbeKind; name: string };
type Place = Pick<Observation, "domain" | "label" | "challengeName">;

/** The most ancestors of the domain that are searched, up to the zone's apex. Most names have one. */
const MAX_ABOVE = 3;

export function probesFor(seen: Place & { token: string }, zone: string): Probe[] {
  const { domain, label, token, challengeName } = seen;
  const probes = new Map<string, ProbeKind>();
  const add = (kind: ProbeKind, front: string, base: string) => {
    const name = under(front, base);
    if (name && name !== challengeName && !probes.has(name)) probes.set(name, kind);
  };
  const parents = namesAbove(domain, zone);
  add("domain_appended", challengeName, domain);
  if (isBelow(domain, zone)) add("domain_appended", challengeName, zone);
  if (label !== "") probes.set(domain, "apex");
  add("challenge_on_www", joined(label, "www"), domain);
  add("www", "www", domain);
  if (label.startsWith("_")) add("no_underscore", label.slice(1), domain);
  if (label !== "") {
    add("host_doubled", `${label}.${label}`, domain);
    for (const name of parents) add("parent", label, name);
    for (const spelling of misspellings(label)) add("misspelled", spelling, domain);
  }
  for (const name of parents)
    if (!probes.has(name)) probes.set(name, name === zone ? "zone_apex" : "between");
  // A shorter token may be an ordinary host name.
  if (token.length >= MIN_HEX_DIGITS) {
    add("token_as_host", lowerCase(token), domain);
    if (isBelow(domain, zone)) add("token_as_host", lowerCase(token), zone);
  }
  if (isBelow(challengeName, zone)) {
    const host = challengeName.slice(0, -zone.length - 1);
    add("domain_repeated", `${host}.${labelsOf(zone)[0]}`, zone);
    add("quoted_host", `"${host}"`, zone);
  }
  return [...probes].map(([name, kind]) => ({ kind, name }));
}

/** Space, no-break space and zero-width space, which pasting may add before or after a name. */
const BLANK_CHARACTERS = ["\\032", "\\194\\160", "\\226\\128\\139"];
/** Tab and line ends, which a tool may copy from a file. */
const TAB_AND_LINE_ENDS = ["\\009", "\\010", "\\013"];
const BYTE_ORDER_MARK = "\\239\\187\\191";
/** Hyphens from word processors: U+2011, en dash, U+2010. */
const DASHES = ["\u2011", "\u2013", "\u2010"];
const escapeOctets = (text: string) =>
  [...Buffer.from(text)].map((octet) => `\\${`${octet}`.padStart(3, "0")}`).join("");

/** Spellings of the domain in a full name, before the panel appends the zone: in Unicode, or with another ending. */
function otherSpellings(domain: string): string[] {
  const unicode = domainToUnicode(domain);
  const letters = unicode === domain ? [] : [unicode, unicode.normalize("NFD")];
  const ending = parentOf(registeredName(domain) ?? domain);
  const endings = ending === "com" ? ["net", "com.br"] : ["com"];
  return [
    ...new Set(letters.map((spelling) => spelling.replace(/[^\0-\x7f]+/g, escapeOctets))),
    ...endings.map((other) => `${domain.slice(0, -ending.length)}${other}`),
  ];
}

/** Encodes a label as panels with IDNA do. With ".test", a label like a number is not taken for an address. */
const inPunycode = (label: string) => new URL(`http://${label}.test`).hostname.slice(0, -5);

/** Wrong names that are rarer, likeliest first: with invisible characters, or escapes that a panel took as text. */
export function rareProbesFor({ domain, label, challengeName }: Place, zone: string): Probe[] {
  if (label === "") return [{ kind: "misspelled", name: `@.${zone}` }];
  if (!isBelow(challengeName, zone)) return [];
  const host = challengeName.slice(0, -zone.length - 1);
  const escapeDots = (name: string) => name.replaceAll(".", "\\.");
  const ending = host.slice(label.length);
  const levels = labelsOf(ending.slice(1));
  // Without its first label, it would be another domain.
  const skipping = levels.slice(1, MAX_ABOVE).map((_, at) => levels.toSpliced(at + 1, 1).join("."));
  const prefixes = ending === "" ? [domain, labelsOf(domain)[0] ?? ""] : [ending.slice(1)];
  const octetNames = DASHES.map((dash) => label.replaceAll("-", escapeOctets(dash)) + ending);
  const punycodeNames = DASHES.map((dash) => inPunycode(label.replaceAll("-", dash)) + ending);
  const wrongNames: [ProbeKind, string[]][] = [
    ["asterisk", [`*.${host}`]],
    ["labels_swapped", prefixes.map((front) => `${front}.${label}`)],
    ["mail_policy", [`_dmarc${ending}`]],
    ["misspelled", [`${label}.*${ending}`, ...skipping.map((name) => `${label}.${name}`)]],
    ["misspelled", [label.replaceAll("-", ".") + ending]],
    ["domain_appended", otherSpellings(domain).map((spelling) => `${label}.${spelling}`)],
    ["misspelled", ["@"]],
    ["domain_doubled", [domain]],
    ["misspelled", TAB_AND_LINE_ENDS.map((end) => `${host}${end}`)],
    ["misspelled", BLANK_CHARACTERS.flatMap((blank) => [`${host}${blank}`, `${blank}${host}`])],
    ["misspelled", [`${label}.@`]],
    ["domain_appended", [`${challengeName}.${zone}`]],
    ["www_in_front", [`www.${host}`]],
    ["misspelled", octetNames],
    ["dot_typed", [`${host}\\.`]],
    ["misspelled", [`${label}.${escapeDots(domain)}`, escapeDots(challengeName), escapeDots(host)]],
    ["misspelled", [`${label}.${domain.replaceAll(".", "\\\\.")}`, BYTE_ORDER_MARK + host]],
    ["misspelled", punycodeNames],
    ["dot_typed", [`${challengeName}\\.`]],
  ];
  const probes = new Map<string, ProbeKind>();
  for (const [kind, hosts] of wrongNames)
    for (const name of hosts.map((typed) => `${typed}.${zone}`))
      if (name !== challengeName && isQueryable(octetsOf(name).replace(/[^ -[\]-~]/g, "x")))
        probes.set(name, kind);
  return [...probes].map(([name, kind]) => ({ kind, name }));
}

function namesAbove(domain: string, zone: string): string[] {
  if (!isBelow(domain, zone)) return [];
  const names = [zone];
  for (let name = parentOf(domain); isBelow(name, zone); name = parentOf(name))
    if (names.length < MAX_ABOVE) names.push(name);
  return names;
}

export function misspellings(label: string): string[] {
  const bare = label.replace(/^_/, "");
  const spellings = [
    label.replaceAll("-", "_"),
    bare.replaceAll("-", "_"),
    label.replace(/-/g, ""),
    label.replaceAll("-", " "),
    bare.replaceAll("-", " "),
    `_${label}`,
    `-${bare}`,
    label.replace(/([a-z])\1/g, "$1"),
    `${label}s`,
  ];
  return [...new Set(spellings)].filter((spelling) => spelling !== label && spelling !== bare);
}

const HEX_DIGITS = 40;
/** How many hex digits a truncated token must still have: 64 random bits, too many for chance. */
const MIN_HEX_DIGITS = 16;

const QUOTATION_MARKS = /["'`´“”„‟‘’‚‛«»‹›＂＇]+|&quot;|&#3[49];/g;
const GAPS = /[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]+/gu;
/** Matches escapes of zone files: a character by its decimal code, or escaped as itself (RFC 1035 section 5.1). */
const ESCAPES = /\\(?:(\d{3})|(.))/gs;

const withoutEscapes = (text: string) =>
  text.replace(ESCAPES, (whole, code: string | undefined, character: string | undefined) => {
    if (code === undefined) return character ?? whole;
    return Number(code) < 256 ? String.fromCharCode(Number(code)) : whole;
  });

function normalize(value: string) {
  const damage = new Set<Corruption>();
  const unescaped = withoutEscapes(value);
  if (unescaped !== value) damage.add("quoted");
  const unquoted = unescaped.replace(QUOTATION_MARKS, "");
  if (unquoted !== unescaped) damage.add("quoted");
  const text = unquoted.replace(GAPS, "");
  if (text !== unquoted) damage.add("whitespace");
  return { text, damage };
}

/** Whether this is the token itself. A short one may be within a word by chance. */
const isWholeToken = (text: string, token: string, at: number): boolean =>
  token.length >= MIN_HEX_DIGITS ||
  ![text[at - 1], text[at + token.length]].some((letter) => letter && /[0-9a-z]/i.test(letter));

/** The range [start, end) of the token in `text`, or of the part of it that can be recognized. */
function spanOf(text: string, token: string): [start: number, end: number] | null {
  const index = text.indexOf(token);
  if (index >= 0) return isWholeToken(text, token, index) ? [index, index + token.length] : null;

  // Only the end of another service's token is random; the part before it shows nothing.
  const [random = ""] =
    /[0-9a-f]{40}$/.exec(token) ??
    /(?<=[=:])[0-9a-z_+/-]{16,}=*$/.exec(token) ??
    /(?<![0-9a-z])[0-9a-z]+$/.exec(token) ??
    [];
  if (random.length < MIN_HEX_DIGITS) return null;
  const head = token.slice(0, token.length - random.length + MIN_HEX_DIGITS);
  const start = text.indexOf(head);
  if (start >= 0) {
    let length = head.length;
    while (length < token.length && text[start + length] === token[length]) length += 1;
    return [start, start + length];
  }

  const lastDigits = token.slice(-MIN_HEX_DIGITS);
  const foundAt = text.indexOf(lastDigits);
  if (foundAt < 0) return null;
  const end = foundAt + lastDigits.length;
  let begin = foundAt;
  while (begin > 0 && text[begin - 1] === token.at(begin - 1 - end)) begin -= 1;
  return [begin, end];
}

/** Cyrillic letters that look like Latin ones, and others often confused: `O` for `0`; `l`, `I` and `|` for `1`. */
const LOOKALIKES = new Map(
  "\u0430a \u044cb \u0441c \u0501d \u0435e \u0433r \u0455s \u0475v \u04561 \u043e0 o0 i1 l1 |1"
    .split(" ")
    .map(([letter = "", latin = ""]) => [letter, latin]),
);
const foldLookalikes = (text: string) =>
  text
    .replace(/[\uff01-\uff5e]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) - 0xfee0))
    .toLowerCase()
    .replace(/[oil|]|\p{Script=Cyrillic}/gu, (letter) => LOOKALIKES.get(letter) ?? letter);

/** The damage that turned `wanted` into `value`. Null if they are equal, or `value` has under 16 of its hex digits. */
export function corruptionOf(value: string, wanted: string): Corruption[] | null {
  // Undoing damage only shortens a value, and so small a part of a long text, such as a DKIM key, shows nothing.
  const minLength = Math.max(Math.min(MIN_HEX_DIGITS, wanted.length), wanted.length / 8);
  if (value === wanted || value.length < minLength) return null;
  const { text, damage } = normalize(value);
  const token = wanted.replace(GAPS, "");
  const lowerText = text.toLowerCase();
  // Lower-casing may lengthen text outside ASCII; positions would then only fit the lower-case text.
  const compared = lowerText.length === text.length ? text : lowerText;
  const isPlain = token.length < MIN_HEX_DIGITS || lowerText.includes(token.toLowerCase());
  const index = isPlain ? -1 : foldLookalikes(text).indexOf(foldLookalikes(token));
  const range = index < 0 ? spanOf(lowerText, token.toLowerCase()) : [index, index + token.length];
  if (range === null) return null;
  const [start = 0, end = 0] = range;
  const part = compared.slice(start, end);
  if (start > 0) damage.add("prefix");
  if (end < lowerText.length) damage.add("suffix");
  if (index >= 0) damage.add("lookalike");
  else if (!token.includes(part)) damage.add("case");
  if (end - start < token.length) damage.add("truncated");
  // Spaces that belong to the value are not damage.
  if (token !== wanted && damage.size > 1) damage.delete("whitespace");
  return damage.size === 0 ? null : CORRUPTIONS.filter((kind) => damage.has(kind));
}

/** The values that make up a `token` split across records, in this order; empty if none do. */
export function piecesOf(values: readonly string[], token: string): string[] {
  const pieces: string[] = [];
  const unusedValues = new Set([...values].sort((a, b) => b.length - a.length));
  unusedValues.delete("");
  for (let remainder = token; remainder !== ""; ) {
    const piece = [...unusedValues].find((value) => remainder.startsWith(value));
    if (piece === undefined) return [];
    unusedValues.delete(piece);
    pieces.push(piece);
    remainder = remainder.slice(piece.length);
  }
  return pieces;
}

/** What all tokens of a service begin with, before 160 bits in hex. Null for a token of another form. */
export const prefixOf = (token: string): string | null =>
  /^([a-z0-9_-]{1,32})[0-9a-f]{40}$/.exec(token)?.[1] ?? null;

/** The first token in `value`, in lower case, after quotes and white space are removed; null if there is none. */
export function tokenOfForm(value: string, prefix: string): string | null {
  if (value.length < prefix.length + HEX_DIGITS) return null;
  const form = new RegExp(`${prefix}[0-9a-f]{${HEX_DIGITS}}(?![0-9a-f])`, "i");
  return form.exec(normalize(value).text)?.[0].toLowerCase() ?? null;
}

/** The first distinct values, with at most `limit` UTF-16 units in all. By default that is more than one answer has. */
export function takeDistinct(values: Iterable<string>, limit = 16 * 1024): string[] {
  const first = new Set<string>();
  let unitsLeft = limit;
  for (const value of values) {
    if (first.has(value)) continue;
    unitsLeft -= Math.max(1, value.length);
    if (unitsLeft < 0) break;
    first.add(value);
  }
  return [...first];
}
