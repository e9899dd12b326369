import { setImmediate as aTurn } from "node:timers/promises";
import { beforeEach, expect, it } from "vitest";
import type { Context } from "#app/core/context.server.ts";
import { createLeaderWorker, type Worker } from "./index.ts";

const told: string[] = [];
function fakeWorker(): Worker {
  let isRunning = true;
  told.push("start");
  return {
    receiptsSigned: Promise.resolve(),
    running: () => isRunning,
    stop: async (graceMs?: number) => {
      isRunning = false;
      await aTurn();
      told.push(`stopped ${graceMs ?? "by itself"}`);
    },
  };
}

let worker: ReturnType<typeof createLeaderWorker>;
beforeEach(() => {
  told.length = 0;
  worker = createLeaderWorker({} as Context, fakeWorker);
});

it("runs while it is on duty", async () => {
  expect(worker.running()).toBe(false);
  worker.setActive(true);
  await expect.poll(() => worker.running()).toBe(true);
  await worker.stop(5);
  expect(worker.running()).toBe(false);
  expect(told).toEqual(["start", "stopped 5"]);
});

it("comes and goes with duty, one worker at a time", async () => {
  for (const duty of [true, false, true]) {
    worker.setActive(duty);
    await expect.poll(() => worker.running()).toBe(duty);
  }
  worker.setActive(true);
  await worker.stop(5);
  expect(told).toEqual(["start", "stopped by itself", "start", "stopped 5"]);
});

it("does not begin again once ended", async () => {
  await worker.stop(5);
  worker.setActive(true);
  await worker.receiptsSigned();
  expect(told).toEqual([]);
});
