import { parseAnchor } from "@deed/dns/dnssec/anchors.ts";
import { describe, expect, it } from "vitest";
import { Chance } from "../../tests/fuzz/chance.ts";
import { sized } from "../../tests/support/size.ts";
import type { Report } from "./report.ts";
import { sentenceOf } from "./sentences.ts";
import { type Case, VECTORS } from "./testing/vectors.ts";
import { type Options, verifyReceipt } from "./verify.ts";

const FLIPS = sized(200, 1_000);
const LENGTHS = sized(50, 200);
const MEGABYTES = 50;

/** "good", or the first part that is wrong. */
function told({ verdict, parts }: Report): string {
  const wrong = parts.find(({ state }) => state === "wrong");
  return wrong ? `${wrong.part}: ${wrong.code}` : verdict;
}

const LARGE: Case[] = [
  { name: "too deep", file: "[".repeat(30_000), expected: "file: not_json" },
  { name: "too large", file: `[${" ".repeat(64 * 1024)}]`, expected: "file: too_large" },
];
const cases = [...VECTORS.cases, ...LARGE];
const options: Options = {
  keys: [VECTORS.kid],
  anchors: [VECTORS.anchor].flatMap((line) => parseAnchor(line) ?? []),
};
const fileOf = (name: string) => Buffer.from(cases.find((one) => one.name === name)?.file ?? "");

/** What a verifier reads in a file. */
function contentOf(file: Uint8Array) {
  const { format, statement, dnssec } = JSON.parse(new TextDecoder().decode(file));
  return { format, statement, dnssec };
}

describe("a forged receipt", () => {
  it("is refused with its reason", async () => {
    const found: string[] = [];
    for (const { name, file } of cases)
      found.push(`${name} | ${told(await verifyReceipt(file, options))}`);
    expect(found).toEqual(cases.map(({ name, expected }) => `${name} | ${expected}`));
    expect(found.length).toBeGreaterThan(90);
  });

  it("is told in a sentence for every part", async () => {
    for (const { file } of cases)
      for (const part of (await verifyReceipt(file, options)).parts)
        expect(sentenceOf(part)).toMatch(/^[A-Z“].+\.$/s);
  });

  for (const [name, flips] of [
    ["unsigned zone", 200],
    ["signed zone", FLIPS],
  ] as const)
    it(`is refused for any bit of its file but those of unknown members: ${flips}, ${name}`, async () => {
      const file = fileOf(name);
      const content = contentOf(file);
      const chance = new Chance(18);
      const reasons = new Map<string, number>();
      for (let count = 0; count < flips; count += 1) {
        const flipped = chance.flipped(file);
        const reason = told(await verifyReceipt(flipped, options));
        if (reason === "good") expect(contentOf(flipped)).toEqual(content);
        reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
      }
      console.log(`${flips} bit flips, ${name}:`, Object.fromEntries(reasons));
      expect(reasons.get("weaker")).toBeUndefined();
    });

  it(`is refused when it is cut short: at ${LENGTHS} lengths`, async () => {
    const file = fileOf("signed zone");
    const accepted: number[] = [];
    for (let count = 0; count < LENGTHS; count += 1) {
      const length = Math.floor((count * file.length) / LENGTHS);
      const { verdict } = await verifyReceipt(file.subarray(0, length), options);
      if (verdict !== "bad") accepted.push(length);
    }
    expect(accepted).toEqual([]);
  });

  it(`is refused early at ${MEGABYTES} MB`, async () => {
    const large = MEGABYTES * 1_000_000;
    for (const file of [new Uint8Array(large), "[".repeat(large), `"${" ".repeat(large)}"`])
      expect(told(await verifyReceipt(file, options))).toBe("file: too_large");
  });
});
