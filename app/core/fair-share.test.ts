import { setImmediate as settle } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { FairShare, RunningWork } from "./fair-share.ts";

const WAIT_MS = 5_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Places, and the visits of keys: the admitted ones, in order, and the refused ones. */
function visited(size: number, part = 1 / 4) {
  const places = new FairShare(size, part);
  const admitted: string[] = [];
  const refused: string[] = [];
  const visit = (key: string, signal = new AbortController().signal) =>
    places.acquire(key, WAIT_MS, signal).then((isIn) => (isIn ? admitted : refused).push(key));
  /** `each` visits per key, one key after another. */
  const visits = async (keys: string[], each: number) => {
    for (const key of keys) for (let i = 0; i < each; i++) void visit(key);
    await settle();
  };
  const release = async (...keys: string[]) => {
    for (const key of keys) {
      places.release(key);
      await settle();
    }
  };
  const count = (key: string) => admitted.filter((one) => one === key).length;
  return { places, admitted, refused, visit, visits, release, count };
}

const names = (count: number) => Array.from({ length: count }, (_, i) => `k${i}`);

describe("shares", () => {
  test.each([
    [1 / 4, 10],
    [1 / 2, 17],
  ])("a part of %d of those left free are one key's, however often it asks", async (part, own) => {
    const { visits, count } = visited(50, part);
    await visits(["greedy"], 600);
    expect(count("greedy")).toBe(own);
  });

  test("among a dozen greedy keys that come one after another, somebody new is let in at once", async () => {
    const { visits, count } = visited(50);
    await visits(names(12), 600);
    await visits(["new"], 1);
    expect(count("new")).toBe(1);
  });

  test("shrink for those who came first: what they give back goes to whoever holds least", async () => {
    const { places, visits, count } = visited(50);
    await visits(names(40), 60);
    // Every place is released and taken a few times, as when reads end.
    const inside = () => names(40).filter((key) => places.holds(key));
    for (let round = 0; round < 10; round++) {
      for (const key of inside()) places.release(key);
      await settle();
    }
    expect(inside()).toHaveLength(40);
    expect(Math.min(...names(40).map(count))).toBeGreaterThan(5);
  });

  test("any free place goes to a key that holds none, the last one too", async () => {
    const { visits, admitted } = visited(3);
    await visits(["a", "b", "c", "d"], 2);
    expect(admitted).toEqual(["a", "b", "c"]);
  });
});

test("what nobody waits for gets half the share, and leaves the last places to those who wait", async () => {
  const { places, visits, count } = visited(50, 1 / 2);
  expect(names(100).filter(() => places.tryAcquire("greedy"))).toHaveLength(10);
  expect(places.saturatedKeys()).toEqual(["greedy"]);
  expect(places.tryAcquire("other")).toBe(true);
  // The same key still gets a place for forced work.
  await visits(["greedy"], 1);
  expect(count("greedy")).toBe(1);

  const crowded = new FairShare(50, 1 / 2);
  const inside = names(100).filter((key) => crowded.tryAcquire(key));
  expect(inside).toHaveLength(47);
  expect(crowded.hasFreePlace).toBe(false);
  expect(await crowded.acquire("waits", WAIT_MS, new AbortController().signal)).toBe(true);
  for (const key of inside) crowded.release(key);
  expect(crowded.hasFreePlace).toBe(true);
  expect(crowded.saturatedKeys()).toEqual([]);
});

describe("turns", () => {
  test("go round by key, however many of one came first", async () => {
    const { visits, release, admitted } = visited(1);
    await visits(["first"], 1);
    await visits(["flood"], 100);
    await visits(["a", "b"], 2);
    await release("first", "flood", "a", "b", "flood", "a", "b", "flood");
    expect(admitted.slice(1)).toEqual(["flood", "a", "b", "flood", "a", "b", "flood", "flood"]);
  });

  test("pass over who has left and who has waited too long, and they take no place", async () => {
    const { places, visit, visits, release, admitted, refused } = visited(1);
    const leaving = new AbortController();
    await visit("left", AbortSignal.abort());
    expect(refused.splice(0)).toEqual(["left"]);
    await visits(["in"], 1);
    void visit("leaves", leaving.signal);
    void visit("stays");
    leaving.abort();
    await settle();
    expect(refused).toEqual(["leaves"]);
    await vi.advanceTimersByTimeAsync(WAIT_MS - 1);
    void visit("late");
    await vi.advanceTimersByTimeAsync(1);
    expect(refused).toEqual(["leaves", "stays"]);
    await release("in");
    expect(admitted).toEqual(["in", "late"]);
    expect(places.holds("late")).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });
});

test("a drain aborts what has not ended, and what begins while it waits", async () => {
  const works = new RunningWork<string>();
  const add = (key: string) => {
    const abort = new AbortController();
    const done = new Promise<void>((resolve) => {
      abort.signal.addEventListener("abort", () => resolve());
    });
    if (key === "first") void done.then(() => add("second"));
    works.add(key, { abort, done });
  };
  add("first");
  const drained = works.drain(WAIT_MS);
  await vi.advanceTimersByTimeAsync(WAIT_MS - 1);
  expect(works.has("first")).toBe(true);
  await vi.advanceTimersByTimeAsync(1);
  expect([works.has("first"), works.has("second")]).toEqual([false, true]);
  await vi.advanceTimersByTimeAsync(WAIT_MS);
  await drained;
  expect(works.size).toBe(0);
});
