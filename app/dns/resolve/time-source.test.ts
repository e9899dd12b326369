import { expect, test } from "vitest";
import { agreesWith } from "./time-source.ts";

const NOON = Date.UTC(2026, 0, 3, 12);
const HOUR = 3_600_000;
const noon = { from: NOON, to: NOON + 1_000 };

test.each<[string, number, boolean]>([
  ["the time itself", NOON, true],
  ["an hour behind", NOON - HOUR, true],
  ["an hour ahead", NOON + 1_000 + HOUR, true],
  ["further behind", NOON - HOUR - 1, false],
  ["further ahead", NOON + 1_000 + HOUR + 1, false],
])("a clock at %s", (_, clock, agrees) => {
  expect(agreesWith(clock, [noon])).toBe(agrees);
});

test("more than half of those asked must agree, including silent ones", () => {
  const other = { from: 0, to: 1 };
  expect(agreesWith(NOON, [noon, noon, other])).toBe(true);
  expect(agreesWith(NOON, [noon, noon, null])).toBe(true);
  expect(agreesWith(NOON, [noon, other, null])).toBe(false);
  expect(agreesWith(NOON, [noon, other])).toBe(false);
  expect(agreesWith(NOON, [null])).toBe(false);
  expect(agreesWith(NOON, [])).toBe(false);
});
