import { expect, it } from "vitest";
import { DeedError } from "#app/core/errors.server.ts";
import { problemOf } from "./page-errors.server.ts";

it.each([
  [1, "in 1 second."],
  [59, "in 59 seconds."],
  [900, "in 15 minutes."],
  [86_399, "in 24 hours."],
])("problemOf says of %i seconds %s, and leaves the header exact", (retryAfter, words) => {
  const { problem, status, headers } = problemOf(new DeedError("rate_limited", { retryAfter }));
  expect(problem.message).toContain(words);
  expect([status, headers.get("Retry-After")]).toEqual([429, String(retryAfter)]);
});

it("problemOf shows who may not do something beside the form; only another site's form is a page", () => {
  const { problem } = problemOf(new DeedError("not_first_address"));
  expect(problem.message).toMatch(/first address/);
  expect(() => problemOf(new DeedError("cross_origin"))).toThrow();
});
