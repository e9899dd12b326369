import { beforeEach, expect, test } from "vitest";
import { steadyClock } from "./steady-clock.ts";

const NOON = Date.UTC(2026, 0, 3, 12);
const MINUTE = 60_000;
const DAYS = 8 * 24 * 60 * MINUTE;

let passed: number;
let setBy: number;
let slept: number;
let told: [number, boolean][];
let clock: () => number;

beforeEach(() => {
  passed = 0;
  setBy = 0;
  slept = 0;
  told = [];
  clock = steadyClock({
    wall: () => NOON + passed + setBy + slept,
    elapsed: () => passed,
    uptime: () => (passed + slept) / 1000,
    onStep: (by, isFollowed) => told.push([by, isFollowed]),
  });
});

test("follows the system's clock, small corrections among it", () => {
  passed += 30_000;
  expect(clock()).toBe(NOON + 30_000);
  setBy -= 500;
  expect(clock()).toBe(NOON + 29_500);
  passed += 3_600_000;
  setBy += 40_000;
  expect(clock()).toBe(NOON + 3_669_500);
  expect(told).toEqual([]);
});

test.each([DAYS, -DAYS])("a step of %i that is taken back is never seen", (by) => {
  setBy += by;
  expect(clock()).toBe(NOON);
  passed += 4 * MINUTE;
  expect(clock()).toBe(NOON + 4 * MINUTE);
  setBy -= by;
  passed += MINUTE;
  expect(clock()).toBe(NOON + 5 * MINUTE);
  expect(told).toEqual([[by, false]]);
});

test.each([DAYS, -DAYS])("a step of %i that stands for five minutes is followed", (by) => {
  setBy += by;
  clock();
  passed += 5 * MINUTE;
  expect(clock()).toBe(NOON + 5 * MINUTE + by);
  expect(clock()).toBe(NOON + 5 * MINUTE + by);
  expect(told).toEqual([
    [by, false],
    [by, true],
  ]);
});

test("another step begins the wait anew", () => {
  setBy += DAYS;
  clock();
  passed += 4 * MINUTE;
  setBy += DAYS;
  clock();
  passed += 4 * MINUTE;
  expect(clock()).toBe(NOON + 8 * MINUTE);
  passed += MINUTE;
  expect(clock()).toBe(NOON + 9 * MINUTE + 2 * DAYS);
});

test("a machine that slept is followed at once", () => {
  slept += DAYS;
  expect(clock()).toBe(NOON + DAYS);
  expect(told).toEqual([]);
});

test("never runs backwards by itself", () => {
  let before = clock();
  for (let i = 0; i < 10_000; i++) {
    passed += 700;
    const now = clock();
    expect(now).toBeGreaterThanOrEqual(before);
    before = now;
  }
});
