import { beforeEach, describe, expect, test } from "vitest";
import type { TimeInterval } from "#app/dns/resolve/time-source.ts";
import { createTimekeeper, type RunningTimekeeper, requireKnownTime } from "./timekeeper.server.ts";

const NOON = Date.UTC(2026, 0, 3, 12);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const { signal } = new AbortController();

let passed: number;
let off: number;
let witness: TimeInterval | null;
let roots: (TimeInterval | null)[];
let asked: number;
let logged: { fields: object; message: string }[];
let keeper: RunningTimekeeper;

beforeEach(() => {
  passed = 0;
  off = 30 * DAY;
  witness = null;
  roots = [null, null, null];
  asked = 0;
  logged = [];
  const tell = (fields: object, message: string) => void logged.push({ fields, message });
  keeper = createTimekeeper({
    wall: () => NOON + passed + off,
    elapsed: () => passed,
    uptime: () => passed / 1_000,
    others: [
      {
        name: "the Date of one",
        ask: async () => {
          asked += 1;
          return [witness];
        },
      },
      { name: "the roots", ask: async () => roots },
    ],
    log: { debug: tell, info: tell, warn: tell, error: tell },
  });
});

const at = (instant: number): TimeInterval => ({ from: instant, to: instant });
const isKnown = () => keeper.waitsFor() === null;

describe("a start 30 days after the database was last written", () => {
  beforeEach(() => keeper.resume(NOON));

  test("says to health, log and whoever asks for a date what it waits for", async () => {
    const sentence =
      "The system clock says 2026-02-02T12:00:00.000Z where 2026-01-03T12:00:00.000Z was expected: reads, expiry " +
      "and dating wait until one of these agrees with it: the Date of one, the roots, the operator (CLOCK_TRUSTED=on).";
    expect(keeper.waitsFor()).toBe(sentence);
    witness = at(NOON);
    await keeper.askOthers(signal);
    expect(logged.at(-1)).toEqual({
      message: sentence,
      fields: {
        sources: [
          {
            name: "the Date of one",
            times: ["2026-01-03T12:00:00.000Z/2026-01-03T12:00:00.000Z"],
          },
          { name: "the roots", times: [null, null, null] },
        ],
      },
    });
    expect(() => requireKnownTime({ timekeeper: keeper })).toThrow(
      /clock of this server may be wrong/,
    );
  });

  test("is over once a witness agrees to within an hour", async () => {
    witness = at(NOON + off - HOUR - 1);
    await keeper.askOthers(signal);
    expect(isKnown()).toBe(false);
    expect(keeper.now()).toBe(NOON);
    passed += MINUTE;
    witness = at(NOON + off + passed - HOUR);
    await keeper.askOthers(signal);
    expect(isKnown()).toBe(true);
    expect(keeper.now()).toBe(NOON + off + passed);
    expect(logged.at(-1)).toMatchObject({ fields: { by: "the Date of one" } });
    requireKnownTime({ timekeeper: keeper });
  });

  test("is over once most of the roots agree, one alone is not enough", async () => {
    roots = [at(NOON + off), at(NOON), null];
    await keeper.askOthers(signal);
    expect(isKnown()).toBe(false);
    passed += MINUTE;
    roots = [at(NOON + off), at(NOON), at(NOON + off)];
    await keeper.askOthers(signal);
    expect(isKnown()).toBe(true);
  });

  test("asks after 5 s, 10 s and ever longer, up to five minutes, however often it is looked at", async () => {
    const times: number[] = [];
    for (; passed < HOUR; passed += 1_000) {
      const before = asked;
      await keeper.askOthers(signal);
      if (asked > before) times.push(passed / 1_000);
    }
    expect(times.slice(0, 8)).toEqual([0, 5, 15, 35, 75, 155, 315, 615]);
    expect(times.at(-1)).toBeLessThanOrEqual(3_600);
    expect(times).toHaveLength(17);
  });

  test("asks at once when the clock is set again, and not at all once it is right", async () => {
    await keeper.askOthers(signal);
    passed += 1_000;
    off = 40 * DAY;
    await keeper.askOthers(signal);
    expect(asked).toBe(2);
    passed += 1_000;
    off = 0;
    await keeper.askOthers(signal);
    expect(asked).toBe(2);
    expect(isKnown()).toBe(true);
  });

  test("believes nobody who answers once the service is stopping", async () => {
    const stopping = new AbortController();
    witness = at(NOON + off);
    const asking = keeper.askOthers(stopping.signal);
    stopping.abort();
    await asking;
    expect(isKnown()).toBe(false);
  });
});

test("nobody is asked while nothing is in doubt", async () => {
  keeper.resume(NOON + off - DAY);
  await keeper.askOthers(signal);
  expect(asked).toBe(0);
});
