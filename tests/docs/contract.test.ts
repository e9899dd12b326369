import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { SENTENCES } from "../contract/sentences.ts";

const ROOT = resolve(import.meta.dirname, "../..");

/** The service has nothing to test here. */
const RULES_FOR_CLIENTS = ["C2.2"];

const testFiles = (folder: string) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.(test|spec)\.tsx?$/.test(file) && !file.includes("node_modules"))
    .map((file) => join(folder, file));

const cited = new Map<string, string[]>();
const folders = ["app", "bin", "db", "packages", "scripts", "tests", "worker"];
for (const file of folders.flatMap(testFiles)) {
  if (file.endsWith("docs/contract.test.ts")) continue;
  const text = readFileSync(join(ROOT, file), "utf8");
  for (const id of new Set(text.match(/\bC\d+\.\d+\b/g) ?? []))
    cited.set(id, [...(cited.get(id) ?? []), file]);
}

describe("docs/contract.md", () => {
  it("numbers its sentences without repeats or gaps", () => {
    const sections = new Set<string>();
    let expected: [section: number, sentence: number] = [0, 0];
    for (const { id } of SENTENCES) {
      const [section = "", sentence = ""] = id.slice(1).split(".");
      if (!sections.has(section)) expected = [expected[0] + 1, 0];
      sections.add(section);
      expected[1] += 1;
      expect(`${section}.${sentence}`).toBe(expected.join("."));
    }
    expect(SENTENCES.length).toBeGreaterThan(200);
  });

  it("has every sentence that a test cites", () => {
    const known = new Set(SENTENCES.map(({ id }) => id));
    expect([...cited].filter(([id]) => !known.has(id))).toEqual([]);
  });

  it("has every sentence cited by a test", () => {
    const without = SENTENCES.map(({ id }) => id).filter((id) => !cited.has(id));
    console.log(`${without.length} of ${SENTENCES.length} sentences are cited by no test`);
    expect(without).toEqual(RULES_FOR_CLIENTS);
  });
});
