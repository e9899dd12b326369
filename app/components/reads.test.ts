import { describe, expect, it } from "vitest";
import { grouped, marksOf, position, type Read, readText, stem, toneOf } from "./reads.ts";

const start = "2026-03-01T00:00:00.000Z";
const end = "2026-03-08T00:00:00.000Z";
const atAge = (ms: number) => new Date(Date.parse(start) + ms).toISOString();

const read = (over: Partial<Read>): Read => ({
  id: "att_1",
  at: start,
  outcome: "absent",
  trigger: "scheduled",
  latencyMs: 40,
  code: "record_absent",
  ...over,
});

describe("the strip of reads", () => {
  it("runs from the claim's opening to its deadline, and not past it", () => {
    expect(position(start, start, end)).toBe(0);
    expect(position(end, start, end)).toBe(1);
    expect(position(atAge(8 * 86_400_000), start, end)).toBe(1);
    expect(position(atAge(-5_000), start, end)).toBe(0);
  });

  it("gives the first ten minutes about as much room as the last five days", () => {
    const early = position(atAge(600_000), start, end);
    const late = 1 - position(atAge(2 * 86_400_000), start, end);
    expect(early).toBeGreaterThan(0.2);
    expect(late).toBeLessThan(0.2);
  });

  it("draws latency between its bounds", () => {
    expect([stem(null), stem(1), stem(10), stem(10_000), stem(60_000)]).toEqual([0, 0, 0, 1, 1]);
  });

  it("tells a wait from a mistake", () => {
    expect(toneOf(read({}))).toBe("needs");
    expect(toneOf(read({ code: null }))).toBe("waiting");
    expect(toneOf(read({ code: "negative_cache" }))).toBe("waiting");
    expect(toneOf(read({ outcome: "unresolvable", code: null }))).toBe("ended");
    expect(toneOf(read({ outcome: "found", code: null }))).toBe("proved");
  });

  it("groups what came to the same one after another", () => {
    const groups = grouped([
      read({ id: "4", outcome: "found", code: null }),
      read({ id: "3" }),
      read({ id: "2" }),
      read({ id: "1", outcome: "unresolvable", code: null }),
    ]);
    expect(groups.map((group) => [readText(group.first), group.count, group.first.id])).toEqual([
      ["found", 1, "4"],
      ["no record", 2, "2"],
      ["DNS could not be reached", 1, "1"],
    ]);
  });
});

describe("marks on the strip", () => {
  const start = "2026-01-03T12:00:00.000Z";
  const end = "2026-01-10T12:00:00.000Z";
  const readAt = (minutes: number, change: Partial<Read> = {}): Read => ({
    id: `att_${minutes}`,
    at: new Date(Date.parse(start) + minutes * 60_000).toISOString(),
    outcome: "absent",
    trigger: "scheduled",
    latencyMs: 100,
    code: "record_absent",
    ...change,
  });

  it("fold where they would lie on one another, and count what they stand for", () => {
    const reads = [readAt(1_500), readAt(1_440), readAt(1_410), readAt(5)];
    expect(marksOf(reads, start, end).map(({ id, count }) => [id, count])).toEqual([
      ["att_5", 1],
      ["att_1500", 3],
    ]);
  });

  it("tell of what needs somebody before what only waits", () => {
    const waiting = { code: "negative_cache" } as const;
    const reads = [
      readAt(1_440, waiting),
      readAt(1_430),
      readAt(1_420, { outcome: "unresolvable" }),
    ];
    expect(marksOf(reads, start, end)).toMatchObject([{ tone: "needs", count: 3 }]);
  });

  it("stay few, however many reads a week has", () => {
    const week = Array.from({ length: 400 }, (_, index) => readAt(10_080 - index * 25));
    expect(marksOf(week, start, end).length).toBeLessThan(24);
  });
});
