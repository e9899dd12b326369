import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const ROUTES = `${import.meta.dirname}/../routes/`;
const pages = readdirSync(ROUTES)
  .filter((file) => file.endsWith(".tsx"))
  .map((file) => ({
    id: `routes/${file.slice(0, -4)}`,
    text: readFileSync(ROUTES + file, "utf8"),
  }));
const moving = pages.filter(({ text }) => /\blive: true\b|useTimedRevalidation\(/.test(text));

describe("pages that read themselves again", () => {
  it("are those that show what moves by itself", () => {
    expect(moving.map(({ id }) => id)).toEqual([
      "routes/claims.$id",
      "routes/domains.$id",
      "routes/domains._index",
      "routes/h.$slug",
      "routes/notices",
    ]);
  });
});
