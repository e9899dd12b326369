import { describe, expect, it } from "vitest";
import { grouped, position, type Read, readText, stem, toneOf } from "./reads.ts";

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
