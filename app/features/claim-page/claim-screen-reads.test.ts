import { describe, expect, it } from "vitest";
import { iso, MINUTE } from "#app/core/time.ts";
import { groupReads, type ReadEntry } from "./claim-screen-reads.ts";

const at = (minutes: number) => iso(Date.UTC(2026, 2, 1) + minutes * MINUTE);

const readAt = (minutes: number, change: Partial<ReadEntry> = {}): ReadEntry => ({
  ...{ id: `att_${minutes}`, at: at(minutes), outcome: "absent", trigger: "scheduled" },
  ...{ latencyMs: 100, code: "record_absent", ...change },
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
    const group = (
      newest: number,
      oldest: number,
      result: [string, string, number],
      ms?: object,
    ) => {
      const [says, tone, count] = result;
      const results = [{ says, tone, count }];
      const ends = { id: `att_${newest}`, at: at(newest), since: at(oldest) };
      return { ...ends, trigger: "scheduled", results, latency: ms ?? null };
    };
    expect(groupReads(reads)).toEqual([
      group(40, 40, ["found", "proved", 1], { min: 100, median: 100, max: 100 }),
      group(30, 10, ["record missing", "needs", 3], { min: 50, median: 300, max: 300 }),
      group(1, 1, ["DNS could not be reached", "ended", 1]),
    ]);
    expect(groupReads([])).toEqual([]);
  });

  it.each([
    [null, { says: "on some nameservers", tone: "waiting" }],
    ["negative_cache", { says: "old answer cached", tone: "waiting" }],
    ["servfail", { says: "domain cannot be read", tone: "needs" }],
  ] as const)("tell a wait from a mistake: %s", (code, result) => {
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
});
