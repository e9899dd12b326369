import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DAY, HOUR, MINUTE, SECOND } from "#app/core/time.ts";
import {
  DEADLINE_LEAD_MS,
  FAST_FOR_MS,
  nextRead,
  openFastReads,
  type Timing,
  WINDOW_MS,
} from "./transition.ts";

const OPENED = 1_000_000_000_000;
const MIDDLE = 0.5;

const timing = (some: Partial<Timing> = {}): Timing => ({
  createdAt: OPENED,
  deadline: OPENED + WINDOW_MS,
  lastRunAt: OPENED,
  waitReason: null,
  waitUntil: null,
  failures: 0,
  fastUntil: null,
  secondReadAt: null,
  ...some,
});

const delay = (age: number, some: Partial<Timing> = {}, random = MIDDLE) =>
  nextRead(timing(some), OPENED + age, random) - (OPENED + age);

// C9.2
describe("intervals by the claim's age", () => {
  test.each([
    [0, MINUTE],
    [10 * MINUTE - 1, MINUTE],
    [10 * MINUTE, 5 * MINUTE],
    [HOUR - 1, 5 * MINUTE],
    [HOUR, 15 * MINUTE],
    [6 * HOUR - 1, 15 * MINUTE],
    [6 * HOUR, 30 * MINUTE],
    [DAY - 1, 30 * MINUTE],
    [DAY, HOUR],
    [6 * DAY, HOUR],
  ])("at %i ms: every %i ms", (age, interval) => {
    expect(delay(age)).toBe(interval);
  });

  test("jitter is ten percent to either side", () => {
    expect(delay(0, {}, 0)).toBe(54 * SECOND);
    expect(delay(0, {}, 0.999999)).toBe(66 * SECOND);
  });
});

// C9.4
test.each([
  [0, MINUTE],
  [1, 2 * MINUTE],
  [2, 4 * MINUTE],
  [3, 8 * MINUTE],
  [4, 8 * MINUTE],
  [100, 8 * MINUTE],
])("after %i failures in a row the interval is %i ms", (failures, interval) => {
  expect(delay(0, { failures })).toBe(interval);
});

describe("waits", () => {
  test("a negative cache is waited out, even past the interval", () => {
    const waitUntil = OPENED + 20 * MINUTE;
    const next = nextRead(timing({ waitReason: "negative_cache", waitUntil }), OPENED, 0);
    expect(next).toBe(waitUntil);
  });

  test("nameservers that synchronise are read as usual: any of them may have it by now", () => {
    const waitUntil = OPENED + 20 * MINUTE;
    expect(delay(0, { waitReason: "nameserver_sync", waitUntil })).toBe(MINUTE);
  });
});

// C9.3
describe("the deadline", () => {
  const deadline = OPENED + WINDOW_MS;
  const lastRead = deadline - DEADLINE_LEAD_MS;

  const wait = { waitReason: "negative_cache", waitUntil: deadline + DAY } as const;
  test.each([
    ["the last read is brought forward to just before it", {}, lastRead - MINUTE, lastRead],
    ["a wait does not postpone the last read", wait, deadline - HOUR, lastRead],
    ["after the last read only the window's end is left", {}, lastRead, deadline],
  ])("%s", (_, some, now, next) => {
    expect(nextRead(timing(some), now, MIDDLE)).toBe(next);
  });
});

test("properties: in the future, never past the deadline read, never faster than 54 seconds", () => {
  const reasons = fc.constantFrom(
    null,
    "first_check",
    "retry",
    "negative_cache",
    "nameserver_sync",
  );
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: WINDOW_MS - 1 }),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      fc.record({
        failures: fc.nat(20),
        waitReason: reasons,
        waitUntil: fc.integer({ min: OPENED, max: OPENED + 2 * WINDOW_MS }),
        fastUntil: fc.option(fc.integer({ min: OPENED, max: OPENED + WINDOW_MS })),
      }),
      (age, random, some) => {
        const now = OPENED + age;
        const deadline = OPENED + WINDOW_MS;
        const next = nextRead(timing(some), now, random);
        expect(Number.isInteger(next)).toBe(true);
        expect(next).toBeGreaterThan(now);
        expect(next).toBeLessThanOrEqual(deadline);
        if (now < deadline - DEADLINE_LEAD_MS) {
          expect(next).toBeLessThanOrEqual(deadline - DEADLINE_LEAD_MS);
          const earliest = Math.min(now + 54 * SECOND, deadline - DEADLINE_LEAD_MS);
          expect(next).toBeGreaterThanOrEqual(earliest);
        }
      },
    ),
    { numRuns: 2_000 },
  );
});

// C9.5
describe("a forced run", () => {
  const never = { fastUntil: null, fastDay: null, fastCount: 0 };

  test("makes ten minutes fast again", () => {
    const now = OPENED + 2 * DAY;
    const fast = openFastReads(never, now);
    expect(fast.fastUntil).toBe(now + FAST_FOR_MS);
    expect(delay(2 * DAY, fast)).toBe(MINUTE);
    expect(delay(2 * DAY + FAST_FOR_MS, fast)).toBe(HOUR);
  });

  test("does so three times a day, and again the next day", () => {
    let state: Parameters<typeof openFastReads>[0] = never;
    const morning = Math.floor(OPENED / DAY) * DAY + DAY;
    for (let i = 0; i < 3; i++) state = openFastReads(state, morning + i * HOUR);
    expect(openFastReads(state, morning + 4 * HOUR)).toEqual(state);
    expect(openFastReads(state, morning + DAY)).toMatchObject({
      fastCount: 1,
      fastUntil: morning + DAY + FAST_FOR_MS,
    });
  });
});

// C9.7
describe("the second read of a record whose nameservers do not all answer", () => {
  const at = OPENED + 6 * HOUR;
  const secondReadAt = at + 3 * MINUTE;

  test("comes at its moment, whatever the interval by age is", () => {
    expect(nextRead(timing({ secondReadAt }), at, MIDDLE)).toBe(secondReadAt);
    const after = nextRead(timing({ secondReadAt }), secondReadAt, MIDDLE);
    expect(after).toBe(secondReadAt + 30 * MINUTE);
  });

  test("is not made with less than five minutes left", () => {
    const deadline = at + 5 * MINUTE;
    expect(nextRead(timing({ secondReadAt, deadline }), at, MIDDLE)).toBe(secondReadAt);
    const late = timing({ secondReadAt, deadline: deadline - 1 });
    expect(nextRead(late, at, MIDDLE)).toBe(deadline - 1);
  });
});
