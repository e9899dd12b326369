import { UNSEEN } from "../verdict/escape-untrusted.ts";

/** A run of text that both have, that must go, or that must come. */
export type Run = { as: "same" | "wrong" | "missing"; text: string };

/** An escaped character is one unit, in values (`\u{200b}`) and in names (`\226`, `\.`). */
const UNITS = /\\u\{[0-9a-f]+\}|\\\d{3}|\\?./gsu;
/** Shorter runs that two texts share are taken for chance. */
const SHORTEST = 4;
/** More than what is shown of a value or a name has. */
const MOST_UNITS = 256;

/** What turns `found` into `expected`, both escaped: their longest common run, and so on before and after it. */
export function difference(found: string, expected: string): Run[] {
  const [one, other] = [found, expected].map((text) => text.match(UNITS)?.slice(0, MOST_UNITS));
  return runsOf(one ?? [], other ?? [], true, true);
}

/** `isStart`, `isEnd`: these are the texts' own start and end, where a common run may be shorter. */
function runsOf(one: string[], other: string[], isStart: boolean, isEnd: boolean): Run[] {
  let best = { length: 0, at: 0, from: 0 };
  let lengths: number[] = [];
  for (const [at, unit] of one.entries()) {
    const row = other.map((its, from) => (its === unit ? (lengths[from - 1] ?? 0) + 1 : 0));
    for (const [from, length] of row.entries()) {
      const isOpen = isStart && at + 1 === length && from + 1 === length;
      const isClose = isEnd && at + 1 === one.length && from + 1 === other.length;
      if (length > best.length && (length >= SHORTEST || isOpen || isClose))
        best = { length, at: at + 1 - length, from: from + 1 - length };
    }
    lengths = row;
  }
  const { length, at, from } = best;
  if (length === 0)
    return [
      ...(one.length > 0 ? [{ as: "wrong" as const, text: one.join("") }] : []),
      ...(other.length > 0 ? [{ as: "missing" as const, text: other.join("") }] : []),
    ];
  return [
    ...runsOf(one.slice(0, at), other.slice(0, from), isStart, false),
    { as: "same", text: one.slice(at, at + length).join("") },
    ...runsOf(one.slice(at + length), other.slice(from + length), false, isEnd),
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
  "\u2010": "a dash that is not a hyphen",
  "\u2011": "a dash that is not a hyphen",
  "\u2013": "a dash that is not a hyphen",
};

/** What does not show, or looks like something else, in escaped text from DNS: "a no-break space". Each once. */
export function strangeIn(text: string): string[] {
  const plain = text
    .replace(/(?:\\\d{3})+/g, (run) =>
      new TextDecoder("utf-8", { ignoreBOM: true }).decode(
        Uint8Array.from(run.slice(1).split("\\"), Number),
      ),
    )
    .replace(/\\u\{([0-9a-f]+)\}/g, (_, hex) => String.fromCodePoint(Number.parseInt(hex, 16)));
  const named = [...plain].flatMap((one) => {
    const hex = (one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    return CHARACTERS[one] ?? (UNSEEN.test(one) ? `an invisible character (U+${hex})` : []);
  });
  return [...new Set(named)];
}

/** Text of which nothing but the name of its characters can be shown. */
const STRANGE = /^(?:\\u\{[0-9a-f]+\}|(?:\\\d{3})+|\\| )+$/;
const SHOWN = 24;
const shortened = (text: string) =>
  text.length > SHOWN ? `${text.slice(0, SHOWN / 2)}…${text.slice(-SHOWN / 3)}` : text;

/** For mails and terminals: `[wrong: "]service_v1_9…13243546[missing: e]`. What does not show is named. */
export const differenceInText = (found: string, expected: string): string =>
  difference(found, expected)
    .map(({ as, text }) => {
      if (as === "same") return shortened(text);
      const strange = as === "wrong" && STRANGE.test(text) ? strangeIn(text) : [];
      const plain = text === text.trim() ? shortened(text) : `“${shortened(text)}”`;
      return `[${as}: ${strange.join(", ") || plain}]`;
    })
    .join("");
