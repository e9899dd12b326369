/** A label mixes scripts in a way that no language does (UTS 39 section 5, "highly restrictive"), or looks like ASCII. */
export type Lookalike =
  | { type: "mixed_scripts"; scripts: string[] }
  | { type: "reads_as"; ascii: string };

const SCRIPTS = (
  "Latin Cyrillic Greek Armenian Georgian Cherokee Hebrew Arabic Syriac Thaana Nko Devanagari Bengali Gurmukhi " +
  "Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Thai Lao Tibetan Myanmar Ethiopic Khmer Mongolian " +
  "Hangul Hiragana Katakana Bopomofo Han Canadian_Aboriginal Tifinagh Coptic Runic Ogham Lisu Yi"
).split(" ");
const PATTERNS = SCRIPTS.map((name) => [name, new RegExp(`\\p{Script=${name}}`, "u")] as const);

/** Scripts that Chinese, Japanese and Korean mix, including Latin. */
const ALLOWED_MIXES = [
  ["Latin", "Han", "Hiragana", "Katakana"],
  ["Latin", "Han", "Bopomofo"],
  ["Latin", "Han", "Hangul"],
];

/** Each word begins with an ASCII character, and its other characters look like that one. */
const CONFUSABLES = (
  "aаαɑ bьƅ cсϲᴄⲥ dԁժ eеҽ fſք gɡցԍ hһհ iіıɩιɪ jјյϳ kкκ lӏǀⅼ nոпη oоοօσᴏסⲟ०ⵔ pрρϱⲣ " +
  "qԛզ rгᴦⲅ sѕꜱ tтτ uυսᴜ vѵνᴠ wԝѡᴡա xхχ yуүγʏყ zᴢ 3зӡʒ"
).split(" ");
const ASCII_OF = new Map(
  CONFUSABLES.flatMap(([ascii = "", ...others]) => others.map((letter) => [letter, ascii])),
);

const scriptsOf = (label: string) =>
  PATTERNS.filter(([, pattern]) => pattern.test(label)).map(([name]) => name);

const isMixed = (scripts: string[]) =>
  scripts.length > 1 &&
  !ALLOWED_MIXES.some((set) => scripts.every((script) => set.includes(script)));

const isAscii = (text: string) => /^[\x20-\x7e]*$/.test(text);

const asciiOf = (label: string) =>
  Array.from(label, (letter) => ASCII_OF.get(letter) ?? letter).join("");

export function lookalikeOf(unicode: string): Lookalike | null {
  if (isAscii(unicode)) return null;
  const labels = unicode.split(".");
  const mixedScripts = labels.map(scriptsOf).find(isMixed);
  if (mixedScripts) return { type: "mixed_scripts", scripts: mixedScripts };
  const [topScript] = scriptsOf(labels.at(-1) ?? "");
  const areConfusable = labels.map((label) => {
    // A label in the script of its top-level domain is not a lookalike.
    const isTopScript = topScript !== "Latin" && scriptsOf(label)[0] === topScript;
    return !isAscii(label) && !isTopScript && isAscii(asciiOf(label));
  });
  if (!areConfusable.includes(true)) return null;
  const ascii = labels.map((label, at) => (areConfusable[at] ? asciiOf(label) : label)).join(".");
  return { type: "reads_as", ascii };
}
