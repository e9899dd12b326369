import { expect, it } from "vitest";
import { dateInWords, durationInWords, joinList } from "./wording.ts";

it.each([
  [[], ""],
  [["a"], "a"],
  [["a", "b"], "a and b"],
  [["a", "b", "c"], "a, b and c"],
  [["a", "b", "c", "d"], "a, b, c and d"],
  [["a", "b", "c", "d", "e", "f"], "a, b, c, d and 2 more"],
])("joinList says %j as %j", (items, words) => {
  expect(joinList(items)).toBe(words);
});

it.each([
  [-1, "a moment"],
  [0, "a moment"],
  [1, "1 second"],
  [59, "59 seconds"],
  [60, "1 minute"],
  [61, "2 minutes"],
  [3570, "1 hour"],
  [3600, "1 hour"],
  [3601, "61 minutes"],
  [7200, "2 hours"],
  [86_400, "24 hours"],
  [604_800, "7 days"],
])("durationInWords says %d seconds as %j", (seconds, words) => {
  expect(durationInWords(seconds)).toBe(words);
});

it("dateInWords is the day in UTC", () => {
  expect(dateInWords("2026-03-12T23:59:59.999Z")).toBe("12 March 2026");
});
