import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { escapeUntrusted } from "../verdict/escape-untrusted.ts";
import { difference, differenceInText, oddCharacters } from "./difference.ts";

const TOKEN = "service_v1_9f3a61c0d27be584f01c2a6b7d8e9f0013243546";
const NAME = "_service-challenge.acme.com";

describe("difference", () => {
  it("puts both texts together again", () => {
    const text = fc
      .string({ unit: fc.constantFrom("a", "b", "\u200b", "é", "\\"), maxLength: 40 })
      .map((one) => escapeUntrusted(one));
    fc.assert(
      fc.property(text, text, (found, expected) => {
        const runs = difference(found, expected);
        const without = (left: string) =>
          runs.flatMap(({ as, text }) => (as === left ? [] : text)).join("");
        expect(without("missing")).toBe(found);
        expect(without("wrong")).toBe(expected);
        expect(runs.every((run) => run.text !== "")).toBe(true);
      }),
    );
  });

  it("is bounded for texts of any length", () => {
    const runs = difference("ab".repeat(50_000), "ba".repeat(50_000));
    expect(runs.map(({ text }) => text).join("").length).toBeLessThan(1_000);
  });

  /** A found text, and how it differs from the token, or from the name if it is a name. */
  const TOLD = Object.entries({
    [`"${TOKEN}"`]: "it has quotation marks around it",
    [TOKEN.slice(0, -4)]: "it lacks “3546” at the end",
    [TOKEN.replace("3a61", "36a1")]: "it has “6a” in place of “a6”",
    [`${TOKEN.slice(0, -3)}...`]: "it has “...” in place of “546” at the end",
    [TOKEN.replaceAll("_", "")]: "it has “v1” in place of “_v1_”",
    [TOKEN.replace("c0d", "cOd")]: "it has “O” in place of “0”",
    [TOKEN.replace("c0d", "\u04410d")]: "it has Cyrillic “\u0441” in place of “c”",
    [TOKEN.replace("c0d", "c\uff10d")]: "it has full-width “\uff10” in place of “0”",
    [`\\u{200b}${TOKEN}`]: "it has a zero-width space at the start",
    [`${TOKEN} `]: "it has a space at the end",
    [`IN TXT ${TOKEN}`]: "it has the extra text “IN TXT ” at the start",
    [`service_v1_${"0123".repeat(10)}`]:
      "it has “012301230123…01230123” in place of “9f3a61c0d27b…13243546” at the end",
    [TOKEN.replace("c0d", "cOd").replace("f01", "fOl").replace("v1", "vl")]:
      "it has “l” in place of “1”, it has “O” in place of “0”, and more",
    [`${NAME}.acme.com`]: "it has the extra text “.acme.com” at the end",
    "_service\\226\\128\\145challenge.acme.com":
      "it has a dash that is not a hyphen in place of “-”",
  });
  it.each(TOLD)("tells of %j: %s", (found, text) => {
    expect(differenceInText(found, found.includes("acme") ? NAME : TOKEN)).toBe(text);
  });
});

it.each([
  ["_service-challenge", []],
  ["_service-challenge\\032", ["a space"]],
  ["\\194\\160x\\226\\128\\145y", ["a no-break space", "a dash that is not a hyphen"]],
  ["acme\\.com", ["a backslash"]],
  ["@", ["an @"]],
  ["x\\u{200b}y \\u{200b}", ["a zero-width space", "a space"]],
  ["\\239\\187\\191x", ["an invisible character (U+FEFF)"]],
  ["\\u{202e}x", ["an invisible character (U+202E)"]],
])("what is strange in %s is named", (text, named) => {
  expect(oddCharacters(text)).toEqual(named);
});
