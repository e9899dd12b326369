import { explain } from "@deed/dns";
import { observation, on, TOKEN, values } from "@deed/dns/testing/observations.ts";
import { progressOf } from "@deed/dns/testing/verdicts.ts";
import type { Decision } from "@deed/dns/verdict/diagnosis.ts";
import { UNREAD } from "@deed/dns/verdict/history.ts";
import type { Observation } from "@deed/dns/verdict/observation.ts";
import { expect, it } from "vitest";
import { follow } from "./follow.ts";

const MINUTE = 60_000;
const UNRESOLVABLE: Decision = { outcome: "unresolvable" };
const FOUND: Decision = { outcome: "found" };
const ABSENT: Decision = {
  outcome: "absent",
  diagnosis: { code: "cname_conflict", awaits: "claimant", observed: { target: "x.example" } },
  wait: null,
};
const waiting = (until: number): Decision => ({
  outcome: "absent",
  diagnosis: { code: "negative_cache", awaits: "resolvers", observed: { secondsRemaining: 1 } },
  wait: { reason: "negative_cache", until },
});

/** Follows readings with these results, on a clock that only the waits move; `stopAfter` of them at most. */
async function run(
  results: Decision[],
  stopAfter = Number.POSITIVE_INFINITY,
  { watch = false, see = {} }: { watch?: boolean; see?: Partial<Observation> } = {},
) {
  let now = 0;
  const interrupt = new AbortController();
  const reads: number[] = [];
  const announced: (number | null)[] = [];
  const question = { domain: "acme.com", unicode: "acme.com", label: "_l", token: "t" };
  const last = await follow(
    {
      read: async () => {
        const decision = results[reads.length] ?? ABSENT;
        reads.push(now);
        const seen = observation({ ...see, at: now });
        const history = { ...UNREAD, endedTokens: [], domainOf: () => null, tokenPrefix: "" };
        const evidence = { seen, decision, progress: progressOf(seen, history) };
        const { diagnosis = null, wait = null } = decision.outcome === "absent" ? decision : {};
        const { outcome } = decision;
        const verdict = { outcome, diagnosis, wait, ...explain(evidence), evidence };
        return { question, verdict };
      },
      priorOf: ({ verdict: { outcome, wait, evidence } }) => ({
        ...{ outcome, wait, at: evidence.seen.at, secondReadAt: evidence.progress.secondReadAt },
      }),
      onRead: (_, nextAt) => announced.push(nextAt),
      waitUntil: async (at) => {
        now = at;
        if (reads.length >= stopAfter) interrupt.abort();
      },
      isLast: ({ verdict }) => !watch && verdict.outcome === "found",
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
  expect(minutes.slice(41)).toEqual([11, 12]);
  expect(announced.at(-1)).toBeNull();
  expect(last?.verdict.evidence.decision).toBe(FOUND);
});

it("waits for the end of a negative answer, and longer while DNS cannot be read", async () => {
  const { reads } = await run([waiting(5 * MINUTE), UNRESOLVABLE, UNRESOLVABLE, ABSENT, FOUND]);
  const [, second = 0, third = 0, fourth = 0] = reads;
  expect(second).toBeGreaterThanOrEqual(5 * MINUTE);
  expect(second).toBeLessThan(5.2 * MINUTE);
  expect(third - second).toBe(MINUTE / 2);
  expect(fourth - third).toBe(MINUTE);
});

it("goes on after found where it watches, until it is interrupted", async () => {
  const { reads, last } = await run([FOUND, ABSENT], 4, { watch: true });
  expect(reads).toHaveLength(4);
  expect(last?.verdict.evidence.decision).toBe(ABSENT);
});

// C8.10
it("makes a second read at its moment, and announces only the next of the schedule", async () => {
  const see = { ...on(values(TOKEN), "timeout"), durationMs: 0 };
  const { reads, announced } = await run(Array(100).fill(ABSENT), 100, { see });
  const [before = 0, last = 0] = reads.slice(-2);
  expect(before).toBeGreaterThan(60 * MINUTE);
  // Here each read is the first, whose second comes a minute after it.
  expect(last - before).toBe(MINUTE);
  expect(announced.at(-1)).toBe(last + 5 * MINUTE);
});
