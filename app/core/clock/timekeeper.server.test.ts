import { beforeEach, describe, expect, test } from "vitest";
import { DAY, HOUR, MINUTE } from "../time.ts";
import { createTimekeeper, requireKnownTime } from "./timekeeper.server.ts";

const NOON = Date.UTC(2026, 0, 3, 12);
const { signal } = new AbortController();

let [passed, off, asked] = [0, 0, 0];
let witness: number | null;
let logged: [fields: object, message: string][];
let keeper: ReturnType<typeof createTimekeeper>;

beforeEach(() => {
  [passed, off, asked] = [0, 30 * DAY, 0];
  witness = null;
  logged = [];
  const tell = (...line: (typeof logged)[number]) => void logged.push(line);
  keeper = createTimekeeper({
    wall: () => NOON + passed + off,
    elapsed: () => passed,
    uptime: () => passed / 1_000,
    otherSources: [
      { name: "the Date of one", ask: async () => (++asked ? witness : null) },
      { name: "the Date of two", ask: async () => null },
    ],
    log: { debug: tell, info: tell, warn: tell, error: tell },
  });
});

const isKnown = () => keeper.reasonToWait() === null;

describe("a start 30 days after the database was last written", () => {
  beforeEach(() => keeper.resume(NOON));

  test("says to health, log and whoever asks for a date what it waits for", async () => {
    const sentence =
      "The system clock says 2026-02-02T12:00:00.000Z, but Deed expected 2026-01-03T12:00:00.000Z: checks and expiry " +
      "wait until one of these agrees with it: the Date of one, the Date of two, the operator (CLOCK_TRUSTED=on).";
    expect(keeper.reasonToWait()).toBe(sentence);
    witness = NOON;
    await keeper.askOtherSources(signal);
    const sources = [
      { name: "the Date of one", date: "2026-01-03T12:00:00.000Z" },
      { name: "the Date of two", date: null },
    ];
    expect(logged.at(-1)).toEqual([{ sources }, sentence]);
    expect(() => requireKnownTime({ timekeeper: keeper })).toThrow(/server’s clock may be wrong/);
  });

  test("is over once a witness agrees to within an hour", async () => {
    witness = NOON + off - HOUR - 1;
    await keeper.askOtherSources(signal);
    expect(isKnown()).toBe(false);
    expect(keeper.now()).toBe(NOON);
    passed += MINUTE;
    witness = NOON + off + passed - HOUR;
    await keeper.askOtherSources(signal);
    expect(isKnown()).toBe(true);
    expect(keeper.now()).toBe(NOON + off + passed);
    expect(logged.at(-1)).toMatchObject([{ by: "the Date of one" }, expect.any(String)]);
    requireKnownTime({ timekeeper: keeper });
  });

  test("asks at once and then once a minute, however often it is looked at", async () => {
    for (; passed < HOUR; passed += 1_000) await keeper.askOtherSources(signal);
    expect(asked).toBe(60);
  });

  test("asks no more once the clock is right", async () => {
    await keeper.askOtherSources(signal);
    passed += MINUTE;
    off = 0;
    await keeper.askOtherSources(signal);
    expect(asked).toBe(1);
    expect(isKnown()).toBe(true);
  });

  test("believes nobody who answers once the service is stopping", async () => {
    const stopping = new AbortController();
    witness = NOON + off;
    const asking = keeper.askOtherSources(stopping.signal);
    stopping.abort();
    await asking;
    expect(isKnown()).toBe(false);
  });
});
