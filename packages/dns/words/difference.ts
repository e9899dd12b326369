import { UNSEEN } from "../verdict/escape-untrusted.ts";

/** A run of text that is in both texts, or must go, or is missing. */
export type Run = { as: "same" | "wrong" | "missing"; text: string };

/** An escaped character is one unit, in values (`\u{200b}`) and in names (`\226`, `\.`). */
const UNITS = /\\u\{[0-9a-f]+\}|\\\d{3}|\\?./gsu;
/** A common run that is shorter counts as chance. */
const MIN_RUN = 4;
/** The most units that are compared: more than are shown of a value or a name. */
const MAX_UNITS = 256;

/** What turns `found` into `expected`, both escaped: their longest common run, then the same before and after it. */
export function difference(found: string, expected: string): Run[] {
  const [from = [], to = []] = [found, expected].map((text) => text.match(UNITS) ?? []);
  if (Math.max(from.length, to.length) <= MAX_UNITS) return runsOf(from, to, true, true);
  let at = 0;
  while (at < from.length && from[at] === to[at]) at += 1;
  const middle = [from.slice(at, at + MAX_UNITS), to.slice(at, at + MAX_UNITS)] as const;
  const same: Run[] = at > 0 ? [{ as: "same", text: from.slice(0, at).join("") }] : [];
  return [...same, ...runsOf(...middle, at === 0, true)];
}

/** `isStart` and `isEnd` say that the texts begin or end here, where a common run may be shorter. */
function runsOf(found: string[], expected: string[], isStart: boolean, isEnd: boolean): Run[] {
  let longest = { length: 0, at: 0, from: 0 };
  let lengths: number[] = [];
  for (const [at, unit] of found.entries()) {
    const row = expected.map((other, from) => (other === unit ? (lengths[from - 1] ?? 0) + 1 : 0));
    for (const [from, length] of row.entries()) {
      const isOpen = isStart && at + 1 === length && from + 1 === length;
      const isAtEnd = isEnd && at + 1 === found.length && from + 1 === expected.length;
      if (length > longest.length && (length >= MIN_RUN || isOpen || isAtEnd))
        longest = { length, at: at + 1 - length, from: from + 1 - length };
    }
    lengths = row;
  }
  const { length, at, from } = longest;
  if (length === 0)
    return [
      ...(found.length > 0 ? [{ as: "wrong" as const, text: found.join("") }] : []),
      ...(expected.length > 0 ? [{ as: "missing" as const, text: expected.join("") }] : []),
    ];
  return [
    ...runsOf(found.slice(0, at), expected.slice(0, from), isStart, false),
    { as: "same", text: found.slice(at, at + length).join("") },
    ...runsOf(found.slice(at + length), expected.slice(from + length), false, isEnd),
  ];
}

const CHARACTERS: Record<string, string> = {
  " ": "a space",
  "\u00a0": "a no-break space",
  "\u200b": "a zero-width space",
  "\t": "a tab",
  "\n": "a line break",
  "\r": "a line break",
  "\\": "a backslash",
  "@": "an @",
  "*": "an asterisk",
  "\u2010": "a dash that is not a hyphen",
  "\u2011": "a dash that is not a hyphen",
  "\u2013": "a dash that is not a hyphen",
};

/** Names characters in escaped text from DNS that are invisible or look like others, each once: "a no-break space". */
export function oddCharacters(text: string): string[] {
  const decoded = text
    .replace(/(?:\\\d{3})+/g, (run) =>
      new TextDecoder("utf-8", { ignoreBOM: true }).decode(
        Uint8Array.from(run.slice(1).split("\\"), Number),
      ),
    )
    .replace(/\\u\{([0-9a-f]+)\}/g, (_, hex) => String.fromCodePoint(Number.parseInt(hex, 16)));
  const names = [...decoded].flatMap((one) => {
    const hex = (one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    if (scriptOf(one)) return `${scriptOf(one)}“${one}”`;
    return CHARACTERS[one] ?? (UNSEEN.test(one) ? `an invisible character (U+${hex})` : []);
  });
  return [...new Set(names)];
}

/** Matches text without visible characters, which only names of characters can describe. */
const ONLY_INVISIBLE = /^(?:\\u\{[0-9a-f]+\}|(?:\\\d{3})+|\\| )+$/;
const MAX_SHOWN = 24;
const shortened = (text: string) =>
  text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN / 2)}…${text.slice(-MAX_SHOWN / 3)}` : text;

/** The script of letters that look like Latin ones, or "". */
const scriptOf = (text: string): string =>
  /^\p{Script=Cyrillic}+$/u.test(text)
    ? "Cyrillic "
    : /^[\uff01-\uff5e]+$/.test(text)
      ? "full-width "
      : "";

function inWords(text: string): string {
  if (/^\\?["'“”]$/.test(text)) return [...oddCharacters(text), "a quotation mark"].join(" and ");
  const oddChars = ONLY_INVISIBLE.test(text) ? oddCharacters(text) : [];
  return oddChars.join(", ") || `${scriptOf(text)}“${shortened(text)}”`;
}

/** Pairs each wrong letter with the missing one if most letters are right; otherwise pairs the whole runs. */
function pairsOf(wrong: string, missing: string): string[][] {
  const [one, other] = [[...wrong], [...missing]];
  const differing = one.flatMap((unit, at) => (unit === other[at] ? [] : `${unit} ${other[at]}`));
  return one.length === other.length && differing.length * 2 < one.length
    ? [...new Set(differing)].map((pair) => pair.split(" "))
    : [[wrong, missing]];
}

const MAX_NAMED = 2;
const QUOTED = "has a quotation mark at the start, and it has a quotation mark at the end";

/** Describes the difference for a sentence: `it has “O” in place of “0”, and it lacks “13” at the end`. */
export function differenceInText(found: string, expected: string): string {
  const runs = difference(found, expected);
  const isSame = ({ as }: Run) => as === "same";
  const parts = runs.flatMap(({ as, text }, at) => {
    const next = runs[at + 1];
    if (as === "same" || (as === "missing" && runs[at - 1]?.as === "wrong")) return [];
    const isAtStart = !runs.slice(0, at).some(isSame);
    const position = isAtStart
      ? "at the start"
      : runs.slice(at).some(isSame)
        ? "in the middle"
        : "at the end";
    if (as === "wrong" && next?.as === "missing")
      return pairsOf(text, next.text).map(
        ([one = "", other = ""]) =>
          `it has ${inWords(one)} in place of ${inWords(other)}${position === "at the end" ? ` ${position}` : ""}`,
      );
    const quoted = inWords(text);
    if (as === "missing") return `it lacks ${quoted} ${position}`;
    return `it has ${quoted.startsWith("“") ? "the extra text " : ""}${quoted} ${position}`;
  });
  const isMore = parts.length > MAX_NAMED;
  const all = isMore ? [parts.slice(0, MAX_NAMED).join(", "), "more"] : parts;
  return all.join(", and ").replace(QUOTED, "has quotation marks around it");
}
