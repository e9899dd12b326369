import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAnchor } from "@deed/dns/dnssec/anchors.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { Chance } from "../../tests/fuzz/chance.ts";
import { sized } from "../../tests/support/size.ts";
import type { Report } from "./report.ts";
import { sentenceOf } from "./sentences.ts";
import { type Case, makeCases } from "./testing/cases.ts";
import { type Options, verifyReceipt } from "./verify.ts";

const FLIPS = sized(200, 1_000);
const LENGTHS = sized(50, 200);
const MEGABYTES = 50;

const VECTORS = JSON.parse(
  readFileSync(join(import.meta.dirname, "testing/vectors.json"), "utf8"),
) as Awaited<ReturnType<typeof makeCases>>;

/** "good", or the first part that is wrong. */
function told({ verdict, parts }: Report): string {
  const wrong = parts.find(({ state }) => state === "wrong");
  return wrong ? `${wrong.part}: ${wrong.code}` : verdict;
}

const optionsOf = ({ kid, anchor }: { kid: string; anchor: string }): Options => ({
  keys: [kid],
  anchors: [anchor].flatMap((line) => parseAnchor(line) ?? []),
});

let cases: Case[];
let options: Options;
beforeAll(async () => {
  const made = await makeCases();
  cases = made.cases;
  options = optionsOf(made);
});
const fileOf = (name: string) => Buffer.from(cases.find((one) => one.name === name)?.file ?? "");

/** What a verifier reads of a file. */
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
    console.log(
      `${cases.filter(({ expected }) => expected.includes(":")).length} forgeries: accepted 0`,
    );
  });

  it("is refused where its bytes are written down, in packages/receipt/testing/vectors.json", async () => {
    const { cases: written, ...rest } = VECTORS;
    const found: string[] = [];
    for (const { name, file } of written)
      found.push(`${name} | ${told(await verifyReceipt(file, optionsOf(rest)))}`);
    expect(found).toEqual(written.map(({ name, expected }) => `${name} | ${expected}`));
    expect(written.length).toBeGreaterThan(50);
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
      const { below } = new Chance(18);
      const reasons = new Map<string, number>();
      for (let count = 0; count < flips; count += 1) {
        const bit = below(8 * file.length);
        const flipped = Uint8Array.from(file);
        flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
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
