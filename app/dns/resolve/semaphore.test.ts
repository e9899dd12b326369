import { describe, expect, it } from "vitest";
import { Cancellation } from "../wire/cancellation.ts";
import { Semaphore, Semaphores } from "./semaphore.ts";

const never = new Cancellation();
const pause = () => new Promise((resolve) => setTimeout(resolve, 2));

/** Enters and leaves, and records the highest number of holders at once. */
function meter(acquire: (cancellation: Cancellation) => Promise<boolean>, release: () => void) {
  let inside = 0;
  const seen = { most: 0, visit: async (_: Cancellation) => false };
  seen.visit = async (cancellation) => {
    if (!(await acquire(cancellation))) return false;
    inside += 1;
    seen.most = Math.max(seen.most, inside);
    await pause();
    inside -= 1;
    release();
    return true;
  };
  return seen;
}

const visitorsOf = (semaphore: Semaphore) =>
  meter(
    async (cancellation) => semaphore.tryAcquire() || semaphore.acquire(cancellation),
    () => semaphore.release(),
  );

describe("Semaphore", () => {
  it("admits that many at once, and all eventually", async () => {
    const semaphore = new Semaphore(3);
    const visitors = visitorsOf(semaphore);
    const all = await Promise.all(Array.from({ length: 20 }, () => visitors.visit(never)));
    expect(all).not.toContain(false);
    expect(visitors.most).toBe(3);
    expect(semaphore.idle).toBe(true);
  });

  it("resolves to false for cancelled waiters only", async () => {
    const semaphore = new Semaphore(1);
    const cancelled = new Cancellation();
    const visitors = visitorsOf(semaphore);
    const first = visitors.visit(never);
    const second = visitors.visit(cancelled);
    const third = visitors.visit(never);
    cancelled.cancel();
    expect(await Promise.all([first, second, third])).toEqual([true, false, true]);
    expect(visitors.most).toBe(1);
    expect(semaphore.idle).toBe(true);
  });

  it("gives no slot to a cancelled caller", async () => {
    const semaphore = new Semaphore(1);
    const cancelled = new Cancellation();
    cancelled.cancel();
    semaphore.tryAcquire();
    expect(await semaphore.acquire(cancelled)).toBe(false);
    semaphore.release();
    expect(semaphore.idle).toBe(true);
  });
});

describe("Semaphores", () => {
  it("limits each key separately, and forgets unused ones", async () => {
    const semaphores = new Semaphores(2);
    const visitorsAt = (key: string) =>
      meter(
        async (cancellation) =>
          semaphores.get(key).tryAcquire() || semaphores.get(key).acquire(cancellation),
        () => semaphores.release(key),
      );
    const a = visitorsAt("a");
    const b = visitorsAt("b");
    const used = semaphores.get("a");
    await Promise.all(Array.from({ length: 10 }, () => [a.visit(never), b.visit(never)]).flat());
    expect([a.most, b.most]).toEqual([2, 2]);
    expect(semaphores.get("a")).not.toBe(used);
  });
});
