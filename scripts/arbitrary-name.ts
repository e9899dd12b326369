import fc from "fast-check";

const SUFFIXES = ["com", "co.uk", "github.io", "ck", "de", "jp", "xn--fiqs8s", "中国", "test"];
const DRESS = ["", " ", "https://", "//", "user@", "a:b@", "*.", "www.", "WWW.", "http:", "\u200b"];
const TAILS = ["", ".", "。", "/", "/p?q#f", ":443", ":", "..", "?x", "\\x", "\n"];

/** Generates inputs for a name field: names in many scripts and spellings, and plain noise. */
export function arbitraryName(label: string): fc.Arbitrary<string> {
  const ascii = fc.string({
    unit: fc.constantFrom(..."abcxyz0123456789-_ABCXYZ"),
    maxLength: 70,
  });
  const part = fc.oneof(
    { weight: 4, arbitrary: ascii },
    { weight: 2, arbitrary: fc.string({ unit: "grapheme", maxLength: 12 }) },
    { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 6 }) },
    { weight: 1, arbitrary: ascii.map((text) => `xn--${text}`) },
    {
      weight: 1,
      arbitrary: fc.constantFrom("www", label, "ß", "İ", "１２", "0x7f", "faß", "‌", "א"),
    },
  );
  const dressed = fc
    .tuple(
      fc.array(fc.constantFrom(...DRESS, `${label}.`), { maxLength: 4 }),
      fc.array(part, { maxLength: 6 }),
      fc.constantFrom(...SUFFIXES, ""),
      fc.constantFrom(...TAILS),
    )
    .map(([dress, parts, suffix, tail]) => dress.join("") + [...parts, suffix].join(".") + tail);
  return fc.oneof(
    { weight: 8, arbitrary: dressed },
    { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 300 }) },
    { weight: 1, arbitrary: fc.ipV6() },
    { weight: 1, arbitrary: fc.ipV4Extended() },
    { weight: 1, arbitrary: fc.webUrl() },
  );
}
