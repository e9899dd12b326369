import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { beforeEach, expect, it } from "vitest";
import { tearPages } from "../tests/support/torn-pages.ts";
import { damageOf } from "./damage.ts";
import { testFile } from "./testing.files.ts";

let path: string;
beforeEach(() => {
  const { db, path: file } = testFile();
  db.$client.pragma("journal_mode = DELETE");
  path = file;
});

it("is seen in a page that was overwritten, and is nothing before", () => {
  expect(damageOf(path)).toBeNull();
  expect(tearPages(path, "domains")).toBe(1);
  expect(damageOf(path)).toMatch(/page \d+/);
});

it("is seen in what every other page depends on", () => {
  const file = openSync(path, "r+");
  writeSync(file, Buffer.alloc(2_000, 0xa5), 0, 2_000, 100);
  closeSync(file);
  expect(damageOf(path)).toMatch(/malformed|not a database/);
});

it("is not what a missing file is told to be", () => {
  rmSync(path);
  expect(() => damageOf(path)).toThrow(/unable to open/);
});
