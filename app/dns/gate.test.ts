import { setMaxListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { Gate, Gates } from "./gate.ts";

const never = new AbortController().signal;
setMaxListeners(0, never);
const pause = () => new Promise((resolve) => setTimeout(resolve, 2));

/** Work that notes how many of its kind are under way at most. */
function meter() {
  let inside = 0;
  const seen = { most: 0, work: async () => {} };
  seen.work = async () => {
    inside += 1;
    seen.most = Math.max(seen.most, inside);
    await pause();
    inside -= 1;
  };
  return seen;
}

describe("Gate", () => {
  it("lets so many in at once, and all in the end", async () => {
    const gate = new Gate(3);
    const measured = meter();
    await Promise.all(Array.from({ length: 20 }, () => gate.through(never, measured.work)));
    expect(measured.most).toBe(3);
    expect(gate.idle).toBe(true);
  });

  it("gives the place back where the work fails", async () => {
    const gate = new Gate(1);
    const failing = gate.through(never, () => Promise.reject(new Error("failed")));
    await expect(failing).rejects.toThrow("failed");
    expect(await gate.through(never, async () => "in")).toBe("in");
  });

  it("lets those who leave the line go, and nobody else", async () => {
    const gate = new Gate(1);
    const leaving = new AbortController();
    const measured = meter();
    const first = gate.through(never, measured.work);
    const second = gate.through(leaving.signal, measured.work);
    const third = gate.through(never, measured.work);
    leaving.abort(new Error("left"));
    await expect(second).rejects.toThrow("left");
    await Promise.all([first, third]);
    expect(measured.most).toBe(1);
    expect(gate.idle).toBe(true);
  });
});

describe("Gates", () => {
  it("keeps each key to its own bound", async () => {
    const gates = new Gates(2);
    const a = meter();
    const b = meter();
    await Promise.all(
      Array.from({ length: 10 }, () => [
        gates.through("a", never, a.work),
        gates.through("b", never, b.work),
      ]).flat(),
    );
    expect([a.most, b.most]).toEqual([2, 2]);
  });
});
