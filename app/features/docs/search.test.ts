import { expect, it } from "vitest";
import { testApp } from "#app/features/sign-in/testing.ts";
import { searchDocs } from "./search.server.ts";

it.each([
  ["too_many_claims", "/docs/errors#too_many_claims"],
  ["prove a domain", "/docs/integrate/python"],
  ["list limits", "/docs/api/account#listLimits"],
  ["GoDaddy", "/docs/providers/godaddy"],
  ["express", "/docs/integrate/gate"],
])("the search for %s finds %s", (query, to) => {
  expect(searchDocs(testApp(), query).map((one) => one.to)).toContain(to);
});

it("shows a title and a few words of each", () => {
  for (const { title, excerpt } of searchDocs(testApp(), "domain"))
    expect([title.length < 60, excerpt.length <= 160]).toEqual([true, true]);
});

it("finds nothing for nothing, and what has every word", () => {
  expect(searchDocs(testApp(), " ")).toEqual([]);
  expect(searchDocs(testApp(), "qqqqq")).toEqual([]);
  expect(searchDocs(testApp(), "<b>")).toEqual([]);
});
