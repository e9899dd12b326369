import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { expect, it } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");
const SOURCES = ["app", "bin", "db", "packages", "scripts", "tests", "worker"];

/** Names of all source files, without folders. */
const names = new Set(
  SOURCES.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }),
  ).map((path) => basename(path)),
);

const exists = (path: string) => existsSync(join(ROOT, path));
const pagesIn = (folder: string) =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(folder, name));

it.each(
  [
    ".",
    "docs",
    "docs/decisions",
    "docs/integrate",
    "docs/operate",
    "docs/pages",
    "docs/pages/rules",
    "tests/evidence",
  ].flatMap(pagesIn),
)("%s names only files that exist", (page) => {
  const text = readFileSync(join(ROOT, page), "utf8");
  const paths =
    text.match(
      /(?<=`)(app|bin|db|packages|worker|tests|scripts|docs|examples|\.ci)\/[\w./$-]+(?=`)/g,
    ) ?? [];
  const bare = text.match(/(?<=`)[\w.$-]+\.tsx?(?=`)/g) ?? [];
  const links = [...text.matchAll(/\]\((?!https?:|[#/])([^)#]+)/g)].map(
    ([, target = ""]) => target,
  );
  expect([
    ...paths.filter((path) => !exists(path)),
    ...bare.filter((name) => !names.has(name)),
    ...links.filter((target) => !exists(join(dirname(page), target))),
  ]).toEqual([]);
});

it("lists at most thirty decisions, each of at most 160 words", () => {
  const index = readFileSync(join(ROOT, "docs/decisions/README.md"), "utf8");
  const linked = [...index.matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, name = ""]) => name);
  const decisions = pagesIn("docs/decisions").filter((page) => !page.endsWith("/README.md"));
  expect(linked.sort()).toEqual(decisions.map((page) => basename(page)).sort());
  const wordsOf = (page: string) => readFileSync(join(ROOT, page), "utf8").trim().split(/\s+/);
  expect(decisions.filter((page) => wordsOf(page).length > 160)).toEqual([]);
  expect(decisions.length).toBeLessThanOrEqual(30);
});

it("docs/README.md leads to every page, by at most five steps for each reader", () => {
  const map = readFileSync(join(ROOT, "docs/README.md"), "utf8");
  const linked = [...map.matchAll(/\]\(([\w/-]+\.md)\)/g)].map(([, name = ""]) => `docs/${name}`);
  const pages = ["docs", "docs/operate", "docs/integrate", "docs/pages"].flatMap(pagesIn);
  expect(pages.filter((page) => !linked.includes(page) && page !== "docs/README.md")).toEqual([]);
  const readers = map.split(/^\*\*/m).slice(1);
  expect(readers.length).toBe(6);
  expect(readers.filter((list) => (list.match(/^\d\./gm) ?? []).length > 5)).toEqual([]);
});
