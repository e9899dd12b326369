import { describe, expect, it } from "vitest";
import { groupReads, type ReadEntry } from "./claim-screen-reads.ts";

const START = "2026-03-01T00:00:00.000Z";
const MINUTE = 60_000;
const atAge = (ms: number) => new Date(Date.parse(START) + ms).toISOString();

const readAt = (minutes: number, change: Partial<ReadEntry> = {}): ReadEntry => ({
  id: `att_${minutes}`,
  at: atAge(minutes * MINUTE),
  outcome: "absent",
  trigger: "scheduled",
  latencyMs: 100,
  code: "record_absent",
  ...change,
});
const unreachable = { outcome: "unresolvable", code: null } as const;

describe("groups of reads", () => {
  it("are runs that came to the same", () => {
    const reads = [
      readAt(40, { outcome: "found", code: null }),
      readAt(30, { latencyMs: 300 }),
      readAt(20, { latencyMs: null }),
      readAt(10, { latencyMs: 50, trigger: "requested" }),
      readAt(1, { ...unreachable, latencyMs: null }),
    ];
    expect(groupReads(reads)).toEqual([
      {
        id: "att_40",
        at: atAge(40 * MINUTE),
        trigger: "scheduled",
        since: atAge(40 * MINUTE),
        results: [{ says: "found", tone: "proved", count: 1 }],
        latency: { min: 100, median: 100, max: 100 },
      },
      {
        id: "att_30",
        at: atAge(30 * MINUTE),
        trigger: "scheduled",
        since: atAge(10 * MINUTE),
        results: [{ says: "record missing", tone: "needs", count: 3 }],
        latency: { min: 50, median: 300, max: 300 },
      },
      {
        id: "att_1",
        at: atAge(MINUTE),
        trigger: "scheduled",
        since: atAge(MINUTE),
        results: [{ says: "DNS could not be reached", tone: "ended", count: 1 }],
        latency: null,
      },
    ]);
  });

  it("tell a wait from a mistake", () => {
    for (const [code, result] of [
      [null, { says: "on some nameservers", tone: "waiting" }],
      ["negative_cache", { says: "old answer cached", tone: "waiting" }],
      ["servfail", { says: "domain cannot be read", tone: "needs" }],
    ] as const)
      expect(groupReads([readAt(1, { code })])).toMatchObject([{ results: [result] }]);
  });

  it("take a whole day each where runs are many, and lose no read", () => {
    const reads = Array.from({ length: 2_000 }, (_, index) =>
      readAt(10_075 - index * 5, index % 2 ? unreachable : {}),
    );
    const groups = groupReads(reads);
    const counted = groups.flatMap(({ results }) => results.map((result) => result.count));
    expect(counted.reduce((sum, each) => sum + each, 0)).toBe(2_000);
    expect(groups.length).toBeLessThanOrEqual(24 + 8);
    expect(groups.at(-1)).toMatchObject({
      since: reads.at(-1)?.at,
      results: [{ says: "record missing" }, { says: "DNS could not be reached" }],
    });
  });

  it("of no read are none", () => {
    expect(groupReads([])).toEqual([]);
  });
});
