import { describe, expect, it } from "vitest";
import { SingleFlight } from "./pacer.ts";

const pause = () => new Promise((resolve) => setTimeout(resolve, 1));

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
    const need =
      (self: string, other: string, then: () => Promise<string[]>) =>
      async (): Promise<string[]> => {
        await pause();
        return lookups.get(other, self, then);
      };
    const a: () => Promise<string[]> = need("a", "b", () => b());
    const b: () => Promise<string[]> = need("b", "a", () => a());
    expect(await Promise.all([lookups.get("a", null, a), lookups.get("b", null, b)])).toEqual([
      [],
      [],
    ]);
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
