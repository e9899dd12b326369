import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { hasTest } from "../support/has-test.ts";

const CELLS = /^\| ([\d., ]+) \| (.+?) \| (yes|in part|no|not used|others) \| (.+) \|$/;
const NAMED = /`([a-z][^`]*\.ts)`: (.+)$/;

const rows = readFileSync("tests/evidence/conformance.md", "utf8")
  .split("\n")
  .filter((line) => /^\| \d/.test(line));
const read = rows.map((row) => {
  const [, section = "", , stands = "", why = ""] = CELLS.exec(row) ?? [];
  const [, file = "", title = ""] = NAMED.exec(why) ?? [];
  return { row, section, stands, file, title };
});

it("every row of tests/evidence/conformance.md has a section, and says where Deed stands", () => {
  expect(rows.length).toBeGreaterThan(40);
  expect(read.filter(({ section }) => section === "")).toEqual([]);
});

it("every test that tests/evidence/conformance.md names is there, and each yes names one", () => {
  const isGone = ({ row, stands, file, title }: (typeof read)[number]) =>
    file === "" ? stands === "yes" || row.includes(".ts`") : !hasTest(file, title);
  expect(read.filter(isGone).map(({ row }) => row)).toEqual([]);
});
