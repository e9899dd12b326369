import { describe, expect, it } from "vitest";
import { KeyedSemaphore } from "./semaphore.ts";

const never = new AbortController().signal;
const pause = () => new Promise((resolve) => setTimeout(resolve, 2));

/** Acquires and releases a key, and records the highest number of holders at once. */
function visitorsOf(semaphore: KeyedSemaphore, key: string) {
  let inside = 0;
  const visitors = { most: 0, visit: async (_: AbortSignal) => false };
  visitors.visit = async (signal) => {
    if (!(await semaphore.acquire(key, signal))) return false;
    inside += 1;
    visitors.most = Math.max(visitors.most, inside);
    await pause();
    inside -= 1;
    semaphore.release(key);
    return true;
  };
  return visitors;
}

describe("KeyedSemaphore", () => {
  it("admits that many at once, and all eventually", async () => {
    const semaphore = new KeyedSemaphore(3);
    const visitors = visitorsOf(semaphore, "a");
    const all = await Promise.all(Array.from({ length: 20 }, () => visitors.visit(never)));
    expect(all).not.toContain(false);
    expect(visitors.most).toBe(3);
    expect(semaphore.inUse).toBe(0);
  });

  it("resolves to false for aborted waiters only", async () => {
    const semaphore = new KeyedSemaphore(1);
    const controller = new AbortController();
    const visitors = visitorsOf(semaphore, "a");
    const first = visitors.visit(never);
    const second = visitors.visit(controller.signal);
    const third = visitors.visit(never);
    controller.abort();
    expect(await Promise.all([first, second, third])).toEqual([true, false, true]);
    expect(visitors.most).toBe(1);
    expect(semaphore.inUse).toBe(0);
  });

  it("gives no slot to an aborted caller", async () => {
    const semaphore = new KeyedSemaphore(1);
    await semaphore.acquire("a", never);
    expect(await semaphore.acquire("a", AbortSignal.abort())).toBe(false);
    expect(await semaphore.acquire("b", AbortSignal.abort())).toBe(false);
    semaphore.release("a");
    expect(semaphore.inUse).toBe(0);
  });

  it("limits each key separately, and forgets unused ones", async () => {
    const semaphore = new KeyedSemaphore(2);
    const a = visitorsOf(semaphore, "a");
    const b = visitorsOf(semaphore, "b");
    const visits = Array.from({ length: 10 }, () => [a.visit(never), b.visit(never)]).flat();
    expect(semaphore.inUse).toBe(2);
    await Promise.all(visits);
    expect([a.most, b.most]).toEqual([2, 2]);
    expect(semaphore.inUse).toBe(0);
  });
});
