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
      await new Promise((resolve) => setTimeout(resolve, 10));
      told.push(`stopped ${graceMs ?? "by itself"}`);
    },
  };
}

const ctx = {} as Context;
beforeEach(() => {
  told.length = 0;
});

it("runs while it is on duty", async () => {
  const worker = createLeaderWorker(ctx, fakeWorker);
  expect(worker.running()).toBe(false);
  worker.setActive(true);
  await expect.poll(() => worker.running()).toBe(true);
  await worker.stop(5);
  expect(worker.running()).toBe(false);
  expect(told).toEqual(["start", "stopped 5"]);
});

it("comes and goes with duty, one worker at a time", async () => {
  const worker = createLeaderWorker(ctx, fakeWorker);
  for (const duty of [true, false, true]) {
    worker.setActive(duty);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  worker.setActive(true);
  await worker.stop(5);
  expect(told).toEqual(["start", "stopped by itself", "start", "stopped 5"]);
});

it("does not begin again once ended", async () => {
  const worker = createLeaderWorker(ctx, fakeWorker);
  await worker.stop(5);
  worker.setActive(true);
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(told).toEqual([]);
});
