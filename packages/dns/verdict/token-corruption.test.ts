import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { OTHER, TOKEN } from "../testing/observations.ts";
import { corruptionOf, piecesOf, takeDistinct, tokenOfForm } from "./near-misses.ts";

const HEX = TOKEN.slice("service_v1_".length);

describe("corruptionOf", () => {
  it.each([
    [`"${TOKEN}"`, ["quoted"]],
    [`'${TOKEN}'`, ["quoted"]],
    [`“${TOKEN}”`, ["quoted"]],
    [`&quot;${TOKEN}&quot;`, ["quoted"]],
    [`\\"${TOKEN}\\"`, ["quoted"]],
    [TOKEN.replaceAll("_", "\\_"), ["quoted"]],
    [TOKEN.replaceAll("_", "\\095"), ["quoted"]],
    [` ${TOKEN}`, ["whitespace"]],
    [`${TOKEN}\n`, ["whitespace"]],
    [`${TOKEN.slice(0, 20)} ${TOKEN.slice(20)}`, ["whitespace"]],
    [`${TOKEN.slice(0, 20)}\u200b${TOKEN.slice(20)}`, ["whitespace"]],
    [`\u00a0${TOKEN}\u00a0`, ["whitespace"]],
    [`"${TOKEN.slice(0, 20)}" "${TOKEN.slice(20)}"`, ["quoted", "whitespace"]],
    [`TXT=${TOKEN}`, ["prefix"]],
    [`TXT ${TOKEN}`, ["whitespace", "prefix"]],
    [`v=spf1 include:mail.example -all${TOKEN}`, ["whitespace", "prefix"]],
    [`_service-challenge.acme.com. 300 IN TXT "${TOKEN}"`, ["quoted", "whitespace", "prefix"]],
    [`${TOKEN}.`, ["suffix"]],
    [`${TOKEN}.acme.com`, ["suffix"]],
    [`${TOKEN}${TOKEN}`, ["suffix"]],
    [`<${TOKEN}>`, ["prefix", "suffix"]],
    [TOKEN.toUpperCase(), ["case"]],
    [`S${TOKEN.slice(1)}`, ["case"]],
    [` "TXT=${TOKEN.toUpperCase()}";`, ["quoted", "whitespace", "prefix", "suffix", "case"]],
    [TOKEN.replace("v1", "vl"), ["lookalike"]],
    [TOKEN.replace("c", "\u0441").replaceAll("0", "O"), ["lookalike"]],
    [`TXT=${TOKEN.replaceAll("0", "O")};`, ["prefix", "suffix", "lookalike"]],
    [TOKEN.slice(0, -1), ["truncated"]],
    [TOKEN.slice(0, 11 + 16), ["truncated"]],
    [`${TOKEN.slice(0, 30)}…`, ["suffix", "truncated"]],
    [`${TOKEN.slice(0, 30)}...`, ["suffix", "truncated"]],
    [`"${TOKEN.slice(0, 30)}`, ["quoted", "truncated"]],
    [TOKEN.slice(0, 30).toUpperCase(), ["case", "truncated"]],
    [TOKEN.slice(1), ["truncated"]],
    [HEX, ["truncated"]],
    [HEX.slice(-16), ["truncated"]],
    [`token: ${HEX}`, ["whitespace", "prefix", "truncated"]],
  ])("undoes %j", (value, damage) => {
    expect(corruptionOf(value, TOKEN)).toEqual(damage);
  });

  it("takes no longer than a value has characters", () => {
    const long = "a".repeat(400_000);
    expect(corruptionOf(`${long}!`, `${long}.`)).toBeNull();
    for (const filler of ["\\", '"', " ", TOKEN.slice(0, 26), "a", "İ"])
      corruptionOf(filler.repeat(65_536 / filler.length), TOKEN);
  });

  it.each([
    TOKEN,
    "",
    " ",
    OTHER,
    "service_v1_",
    TOKEN.slice(0, 11 + 15),
    HEX.slice(-15),
    HEX.slice(10, 30),
    "v=spf1 include:acme.com -all",
  ])("sees no damage in %j", (value) => {
    expect(corruptionOf(value, TOKEN)).toBe(null);
  });

  it("finds any mix of damage, and never throws on noise", () => {
    const dressing = fc.array(fc.constantFrom('"', "'", " ", "\t", "“", "\\", "=", "TXT"), {
      maxLength: 6,
    });
    fc.assert(
      fc.property(dressing, dressing, fc.boolean(), (before, after, loud) => {
        const value = before.join("") + (loud ? TOKEN.toUpperCase() : TOKEN) + after.join("");
        fc.pre(value !== TOKEN && !before.join("").endsWith("\\"));
        expect(corruptionOf(value, TOKEN)).not.toBe(null);
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (noise) => {
        expect(corruptionOf(noise, TOKEN)).toBe(null);
        expect(corruptionOf(noise + TOKEN, TOKEN)?.length ?? 0).toBeGreaterThanOrEqual(
          noise ? 1 : 0,
        );
      }),
    );
  });
});

const [head, middle, tail] = [TOKEN.slice(0, 20), TOKEN.slice(20, 35), TOKEN.slice(35)];

it.each([
  [`${tail}|${head}|${middle}`, `${head}|${middle}|${tail}`],
  [`v=spf1 -all|${head}||${TOKEN.slice(20)}`, `${head}|${TOKEN.slice(20)}`],
  [`${head}|${tail}`, ""],
  [`${TOKEN.slice(0, 10)}|${head}|${middle}|${tail}`, `${head}|${middle}|${tail}`],
  ["|v=spf1 -all", ""],
  ["", ""],
])("pieces of %j are %j", (values, expected) => {
  expect(piecesOf(values.split("|"), TOKEN).join("|")).toBe(expected);
});

it.each([
  [OTHER, OTHER],
  [`"${OTHER}"`, OTHER],
  [` ${OTHER.toUpperCase()} `, OTHER],
  [`x=${OTHER}`, OTHER],
  [`service_v1_ ${OTHER}`, OTHER],
  [OTHER.slice(0, -1), null],
  [`${OTHER}0`, null],
  ["service_v1_", null],
  ["service_v2_00112233445566778899aabbccddeeff00112233", null],
  ["", null],
])("tokenOfForm reads %j", (value, expected) => {
  expect(tokenOfForm(value, "service_v1_")).toBe(expected);
});

describe("takeDistinct", () => {
  it("takes each value once, in order, while they fit", () => {
    expect(takeDistinct(["aa", "b", "aa", "b", "ccc", "d"], 6)).toEqual(["aa", "b", "ccc"]);
    expect(takeDistinct(["aa", "b", "ccc", "d"], 5)).toEqual(["aa", "b"]);
    expect(takeDistinct(["aaa"], 2)).toEqual([]);
  });

  it("counts an empty value as one character, and stops at the limit", () => {
    let seen = 0;
    const endless = (function* () {
      for (;;) yield `${++seen}`.padStart(10, "0");
    })();
    expect(takeDistinct(endless, 105)).toHaveLength(10);
    expect(seen).toBe(11);
    expect(takeDistinct(["", "a", "b"], 2)).toEqual(["", "a"]);
  });
});
