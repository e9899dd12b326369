import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { testApp } from "#app/features/sign-in/testing.ts";
import { searchDocs } from "./search.server.ts";

it.each([
  ["too_many_claims", "/docs/errors#too_many_claims"],
  ["prove a domain", "/docs/integrate/python"],
  ["list limits", "/docs/api/account#listLimits"],
  ["GoDaddy", "/docs/providers/godaddy"],
  ["extra quotation marks", "/docs/diagnoses/value_formatted"],
  ["record_absent", "/docs/diagnoses/record_absent"],
  ["express", "/docs/integrate/gate"],
  ["restoring a backup", "/docs/operate/backup"],
])("the search for %s finds %s", (query, to) => {
  expect(searchDocs(testApp(), query).results.map((one) => one.to)).toContain(to);
});

it("shows a title and a sentence of each, without leftovers of its markup", () => {
  for (const query of ["domain", "too many", "restore", "deed_reads_total", "the record"])
    for (const { title, excerpt } of searchDocs(testApp(), query).results) {
      expect(title.length).toBeLessThan(60);
      expect(excerpt.length, excerpt).toBeLessThan(400);
      expect(excerpt.replace(/`[^`]*`/g, "name")).not.toMatch(/[*|`#]|^[- ]|\]\(| [,.]/);
    }
});

it.each([" ", "qqqqq", "<b>"])("finds nothing for %j", (query) => {
  expect(searchDocs(testApp(), query)).toEqual({ count: 0, results: [] });
});

it("counts all that it finds, and gives the first twenty", () => {
  const { count, results } = searchDocs(testApp(), "domain");
  expect([count > 20, results.length]).toEqual([true, 20]);
});

it("leads to no page for operators that is not served under its title", () => {
  const served = readFileSync("app/features/docs/view/pages.ts", "utf8");
  for (const name of globSync("docs/operate/*.md")) {
    const [, title] = /^# (.*)/.exec(readFileSync(name, "utf8")) ?? [];
    expect(served).toContain(`"${name.slice("docs/".length, -".md".length)}": { title: "${title}"`);
  }
});
