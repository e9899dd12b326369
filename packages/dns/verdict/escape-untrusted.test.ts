import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sized } from "../../../tests/support/size.ts";
import { escapePrinted, escapeUntrusted } from "./escape-untrusted.ts";

describe("C7.19: escapeUntrusted", () => {
  it.each([
    ["v=spf1 -all", "v=spf1 -all"],
    ["bücher 食狮 🙂", "bücher 食狮 🙂"],
    ["<b>&amp;</b>", "<b>&amp;</b>"],
    ["a\u0000b\n\u001b[31m\u007f", "a\\u{0}b\\u{a}\\u{1b}[31m\\u{7f}"],
    ["\u202ecom.evil", "\\u{202e}com.evil"],
    ["\u2066\u2069\u200e\u200f\u061c", "\\u{2066}\\u{2069}\\u{200e}\\u{200f}\\u{61c}"],
    ["a\u200b\u200c\u200d\u2060\ufeffb", "a\\u{200b}\\u{200c}\\u{200d}\\u{2060}\\u{feff}b"],
    ["\u00a0\u3000\u2028\u2029", "\\u{a0}\\u{3000}\\u{2028}\\u{2029}"],
    ["\u3164\u2800\u{1d159}\ufe0f", "\\u{3164}\\u{2800}\\u{1d159}\\u{fe0f}"],
    ["\ud800", "\\u{d800}"],
    ["\u{e0041}", "\\u{e0041}"],
  ])("shows %j", (text, shown) => {
    expect(escapeUntrusted(text)).toBe(shown);
  });

  it("keeps 255 characters and marks the cut", () => {
    expect(escapeUntrusted("a".repeat(255))).toBe("a".repeat(255));
    expect(escapeUntrusted("a".repeat(256))).toBe(`${"a".repeat(254)}…`);
    expect(escapeUntrusted(`${"a".repeat(250)}\u202e`)).toBe(`${"a".repeat(250)}…`);
    expect(escapeUntrusted("🙂".repeat(200))).toBe(`${"🙂".repeat(127)}…`);
    expect(escapeUntrusted("abcdef", 3)).toBe("ab…");
  });

  it("is bounded, fully visible and idempotent for any input", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 600 }), (text) => {
        const shown = escapeUntrusted(text);
        expect(shown.length).toBeLessThanOrEqual(255);
        expect(shown).not.toMatch(/[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u);
        expect(shown).not.toMatch(/(?! )\p{Zs}/u);
        expect(escapeUntrusted(shown)).toBe(shown);
      }),
      { numRuns: sized(300, 2_000) },
    );
  });
});

describe("escapePrinted", () => {
  it.each([
    ["two\nlines, bücher 🙂", "two\nlines, bücher 🙂"],
    ["\u001b[2J\r\u007f\u009b\t", "\\u001b[2J\\u000d\\u007f\\u009b\\u0009"],
    ["\u202e\u2028\ud800\u{e0041}", "\\u202e\\u2028\\ud800\\udb40\\udc41"],
  ])("prints %j", (text, printed) => expect(escapePrinted(text)).toBe(printed));

  it("keeps lines, and what JSON says, for any input", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(escapePrinted(text)).not.toMatch(/(?!\n)[\p{C}\p{Zl}\p{Zp}]/u);
        expect(escapePrinted(text).split("\n")).toHaveLength(text.split("\n").length);
        expect(JSON.parse(escapePrinted(JSON.stringify([text], null, 2)))).toEqual([text]);
      }),
    );
  });
});
