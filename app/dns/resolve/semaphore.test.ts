import { describe, expect, it } from "vitest";
import { Cancellation } from "../wire/cancellation.ts";
import { Semaphore, Semaphores } from "./semaphore.ts";

const never = new Cancellation();
const pause = () => new Promise((resolve) => setTimeout(resolve, 2));

/** Enters and leaves, and records the highest number of holders at once. */
function meter(enter: (ending: Cancellation) => Promise<boolean>, leave: () => void) {
  let inside = 0;
  const seen = { most: 0, visit: async (_: Cancellation) => false };
  seen.visit = async (ending) => {
    if (!(await enter(ending))) return false;
    inside += 1;
    seen.most = Math.max(seen.most, inside);
    await pause();
    inside -= 1;
    leave();
    return true;
  };
  return seen;
}

const visitorsOf = (gate: Semaphore) =>
  meter(
    async (ending) => gate.enter() || gate.turn(ending),
    () => gate.leave(),
  );

describe("Semaphore", () => {
  it("lets so many in at once, and all in the end", async () => {
    const gate = new Semaphore(3);
    const visitors = visitorsOf(gate);
    const all = await Promise.all(Array.from({ length: 20 }, () => visitors.visit(never)));
    expect(all).not.toContain(false);
    expect(visitors.most).toBe(3);
    expect(gate.idle).toBe(true);
  });

  it("lets those who leave the line go, and nobody else", async () => {
    const gate = new Semaphore(1);
    const leaving = new Cancellation();
    const visitors = visitorsOf(gate);
    const first = visitors.visit(never);
    const second = visitors.visit(leaving);
    const third = visitors.visit(never);
    leaving.end();
    expect(await Promise.all([first, second, third])).toEqual([true, false, true]);
    expect(visitors.most).toBe(1);
    expect(gate.idle).toBe(true);
  });

  it("gives no place to somebody who has left", async () => {
    const gate = new Semaphore(1);
    const left = new Cancellation();
    left.end();
    gate.enter();
    expect(await gate.turn(left)).toBe(false);
    gate.leave();
    expect(gate.idle).toBe(true);
  });
});

describe("Semaphores", () => {
  it("keeps each key to its own bound, and forgets those nobody uses", async () => {
    const gates = new Semaphores(2);
    const visitorsAt = (key: string) =>
      meter(
        async (ending) => gates.at(key).enter() || gates.at(key).turn(ending),
        () => gates.leave(key),
      );
    const a = visitorsAt("a");
    const b = visitorsAt("b");
    const used = gates.at("a");
    await Promise.all(Array.from({ length: 10 }, () => [a.visit(never), b.visit(never)]).flat());
    expect([a.most, b.most]).toEqual([2, 2]);
    expect(gates.at("a")).not.toBe(used);
  });
});
