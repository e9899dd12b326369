import { describe, expect, it } from "vitest";
import { RateLimiter } from "./rate-limiter.ts";

function paced(count: number, seconds: number, exempt: string[] = []) {
  let at = 0;
  const pace = new RateLimiter([{ count, seconds }], new Set(exempt), () => at);
  return { pace, at: (ms: number) => (at = ms) };
}

describe("RateLimiter", () => {
  it("never exceeds its count in any window, under any load", () => {
    const { pace, at } = paced(3_000, 60);
    const left: number[] = [];
    for (let ms = 0; ms < 300_000; ms += 1) {
      at(ms);
      for (let each = 0; each < 20; each += 1) if (pace.take("8.8.8.8")) left.push(ms);
    }
    let most = 0;
    for (let first = 0, last = 0; last < left.length; last += 1) {
      while ((left[last] ?? 0) - (left[first] ?? 0) >= 60_000) first += 1;
      most = Math.max(most, last - first + 1);
    }
    expect(most).toBeGreaterThan(2_900);
    expect(most).toBeLessThanOrEqual(3_000);
    expect(left.length).toBeGreaterThan(12_000);
  });

  it("counts each destination separately; a /64 is one", () => {
    const { pace } = paced(1, 60);
    expect(["8.8.8.8", "8.8.4.4", "2a00::1"].map((to) => pace.take(to))).toEqual([
      true,
      true,
      true,
    ]);
    expect(["8.8.8.8", "2a00::2", "2a00:0:0:0:ffff::9"].map((to) => pace.take(to))).toEqual([
      false,
      false,
      false,
    ]);
    expect(pace.take("2a00:0:0:1::1")).toBe(true);
  });

  it("exempts addresses configured by the operator", () => {
    const { pace } = paced(1, 60, ["1.1.1.1"]);
    expect([1, 2, 3].map(() => pace.take("1.1.1.1"))).toEqual([true, true, true]);
  });

  it("applies all rates, and counts nothing if one refuses", () => {
    let now = 0;
    const rates = [
      { count: 1, seconds: 1 },
      { count: 2, seconds: 60 },
    ];
    const pace = new RateLimiter(rates, new Set(), () => now);
    expect([pace.take("8.8.8.8"), pace.take("8.8.8.8")]).toEqual([true, false]);
    now = 61_000;
    expect(pace.take("8.8.8.8")).toBe(true);
  });

  it("tracks a bounded number of destinations", () => {
    const { pace, at } = paced(3_000, 60);
    for (let each = 0; each < 25_000; each += 1) {
      at(each / 1_000);
      pace.take(`2a00:${(each >> 16).toString(16)}:${(each & 0xffff).toString(16)}::1`);
    }
    expect(pace.size).toBeLessThanOrEqual(10_000);
  });
});
