import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Pacer, SingleFlight } from "./pacer.ts";

const never = new AbortController().signal;
const AT_ONCE = 1_000_000;

const pacerOf = (count: number, seconds: number, inFlight = 1_000) =>
  new Pacer([{ count, seconds }], new Set(), inFlight);

/** Sends `count` questions to the address at once, and notes when each packet leaves, in milliseconds. */
function ask(pacer: Pacer, count: number, left: number[], address = "8.8.8.8", urgent = false) {
  const start = performance.now();
  const one = async () => {
    const turn = await pacer.enter(address, urgent, AT_ONCE, never);
    if (turn === "entered") left.push(performance.now() - start);
    pacer.leave(address);
  };
  return Promise.all(Array.from({ length: count }, one));
}

/** The most packets in any period of `ms`. */
function densest(left: readonly number[], ms: number): number {
  let most = 0;
  for (let first = 0, last = 0; last < left.length; last += 1) {
    while ((left[last] ?? 0) - (left[first] ?? 0) >= ms) first += 1;
    most = Math.max(most, last - first + 1);
  }
  return most;
}

describe("Pacer", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("never exceeds its count in any window, under any load", async () => {
    const pacer = pacerOf(50, 1);
    const left: number[] = [];
    const all = ask(pacer, 1_000, left);
    await vi.advanceTimersByTimeAsync(60_000);
    await all;
    expect(left).toHaveLength(1_000);
    expect(densest(left, 1_000)).toBeLessThanOrEqual(50);
    expect(left.at(-1)).toBeLessThan(26_000);
  });

  it("counts each destination separately; a /64 is one", async () => {
    const pacer = pacerOf(1, 60);
    const addresses = ["8.8.8.8", "8.8.4.4", "2a00::1", "2a00:0:0:1::1"];
    await Promise.all(addresses.map((address) => ask(pacer, 1, [], address)));
    const others = ["8.8.8.8", "2a00::2", "2a00:0:0:0:ffff::9", "8.8.8.9"];
    expect(others.map((address) => pacer.waitMs(address) > 0)).toEqual([true, true, true, false]);
  });

  it("applies all rates, but none to addresses configured by the operator", async () => {
    const [often, seldom] = [{ count: 1, seconds: 1 } as const, { count: 2, seconds: 60 } as const];
    const pacer = new Pacer([often, seldom], new Set(["1.1.1.1"]), 1_000);
    const exempt: number[] = [];
    await ask(pacer, 100, exempt, "1.1.1.1");
    expect([exempt, pacer.destinations.size]).toEqual([Array(100).fill(0), 0]);
    const left: number[] = [];
    void ask(pacer, 3, left);
    await vi.advanceTimersByTimeAsync(59_000);
    expect(left).toEqual([0]);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(left).toEqual([0, 60_000]);
  });

  it("lets what somebody waits for go first", async () => {
    const pacer = pacerOf(50, 1);
    const others: number[] = [];
    const urgent: number[] = [];
    const all = [ask(pacer, 200, others), ask(pacer, 5, urgent, "8.8.8.8", true)];
    await vi.advanceTimersByTimeAsync(10_000);
    await Promise.all(all);
    expect(urgent.at(-1)).toBeLessThanOrEqual(125);
  });

  it("turns away what would wait too long, and counts nothing for it", async () => {
    const pacer = pacerOf(50, 1);
    void ask(pacer, 30, []);
    const ahead = pacer.waitMs("8.8.8.8");
    expect(ahead).toBeGreaterThan(400);
    expect(await pacer.enter("8.8.8.8", false, 250, never)).toBe("full");
    expect(pacer.waitMs("8.8.8.8")).toBe(ahead);
    await vi.advanceTimersByTimeAsync(ahead + 1_000);
    expect(await pacer.enter("8.8.8.8", false, 250, never)).toBe("entered");
  });

  it("keeps at most that many questions in flight, and forgets those whose read ended", async () => {
    const pacer = pacerOf(1_000, 1, 3);
    const enter = (signal: AbortSignal) => pacer.enter("8.8.8.8", false, AT_ONCE, signal);
    await Promise.all([enter(never), enter(never), enter(never)]);
    const ending = new AbortController();
    const fourth = enter(ending.signal);
    const fifth = enter(never);
    ending.abort();
    expect(await fourth).toBe("aborted");
    expect(await enter(ending.signal)).toBe("aborted");
    await vi.advanceTimersByTimeAsync(5_000);
    const late = vi.fn();
    void fifth.then(late);
    await vi.advanceTimersByTimeAsync(0);
    expect(late).not.toHaveBeenCalled();
    pacer.leave("8.8.8.8");
    expect(await fifth).toBe("entered");
  });

  it("tracks a bounded number of destinations", async () => {
    const pacer = pacerOf(3_000, 60);
    for (let each = 0; each < 25_000; each += 1) {
      const address = `2a00:${(each >> 16).toString(16)}:${(each & 0xffff).toString(16)}::1`;
      await pacer.enter(address, false, 0, never);
      pacer.leave(address);
    }
    expect(pacer.destinations.size).toBeLessThanOrEqual(10_000);
  });
});

const pause = () => new Promise((resolve) => setImmediate(resolve));

describe("SingleFlight", () => {
  it("runs a lookup once for concurrent and later callers", async () => {
    const lookups = new SingleFlight();
    let runs = 0;
    const work = async () => {
      runs += 1;
      await pause();
      return ["192.0.2.1"];
    };
    const both = await Promise.all([lookups.get("a", null, work), lookups.get("a", "b", work)]);
    expect([...both, await lookups.get("a", null, work)]).toEqual(Array(3).fill(["192.0.2.1"]));
    expect(runs).toBe(1);
  });

  it("ends lookups that depend on each other, whichever starts", async () => {
    const lookups = new SingleFlight();
    const a = (): Promise<string[]> => pause().then(() => lookups.get("b", "a", b));
    const b = (): Promise<string[]> => pause().then(() => lookups.get("a", "b", a));
    const both = await Promise.all([lookups.get("a", null, a), lookups.get("b", null, b)]);
    expect(both).toEqual([[], []]);
  });

  it("lets a lookup wait for one that several others wait for", async () => {
    const lookups = new SingleFlight();
    const need =
      (self: string, ...others: [name: string, work: () => Promise<string[]>][]) =>
      async () =>
        (await Promise.all(others.map(([name, work]) => lookups.get(name, self, work)))).flat();
    const last = async () => {
      await pause();
      return ["192.0.2.1"];
    };
    const left = need("left", ["last", last]);
    const right = need("right", ["last", last]);
    const first = lookups.get("first", null, need("first", ["left", left], ["right", right]));
    await Promise.resolve();
    expect(await lookups.get("first", "asker", () => first)).toEqual(["192.0.2.1", "192.0.2.1"]);
  });

  it("retries a lookup that failed only because it would have waited for itself", async () => {
    const lookups = new SingleFlight();
    const b = () => lookups.get("a", "b", async () => []);
    const a = async () => {
      await lookups.get("b", "a", b);
      return ["192.0.2.1"];
    };
    expect(await lookups.get("a", null, a)).toEqual(["192.0.2.1"]);
    expect(await lookups.get("b", null, b)).toEqual(["192.0.2.1"]);
  });
});
