import { beforeEach, describe, expect, test } from "vitest";
import { DAY, HOUR, MINUTE } from "../time.ts";
import { steadyClock } from "./timekeeper.server.ts";

const NOON = Date.UTC(2026, 0, 3, 12);

let [passed, setBy, slept] = [0, 0, 0];
let told: [number, boolean][];
let steady: ReturnType<typeof steadyClock>;
const clock = () => steady.now();
/** What the clock says once that much time has passed. */
const clockIn = (ms: number) => {
  passed += ms;
  return clock();
};

const start = (isTrusted = false) =>
  steadyClock({
    wall: () => NOON + passed + setBy + slept,
    elapsed: () => passed,
    uptime: () => (passed + slept) / 1000,
    isTrusted,
    onStep: (by, isFollowed) => told.push([by, isFollowed]),
  });

beforeEach(() => {
  passed = setBy = slept = 0;
  told = [];
  steady = start();
});

test("follows the system's clock, small corrections among it", () => {
  expect(clockIn(30_000)).toBe(NOON + 30_000);
  setBy -= 500;
  expect(clock()).toBe(NOON + 29_500);
  passed += 3_600_000;
  setBy += 40_000;
  expect(clock()).toBe(NOON + 3_669_500);
  expect(told).toEqual([]);
});

const NEAR = [DAY, -4 * MINUTE];

test.each([...NEAR, 8 * DAY, -8 * DAY])("a step of %i that is taken back is never seen", (by) => {
  setBy += by;
  expect(clock()).toBe(NOON);
  expect(clockIn(4 * MINUTE)).toBe(NOON + 4 * MINUTE);
  setBy -= by;
  expect(clockIn(MINUTE)).toBe(NOON + 5 * MINUTE);
  expect(told).toEqual([[by, false]]);
  expect(steady.doubt()).toBeNull();
});

test.each(NEAR)("a step of %i that stands for five minutes is followed", (by) => {
  setBy += by;
  clock();
  expect(steady.doubt()).toBeNull();
  expect(clockIn(5 * MINUTE)).toBe(NOON + 5 * MINUTE + by);
  expect(clock()).toBe(NOON + 5 * MINUTE + by);
  expect(told).toEqual([
    [by, false],
    [by, true],
  ]);
});

test("another step begins the wait anew", () => {
  setBy += HOUR;
  clock();
  passed += 4 * MINUTE;
  setBy += HOUR;
  clock();
  expect(clockIn(4 * MINUTE)).toBe(NOON + 8 * MINUTE);
  expect(clockIn(MINUTE)).toBe(NOON + 9 * MINUTE + 2 * HOUR);
});

test("a machine that slept is followed at once", () => {
  slept += DAY;
  expect(clock()).toBe(NOON + DAY);
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

describe("a step too far for the system's own word", () => {
  test.each([2 * DAY + MINUTE, 30 * DAY, -400 * DAY])(
    "of %i is not followed, however long it stands, until somebody vouches for it",
    (by) => {
      setBy += by;
      expect(clock()).toBe(NOON);
      passed += 5 * MINUTE - 1;
      expect(steady.doubt()).toBeNull();
      expect(clockIn(HOUR / 2 - 5 * MINUTE + 1)).toBe(NOON + HOUR / 2);
      expect(steady.doubt()).toEqual({ wall: NOON + HOUR / 2 + by, expected: NOON + HOUR / 2 });
      expect(told).toEqual([[by, false]]);
      steady.vouch();
      expect(clock()).toBe(NOON + HOUR / 2 + by);
      expect(steady.doubt()).toBeNull();
    },
  );

  test("leaves the time in doubt, whichever other step comes", () => {
    setBy -= 400 * DAY;
    steady.resume(NOON);
    expect(steady.doubt()).not.toBeNull();
    setBy += 300 * DAY;
    expect(steady.doubt()).toEqual({ wall: NOON - 100 * DAY, expected: NOON });
  });

  test("is one at once where the machine slept", () => {
    slept += 3 * DAY;
    expect(clock()).toBe(NOON);
    expect(steady.doubt()).not.toBeNull();
  });

  test("is a step like any other where the operator vouches for the clock", () => {
    steady = start(true);
    setBy += 30 * DAY;
    expect(clock()).toBe(NOON);
    expect(clockIn(5 * MINUTE)).toBe(NOON + 30 * DAY + 5 * MINUTE);
    expect(steady.doubt()).toBeNull();
  });
});

describe("at the start", () => {
  test("up to two days after the newest time of the database are followed at once", () => {
    steady.resume(NOON - 2 * DAY);
    expect(clock()).toBe(NOON);
    expect(steady.doubt()).toBeNull();
    expect(told).toEqual([]);
  });

  test("more than two days after it, time goes on from there", () => {
    steady.resume(NOON - 2 * DAY - 1);
    expect(clockIn(MINUTE)).toBe(NOON - 2 * DAY - 1 + MINUTE);
    expect(steady.doubt()).not.toBeNull();
    steady.vouch();
    expect(clock()).toBe(NOON + MINUTE);
  });

  test("that time is a floor: a little before it, time stands until it is caught up", () => {
    steady.resume(NOON + 4 * MINUTE);
    expect(clock()).toBe(NOON + 4 * MINUTE);
    expect(steady.doubt()).toBeNull();
    expect(clockIn(3 * MINUTE)).toBe(NOON + 4 * MINUTE);
    expect(clockIn(2 * MINUTE)).toBe(NOON + 5 * MINUTE);
  });

  test("further before it, the clock is believed once it has caught up, or vouched for", () => {
    steady.resume(NOON + HOUR);
    expect(clock()).toBe(NOON + HOUR);
    expect(steady.doubt()).not.toBeNull();
    expect(clockIn(56 * MINUTE)).toBe(NOON + HOUR);
    expect(steady.doubt()).toBeNull();
    expect(clockIn(HOUR)).toBe(NOON + HOUR + 56 * MINUTE);
  });

  test("a clock that is set right is believed by itself, since it would have been at the start", () => {
    setBy = -400 * DAY;
    steady = start();
    steady.resume(NOON);
    expect(steady.doubt()).not.toBeNull();
    passed += MINUTE;
    setBy = DAY;
    expect(clock()).toBe(NOON + DAY + MINUTE);
    expect(steady.doubt()).toBeNull();
  });

  test.each([30 * DAY, -400 * DAY])("the operator's word is enough, %i off", (by) => {
    steady = start(true);
    steady.resume(NOON - by);
    expect(clock()).toBe(NOON);
    expect(steady.doubt()).toBeNull();
  });
});
