import { expect, it } from "vitest";
import { follow, type LastRead } from "./follow.ts";

const MINUTE = 60_000;
type Reading = Pick<LastRead, "outcome" | "wait">;
const UNRESOLVABLE: Reading = { outcome: "unresolvable", wait: null };
const FOUND: Reading = { outcome: "found", wait: null };
const ABSENT: Reading = { outcome: "absent", wait: null };
const wait = { reason: "negative_cache", until: 5 * MINUTE } as const;
const CACHED: Reading = { outcome: "absent", wait };

/** Follows reads with these results, at most `stopAfter`, on a clock that only the waits move. */
async function run(
  results: Reading[],
  stopAfter = Number.POSITIVE_INFINITY,
  { watch = false, second = null as number | null } = {},
) {
  let now = 0;
  const interrupt = new AbortController();
  const reads: number[] = [];
  const announced: (number | null)[] = [];
  const last = await follow(
    {
      read: async () => {
        const reading = results[reads.length] ?? ABSENT;
        reads.push(now);
        return reading;
      },
      lastReadOf: (reading) => ({ ...reading, at: now, secondReadAt: second && now + second }),
      onRead: (_, nextAt) => announced.push(nextAt),
      waitUntil: async (at) => {
        now = at;
        if (reads.length >= stopAfter) interrupt.abort();
      },
      isLast: ({ outcome }) => !watch && outcome === "found",
      clock: () => now,
      random: () => 0.5,
    },
    interrupt.signal,
  );
  return { reads, announced, last };
}

it("reads every 15 seconds at first, then every minute, and ends on found", async () => {
  const results = [...Array.from({ length: 42 }, () => ABSENT), FOUND];
  const { reads, announced, last } = await run(results);
  const minutes = reads.map((at) => at / MINUTE);
  expect(minutes.slice(0, 41)).toEqual(Array.from({ length: 41 }, (_, i) => i / 4));
  expect([minutes.slice(41), announced.at(-1), last]).toEqual([[11, 12], null, FOUND]);
});

it("waits for the end of a negative answer, and longer while DNS cannot be read", async () => {
  const { reads } = await run([CACHED, UNRESOLVABLE, UNRESOLVABLE, ABSENT, FOUND]);
  const [, second = 0, third = 0, fourth = 0] = reads;
  expect(second).toBeGreaterThanOrEqual(5 * MINUTE);
  expect(second).toBeLessThan(5.2 * MINUTE);
  expect(third - second).toBe(MINUTE / 2);
  expect(fourth - third).toBe(MINUTE);
});

it("goes on after found where it watches, until it is interrupted", async () => {
  const { reads, last } = await run([FOUND, ABSENT], 4, { watch: true });
  expect([reads.length, last]).toEqual([4, ABSENT]);
});

it("C8.10: makes a second read at its moment, and announces only the schedule's next", async () => {
  const { reads, announced } = await run(Array(100).fill(ABSENT), 100, { second: MINUTE });
  const [before = 0, last = 0] = reads.slice(-2);
  expect(before).toBeGreaterThan(60 * MINUTE);
  expect(last - before).toBe(MINUTE);
  expect(announced.at(-1)).toBe(last + 5 * MINUTE);
});
