import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { blocksOf, PAGES } from "../pages/blocks.ts";
import { BLOCKS } from "../pages/list.ts";

it.each(PAGES)("%s has every block typed by a test, or listed with the reason why not", (page) => {
  const all = BLOCKS.get(page) ?? [];
  expect(blocksOf(page)).toHaveLength(all.length);
  const tests = all.map((where) => ("typed" in where ? where.typed : where.nearest));
  expect(tests.filter((test) => !existsSync(test))).toEqual([]);
});
