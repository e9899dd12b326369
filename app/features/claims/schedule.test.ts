import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DAY, HOUR, MINUTE, SECOND } from "#app/core/time.ts";
import { WAIT_REASONS } from "#db/schema.ts";
import {
  DEADLINE_LEAD_MS,
  extendFast,
  FAST_FOR_MS,
  FAST_PER_DAY_MS,
  nextRead,
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
  ...some,
});

const delay = (age: number, some: Partial<Timing> = {}, random = MIDDLE) =>
  nextRead(timing(some), OPENED + age, random) - (OPENED + age);

describe("C9.2: intervals by the claim's age", () => {
  test.each([
    [0, 10 * MINUTE, 15 * SECOND],
    [10 * MINUTE, HOUR, MINUTE],
    [HOUR, 6 * HOUR, 5 * MINUTE],
    [6 * HOUR, DAY, 15 * MINUTE],
    [DAY, 6 * DAY, HOUR],
  ])("from %i ms, before %i ms: every %i ms", (from, before, interval) => {
    expect([delay(from), delay(before - 1)]).toEqual([interval, interval]);
  });

  test("jitter is ten percent to either side", () => {
    expect([delay(0, {}, 0), delay(0, {}, 0.999999)]).toEqual([13_500, 16_500]);
  });
});

test.each([
  [0, 15 * SECOND],
  [1, 30 * SECOND],
  [2, MINUTE],
  [3, 2 * MINUTE],
  [4, 2 * MINUTE],
  [100, 2 * MINUTE],
])("C9.4: after %i failures in a row the interval is %i ms", (failures, interval) => {
  expect(delay(0, { failures })).toBe(interval);
});

// C9.10
test("while glances watch, what would come every 15 seconds comes once a minute, except after a wait", () => {
  const isGlanced = true;
  expect(delay(0, { isGlanced })).toBe(MINUTE);
  expect(delay(DAY, { isGlanced, fastUntil: OPENED + 2 * DAY })).toBe(MINUTE);
  expect(delay(DAY, { isGlanced })).toBe(HOUR);
  const ended = { waitReason: "negative_cache", waitUntil: OPENED } as const;
  expect(delay(0, { isGlanced, ...ended })).toBe(15 * SECOND);
});

test("a negative cache is waited out; nameservers that synchronise may have it at any minute", () => {
  const waitUntil = OPENED + 20 * MINUTE;
  const cached = { waitReason: "negative_cache", waitUntil } as const;
  expect(delay(0, cached, 0)).toBe(20 * MINUTE + SECOND);
  // At the end of the wait, even if reads are rare by then.
  expect(delay(19 * MINUTE + 50 * SECOND, cached, 0)).toBe(11 * SECOND);
  expect(delay(20 * MINUTE - SECOND, cached, 0)).toBe(7_500);
  expect(delay(20 * MINUTE, cached)).toBe(MINUTE);
  expect(delay(0, { waitReason: "nameserver_sync", waitUntil })).toBe(15 * SECOND);
  // Nobody can know either when a resolver forgets a delegation.
  expect(delay(0, { ...cached, waitObserved: '{"held":"delegation"}' })).toBe(15 * SECOND);
});

// C9.3
const deadline = OPENED + WINDOW_MS;
const lastRead = deadline - DEADLINE_LEAD_MS;

const wait = { waitReason: "negative_cache", waitUntil: deadline + DAY } as const;
test.each([
  ["the last read is brought forward to just before it", {}, lastRead - MINUTE, lastRead],
  ["a wait does not postpone the last read", wait, deadline - HOUR, lastRead],
  ["after the last read only the window's end is left", {}, lastRead, deadline],
])("the deadline: %s", (_, some, now, next) => {
  expect(nextRead(timing(some), now, MIDDLE)).toBe(next);
});

test("properties: in the future, never past the deadline read, never faster than 13.5 seconds, or 7.5 as a wait ends", () => {
  const reasons = fc.constantFrom(null, ...WAIT_REASONS);
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
        const last = deadline - DEADLINE_LEAD_MS;
        const next = nextRead(timing(some), now, random);
        const least = some.waitReason === "negative_cache" ? 7_500 : 13_500;
        expect(Number.isInteger(next)).toBe(true);
        expect(next).toBeGreaterThanOrEqual(now < last ? Math.min(now + least, last) : now + 1);
        expect(next).toBeLessThanOrEqual(now < last ? last : deadline);
      },
    ),
    { numRuns: 2_000 },
  );
});

describe("C9.5: fast reads", () => {
  type State = Parameters<typeof extendFast>[0];
  const never: State = { createdAt: OPENED, fastUntil: null, fastDay: null, fastMs: 0 };
  const then = (state: State, now: number): State => ({ ...state, ...extendFast(state, now) });

  test("follow a forced run for ten minutes", () => {
    const now = OPENED + 2 * DAY;
    const fast = then(never, now);
    expect(fast.fastUntil).toBe(now + 10 * MINUTE);
    expect(delay(2 * DAY, fast)).toBe(15 * SECOND);
    expect(delay(2 * DAY + 10 * MINUTE, fast)).toBe(HOUR);
  });

  test("that are used up come again the next day", () => {
    const morning = Math.floor(OPENED / DAY) * DAY + DAY;
    const spent = { ...never, fastDay: morning / DAY, fastMs: FAST_PER_DAY_MS };
    expect(extendFast(spent, morning + 5 * HOUR)).toBeNull();
    const next = { fastMs: FAST_FOR_MS, fastUntil: morning + DAY + FAST_FOR_MS };
    expect(extendFast(spent, morning + DAY)).toMatchObject(next);
  });

  test("cost nothing while every claim is read fast, nor where they are kept already", () => {
    expect(extendFast(never, OPENED)).toBeNull();
    expect(extendFast(never, OPENED + 9 * MINUTE)).toMatchObject({ fastMs: 9 * MINUTE });
    expect(extendFast(then(never, OPENED + DAY), OPENED + DAY + SECOND)).toBeNull();
  });

  test("properties: a day never has more of them than its budget", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(3 * HOUR), { maxLength: 60 }), (steps) => {
        let [state, now] = [never, OPENED + DAY];
        const used = new Map<number, number>();
        for (const after of steps) {
          now += after;
          const added = extendFast(state, now);
          if (!added) continue;
          const from = Math.max(now, state.fastUntil ?? 0);
          used.set(added.fastDay, (used.get(added.fastDay) ?? 0) + added.fastUntil - from);
          state = { ...state, ...added };
        }
        for (const ms of used.values()) expect(ms).toBeLessThanOrEqual(FAST_PER_DAY_MS);
      }),
    );
  });
});
