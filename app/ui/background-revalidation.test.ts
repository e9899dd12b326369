import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const ROUTES = `${import.meta.dirname}/../routes/`;
const pages = readdirSync(ROUTES)
  .filter((file) => file.endsWith(".tsx"))
  .map((file) => ({
    id: `routes/${file.slice(0, -4)}`,
    text: readFileSync(ROUTES + file, "utf8"),
  }));
const moving = pages.filter(({ text }) => /\blive: true\b|useTimedRevalidation\(/.test(text));

it("pages that read themselves again are those that show what moves by itself", () => {
  expect(moving.map(({ id }) => id)).toEqual(
    ["domains.$id", "domains._index", "h.$slug", "notices", "sign-in.sent"].map(
      (id) => `routes/${id}`,
    ),
  );
});
