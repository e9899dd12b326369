import { setTimeout as sleep } from "node:timers/promises";
import { absentAt, foundAt } from "@deed/dns/testing/readings.ts";
import { expect, test, vi } from "vitest";
import { claimed, NOON, testService } from "#app/core/testing/service.ts";
import { DEADLINE_LEAD_MS, WINDOW_MS } from "#app/features/claims/transition.ts";
import { listNotices } from "#app/features/notices/notices.server.ts";
import { claims, verifications } from "#db/schema.ts";
import { jobsOf, startWorker, type Worker } from "./index.ts";

/** A service for each test, so that the tests wait for their seconds at the same time. */
const it = test
  .extend("service", () => testService())
  .extend("start", ({ service }, { onCleanup }) => {
    const started: Worker[] = [];
    onCleanup(async () => {
      await Promise.all(started.map((worker) => worker.stop(0)));
    });
    return () => {
      const worker = startWorker(service.ctx);
      started.push(worker);
      return worker;
    };
  });

/** Polls often, with a long limit for busy machines: a test that passes does not use it up. */
const soon = { timeout: 60_000, interval: 20 };

it.concurrent("does nothing while the time is unknown", async ({ service, start }) => {
  await claimed(service);
  const resumed: number[] = [];
  service.ctx.timekeeper.resume = (newest) => resumed.push(newest);
  service.now += WINDOW_MS - DEADLINE_LEAD_MS;
  await claimed(service, "noor@example.org", "globex.com");
  service.now += DEADLINE_LEAD_MS;
  service.see = foundAt;
  service.reasonToWait = "somebody who knows";
  const worker = start();
  expect(resumed).toEqual([NOON + WINDOW_MS - DEADLINE_LEAD_MS]);
  expect(worker.running()).toBe(true);
  await sleep(1_500);
  const states = () =>
    service.ctx.db
      .select()
      .from(claims)
      .all()
      .map(({ state }) => state);
  expect(states()).toEqual(["pending", "pending"]);
  expect(service.asked).toEqual([]);
  expect(service.mails).toEqual([]);
  service.reasonToWait = null;
  await vi.waitFor(() => expect(states()).toEqual(["expired", "proved"]), soon);
  expect(service.asked.map(({ domain }) => domain)).toEqual(["globex.com"]);
});

test("plans reads anew once the clock has gone back for good", async () => {
  const service = testService();
  const { ctx } = service;
  await claimed(service);
  const [, , work] = jobsOf(ctx, new AbortController().signal, () => false).list[0] ?? [];
  const nextRunAt = () => ctx.db.select().from(verifications).get()?.nextRunAt;
  const planned = nextRunAt();
  await work?.();
  service.now -= 59_000;
  await work?.();
  expect(nextRunAt()).toBe(planned);
  service.now -= 61_000;
  await work?.();
  expect(nextRunAt()).toBe(service.now + 10_000);
});

// Runs alone, because it fakes the time for pauses, and a busy machine would make these longer.
it("starts the next read when a place falls free, without a further second", async ({
  service,
}) => {
  const { ctx } = service;
  for (let i = 0; i < 20; i++) await claimed(service, "maria@example.org", `n${i}.example.com`);
  service.now += 30_000;
  const endOne: (() => void)[] = [];
  let started = () => {};
  service.see = async (question, at) => {
    started();
    await new Promise<void>((resolve) => endOne.push(resolve));
    return absentAt(question, at);
  };
  const time = vi.spyOn(performance, "now").mockReturnValue(0);
  const waits = vi.spyOn(ctx.runs, "untilOneEnds");
  const stopping = new AbortController();
  const reads = jobsOf(ctx, stopping.signal, () => true).list.find(([, name]) => name === "reads");
  // Once, so that it does not look again each second.
  const job = reads?.[2]();
  await vi.waitFor(() => expect(waits).toHaveBeenCalled(), soon);
  const places = service.asked.length;
  for (let ended = 0; ended < 6; ended += 1) {
    const next = new Promise((resolve) => {
      started = () => resolve("the next read");
    });
    // Timers end in order, however late: before this one only shorter ones do.
    const first = Promise.race([next, sleep(500, "half a second")]);
    endOne.shift()?.();
    expect(await first).toBe("the next read");
  }
  expect(service.asked).toHaveLength(places + 6);
  stopping.abort();
  service.see = absentAt;
  for (const end of endOne) end();
  await Promise.all([job, ctx.runs.drain(1_000)]);
  time.mockRestore();
});

it.concurrent("aborts a read when it stops, and starts no more", async ({ service, start }) => {
  await claimed(service);
  service.now += 30_000;
  service.see = (_question, _at, signal) =>
    new Promise((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  const worker = start();
  await vi.waitFor(() => expect(service.asked).toHaveLength(1), soon);
  await worker.stop(100);
  expect(worker.running()).toBe(false);
  await sleep(1_100);
  expect(service.asked).toHaveLength(1);
});

it.concurrent("proves, notifies and mails by itself, also after a failed tick", async ({
  service,
  start,
}) => {
  const mine = await claimed(service);
  service.see = foundAt;
  service.now += 30_000;
  const { clock } = service.ctx;
  service.ctx.clock = () => {
    throw new Error("no time");
  };
  start();
  await vi.waitFor(() => expect(service.complaints).toContain("job failed"), soon);
  service.ctx.clock = clock;
  await vi.waitFor(() => expect(service.mails).toHaveLength(1), soon);
  const { notices } = listNotices(service.ctx, mine.account.id, {});
  expect(notices).toMatchObject([{ kind: "proved" }]);
});

it.concurrent("asks the database little while nothing is due", async ({ service, start }) => {
  const { ctx } = service;
  await claimed(service);
  start();
  await sleep(1_200);
  let asked = 0;
  for (const query of ctx.db.$prepared?.values() ?? [])
    for (const way of ["get", "all"]) {
      const run = Reflect.get(Object(query), way);
      Reflect.set(Object(query), way, (...args: unknown[]) => {
        asked += 1;
        return Reflect.apply(run, query, args);
      });
    }
  await sleep(1_500);
  // Webhooks and the key, due in each of one or two seconds.
  expect(asked).toBeLessThanOrEqual(8);
});
