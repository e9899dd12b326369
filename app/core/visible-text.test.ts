import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isVisible } from "./reference.ts";

const JOINING = /[\p{Join_Control}\p{Variation_Selector}]/u;
const IGNORABLE = Array.from({ length: 0x11_0000 }, (_, at) => at)
  .filter((at) => at < 0xd8_00 || at > 0xdf_ff)
  .map((at) => String.fromCodePoint(at))
  .filter((one) => /\p{Default_Ignorable_Code_Point}/u.test(one));
const BLANKS = ["\u115f", "\u1160", "\u3164", "\uffa0", "\u2800", "\u{1d159}"];
const CONTROLS = ["\0", "\n", "\u0085", "\u061c", "\u202e", "\u2066", "\u2028", "\ud800"];

const unseen = fc.constantFrom(
  ...IGNORABLE.filter((one) => !JOINING.test(one)),
  ...BLANKS,
  ...CONTROLS,
);
const joining = fc.constantFrom(...IGNORABLE.filter((one) => JOINING.test(one)));
const selector = fc.constantFrom("\ufe0e", "\ufe0f", "\u{e0100}");
const letter = fc.constantFrom(..."aZ9éß-&ñЖ中あ한אشیकமกཀ");
const word = fc.string({ unit: letter, minLength: 1, maxLength: 8 });
const emoji = fc.constantFrom("❤", "☀", "🏳", "葛", "邉");

const judged = (seen: boolean, ...texts: string[]) =>
  expect(texts.filter((text) => isVisible(text) !== seen)).toEqual([]);

describe("C2.12: isVisible", () => {
  it.each([
    ["plain words", "Connect your domain to Acme, Inc."],
    ["Persian", "نمی‌خواهم ثبت‌نام کنم"],
    ["Hindi", "क्‌ष और क्‍ष, श्री हिन्दी"],
    ["Sinhala", "ශ්‍රී ලංකා"],
    ["Malayalam", "മലയാളം"],
    ["a Japanese name with a selector", "葛\u{e0100}城 渡邉\u{e0101}"],
    ["ideographic and no-break spaces", "株式会社\u3000山田\u00a0: oui"],
    ["a family", "Family 👨‍👩‍👧‍👦"],
    ["a couple", "👩‍❤️‍💋‍👨 and friends"],
    ["flags", "🇩🇪 🏳️‍🌈 🏴‍☠️"],
    ["flags spelled with tags", "🏴󠁧󠁢󠁥󠁮󠁧󠁿🏴󠁧󠁢󠁳󠁣󠁴󠁿 🏴󠁧󠁢󠁷󠁬󠁳󠁿"],
    ["keycaps", "1️⃣ #️⃣"],
    ["skin tones", "👍🏽 🧑🏻‍❤️‍🧑🏿 🕵🏽‍♀️"],
    ["an emoji with its selector at the end", "We ❤️ domains ☎︎"],
  ])("takes %s", (_, text) => expect(isVisible(text)).toBe(true));

  it.each([
    ["tags that spell no flag in use", "🏴\u{e0061}\u{e0062}\u{e0063}\u{e007f}"],
    ["tags without a flag", "Acme\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}"],
    ["a selector that ends a word", "Acme\ufe0f Inc"],
    ["two selectors", "❤\ufe0f\ufe0f!"],
    ["a joiner before a selector", "❤\u200d\ufe0f!"],
  ])("refuses %s", (_, text) => expect(isVisible(text)).toBe(false));

  it("refuses each invisible character, wherever it is", () => {
    fc.assert(
      fc.property(unseen, word, word, (one, before, after) => {
        expect(isVisible(before + after)).toBe(true);
        judged(false, before + one + after, one + after, before + one, one);
      }),
    );
    expect(IGNORABLE.length).toBeGreaterThan(4_000);
    const all = [...IGNORABLE, ...BLANKS, ...CONTROLS];
    expect(all.filter((one) => isVisible(one) || isVisible(`${one}a`))).toEqual([]);
  });

  it("takes a joiner or selector between visible characters, one at a time", () => {
    fc.assert(
      fc.property(joining, joining, word, word, (one, other, before, after) => {
        expect(isVisible(before + one + after)).toBe(true);
        // After an ideograph a selector may come before a joiner, as the next test shows.
        const last = before.endsWith("中") ? `${before}a` : before;
        judged(false, last + one + other + after, one + after, `${before} ${one}${after}`);
        judged(false, `${before}\u200d ${after}`, `${before}\u200c`);
      }),
    );
  });

  it("takes one selector after an emoji or ideograph, also at the end and before a joiner", () => {
    fc.assert(
      fc.property(selector, emoji, word, (one, base, after) => {
        judged(true, base + one, `${base}${one} ${after}`, `${base}${one}\u200d${after}`);
        judged(false, base + one + one, `${base}${one}\u200d`, one + base);
      }),
    );
  });
});
