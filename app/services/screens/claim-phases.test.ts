import { describe, expect, it } from "vitest";
import { claimLife } from "./claim-phases.ts";
import type { ReadEntry } from "./claim-screen-reads.ts";

const DAY = 86_400_000;
const START = Date.parse("2026-03-01T00:00:00.000Z");
const onDay = (days: number) => new Date(START + days * DAY).toISOString();
const OPEN = { createdAt: onDay(0), expiresAt: onDay(7), endedAt: null, state: "pending" } as const;

const read = (days: number, code: ReadEntry["code"], outcome: ReadEntry["outcome"] = "absent") =>
  ({
    id: `att_${days}`,
    at: onDay(days),
    outcome,
    trigger: "scheduled",
    latencyMs: 9,
    code,
  }) as const;
const life = (reads: ReadEntry[], now: number, claim: Parameters<typeof claimLife>[0] = OPEN) =>
  claimLife(claim, reads.reverse(), onDay(now));
const says = ({ phases }: ReturnType<typeof life>) =>
  phases.map(({ says, seconds }) => `${says} ${seconds / 86_400}`);

describe("the life of a claim", () => {
  it("is in phases of what checks saw, the first from the opening on", () => {
    const seen = life(
      [read(1, "record_absent"), read(2, "record_absent"), read(3, "value_formatted")],
      5,
    );
    expect(says(seen)).toEqual(["no record 3", "altered 2"]);
    expect(seen.phases[1]).toMatchObject({ from: 3 / 7, width: 2 / 7 });
    expect(seen.end).toEqual({ says: "closes", at: onDay(7) });
  });

  it("fills the bar once proved", () => {
    const proved = { ...OPEN, state: "proved", endedAt: onDay(2) } as const;
    const seen = life([read(1, "record_absent"), read(2, null, "found")], 6, proved);
    expect(says(seen)).toEqual(["no record 2", "found 0"]);
    const last = seen.phases.at(-1);
    expect((last?.from ?? 0) + (last?.width ?? 0)).toBeCloseTo(1);
    expect(seen.end).toEqual({ says: "found", at: onDay(2) });
  });

  it("does not say what was there before a first check that found the record", () => {
    const proved = { ...OPEN, state: "proved", endedAt: onDay(1) } as const;
    expect(says(life([read(1, null, "found")], 6, proved))).toEqual([
      "not checked yet 1",
      "found 0",
    ]);
    expect(says(life([], 1))).toEqual(["not checked yet 1"]);
  });

  it("passes over checks that could not reach DNS, and draws many changes as one", () => {
    const dark = [
      read(1, "record_absent"),
      read(2, null, "unresolvable"),
      read(3, "record_absent"),
    ];
    expect(says(life(dark, 4))).toEqual(["no record 4"]);
    const flapping = Array.from({ length: 2_000 }, (_, index) =>
      read(index / 400, index % 2 ? "record_absent" : "value_formatted"),
    );
    const { phases } = life(flapping, 6);
    expect(phases).toHaveLength(5);
    expect(phases[0]?.says).toBe("changing");
    expect(phases.reduce((sum, { width }) => sum + width, 0)).toBeLessThanOrEqual(1);
  });

  it("draws a phase of a moment wide enough to be seen", () => {
    expect(life([read(0.0001, "record_absent")], 0.0002).phases[0]?.width).toBe(0.02);
  });
});
