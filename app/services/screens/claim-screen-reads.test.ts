import { describe, expect, it } from "vitest";
import {
  groupReads,
  mergeMarks,
  type ReadEntry,
  readHistory,
  timelinePosition,
} from "./claim-screen-reads.ts";

const START = "2026-03-01T00:00:00.000Z";
const END = "2026-03-08T00:00:00.000Z";
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

describe("the strip of reads", () => {
  it("runs from the claim's opening to its deadline, and not past it", () => {
    expect(timelinePosition(START, START, END)).toBe(0);
    expect(timelinePosition(END, START, END)).toBe(1);
    expect(timelinePosition(atAge(8 * 86_400_000), START, END)).toBe(1);
    expect(timelinePosition(atAge(-5_000), START, END)).toBe(0);
  });

  it("gives the first ten minutes about as much room as the last five days", () => {
    const early = timelinePosition(atAge(10 * MINUTE), START, END);
    const late = 1 - timelinePosition(atAge(2 * 86_400_000), START, END);
    expect(early).toBeGreaterThan(0.2);
    expect(late).toBeLessThan(0.2);
  });
});

describe("marks on the strip", () => {
  it("fold where they would lie on one another, and count what they stand for", () => {
    const reads = [readAt(1_500), readAt(1_440, { latencyMs: 900 }), readAt(1_410), readAt(5)];
    expect(mergeMarks(reads, START, END)).toMatchObject([
      { at: atAge(5 * MINUTE), count: 1, latencyMs: 100 },
      { at: atAge(1_500 * MINUTE), count: 3, latencyMs: 900 },
    ]);
  });

  it("tell of what needs somebody before what only waits", () => {
    const reads = [
      readAt(1_440, { code: "negative_cache" }),
      readAt(1_430),
      readAt(1_420, unreachable),
    ];
    expect(mergeMarks(reads, START, END)).toMatchObject([{ code: "record_absent", count: 3 }]);
  });
});

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
        results: [{ outcome: "found", code: null, count: 1 }],
        latency: { min: 100, median: 100, max: 100 },
      },
      {
        id: "att_30",
        at: atAge(30 * MINUTE),
        trigger: "scheduled",
        since: atAge(10 * MINUTE),
        results: [{ outcome: "absent", code: "record_absent", count: 3 }],
        latency: { min: 50, median: 300, max: 300 },
      },
      {
        id: "att_1",
        at: atAge(MINUTE),
        trigger: "scheduled",
        since: atAge(MINUTE),
        results: [{ ...unreachable, count: 1 }],
        latency: null,
      },
    ]);
  });

  it("take a whole day each where runs are many, and lose no read", () => {
    const reads = Array.from({ length: 2_000 }, (_, index) =>
      readAt(10_075 - index * 5, index % 2 ? unreachable : {}),
    );
    const { count, groups, marks } = readHistory(reads, START, END);
    const counted = groups.flatMap(({ results }) => results.map((result) => result.count));
    expect(count).toBe(2_000);
    expect(counted.reduce((sum, each) => sum + each, 0)).toBe(2_000);
    expect(groups.length).toBeLessThanOrEqual(24 + 8);
    expect(groups.at(-1)).toMatchObject({
      since: reads.at(-1)?.at,
      results: [{ code: "record_absent" }, { outcome: "unresolvable" }],
    });
    expect(marks.length).toBeLessThan(24);
    expect(marks.reduce((sum, mark) => sum + mark.count, 0)).toBe(2_000);
  });

  it("of no read are none", () => {
    expect(readHistory([], START, END)).toEqual({ count: 0, groups: [], marks: [] });
  });
});
