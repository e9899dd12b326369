import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { escapeUntrusted } from "../verdict/escape-untrusted.ts";
import { difference, differenceInText, strangeIn } from "./difference.ts";

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

  /** What is found, and how it differs from the token, or from the name if it is one. */
  const TOLD = Object.entries({
    [`"${TOKEN}"`]: '[wrong: "]service_v1_9…13243546[wrong: "]',
    [TOKEN.slice(0, -4)]: "service_v1_9…9f001324[missing: 3546]",
    [TOKEN.replace("3a61", "36a1")]: "service_v1_9f3[wrong: 6a][missing: a6]1c0d27be584f…13243546",
    [TOKEN.replaceAll("_", "")]: "service[wrong: v1][missing: _v1_]9f3a61c0d27b…13243546",
    [TOKEN.replace("c0d", "cOd")]: "service_v1_9f3a61c[wrong: O][missing: 0]d27be584f01c…13243546",
    [`\\u{200b}${TOKEN}`]: "[wrong: a zero-width space]service_v1_9…13243546",
    [`${TOKEN} `]: "service_v1_9…13243546[wrong: a space]",
    [`IN TXT ${TOKEN}`]: "[wrong: “IN TXT ”]service_v1_9…13243546",
    [`service_v1_${"0123".repeat(10)}`]:
      "service_v1_[wrong: 012301230123…01230123][missing: 9f3a61c0d27b…13243546]",
    [`${NAME}.acme.com`]: "_service-cha…acme.com[wrong: .acme.com]",
    "_service\\226\\128\\145challenge.acme.com":
      "_service[wrong: a dash that is not a hyphen][missing: -]challenge.acme.com",
  });
  it.each(TOLD)("tells of %j: %s", (found, text) => {
    expect(differenceInText(found, found.includes("acme") ? NAME : TOKEN)).toBe(text);
  });
});

it.each([
  ["_service-challenge", []],
  ["_service-challenge\\032", ["a space"]],
  [
    "\\194\\160_service\\226\\128\\145challenge",
    ["a no-break space", "a dash that is not a hyphen"],
  ],
  ["acme\\.com", ["a backslash"]],
  ["@", ["an @"]],
  ["x\\u{200b}y \\u{200b}", ["a zero-width space", "a space"]],
  ["\\239\\187\\191x", ["an invisible character (U+FEFF)"]],
  ["\\u{202e}x", ["an invisible character (U+202E)"]],
])("what is strange in %s is named", (text, named) => {
  expect(strangeIn(text)).toEqual(named);
});
