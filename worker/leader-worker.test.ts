import { beforeEach, expect, it, vi } from "vitest";
import type { Context } from "#app/services/context.server.ts";
import { createLeaderWorker } from "./leader-worker.ts";

const told: string[] = [];
vi.mock("./index.ts", () => ({
  startWorker: () => {
    let isRunning = true;
    told.push("start");
    return {
      running: () => isRunning,
      stop: async (graceMs?: number) => {
        isRunning = false;
        await new Promise((resolve) => setTimeout(resolve, 10));
        told.push(`stopped ${graceMs ?? "by itself"}`);
      },
    };
  },
}));

const ctx = {} as Context;
beforeEach(() => {
  told.length = 0;
});

it("runs while it is on duty", async () => {
  const shift = createLeaderWorker(ctx);
  expect(shift.running()).toBe(false);
  shift.onDuty(true);
  await vi.waitFor(() => expect(shift.running()).toBe(true));
  await shift.end(5);
  expect(shift.running()).toBe(false);
  expect(told).toEqual(["start", "stopped 5"]);
});

it("comes and goes with duty, one worker at a time", async () => {
  const shift = createLeaderWorker(ctx);
  for (const duty of [true, false, true]) {
    shift.onDuty(duty);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  shift.onDuty(true);
  await shift.end(5);
  expect(told).toEqual(["start", "stopped by itself", "start", "stopped 5"]);
});

it("does not begin again once ended", async () => {
  const shift = createLeaderWorker(ctx);
  await shift.end(5);
  shift.onDuty(true);
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(told).toEqual([]);
});
