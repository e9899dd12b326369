import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { blocksOf, nameOf, PAGES } from "../pages/blocks.ts";
import { BLOCKS } from "../pages/list.ts";

describe.each(PAGES)("%s", (page) => {
  it("has every block typed by a test, or listed with the reason why not", () => {
    const rows = BLOCKS[page] ?? [];
    expect(blocksOf(page).map(nameOf)).toEqual(rows.map(([name]) => name));
    const tests = rows.map(([, where]) => (typeof where === "string" ? where : where.nearest));
    expect(tests.filter((test) => !existsSync(test))).toEqual([]);
  });
});

// A command that leaves its fence would no longer be typed.
it("has as many blocks as are listed", () => {
  const all = Object.values(BLOCKS).flat();
  const typed = all.filter(([, where]) => typeof where === "string");
  expect({ blocks: all.length, typed: typed.length }).toEqual({ blocks: 78, typed: 34 });
});
