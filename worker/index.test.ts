import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { readClaim } from "#app/services/claims/claims.server.ts";
import { DEADLINE_LEAD_MS, WINDOW_MS } from "#app/services/claims/schedule.ts";
import { listAttempts } from "#app/services/claims/verifications.server.ts";
import { listNotices } from "#app/services/notices/notices.server.ts";
import { absentAt, foundAt } from "#app/services/testing/observations.ts";
import { claimed, NOON, type TestService, testService } from "#app/services/testing/service.ts";
import { startWorker, type Worker } from "./index.ts";

let service: TestService;
let worker: Worker | null = null;

beforeEach(() => {
  service = testService();
});

afterEach(async () => {
  await worker?.stop(0);
  worker = null;
});

const soon = { timeout: 4_000, interval: 20 };

const stateOf = async ({ account, claim }: Awaited<ReturnType<typeof claimed>>) =>
  (await readClaim(service.ctx, account.id, claim.id)).state;

test("finds the record by itself, tells the holder, and sends the mail", async () => {
  const mine = await claimed(service);
  service.see = foundAt;
  service.now += 30_000;
  worker = startWorker(service.ctx);
  expect(worker.running()).toBe(true);
  await vi.waitFor(async () => expect(await stateOf(mine)).toBe("proved"), soon);
  await vi.waitFor(() => expect(service.mails).toHaveLength(1), soon);
  expect(listNotices(service.ctx, mine.account.id, {}).notices).toHaveLength(1);
});

test("expires what is overdue without anybody asking, and reads it no more", async () => {
  const mine = await claimed(service);
  service.now += WINDOW_MS;
  worker = startWorker(service.ctx);
  await vi.waitFor(
    () => expect(service.ctx.db.query.claims.findFirst().sync()?.state).toBe("expired"),
    soon,
  );
  expect(service.asked).toEqual([]);
  expect(listNotices(service.ctx, mine.account.id, {}).notices).toMatchObject([
    { kind: "expired" },
  ]);
});

test("goes on from the newest time in the database, and does nothing while the time is not known", async () => {
  const overdue = await claimed(service);
  const resumed: number[] = [];
  service.ctx.timekeeper.resume = (newest) => resumed.push(newest);
  service.now += WINDOW_MS - DEADLINE_LEAD_MS;
  const due = await claimed(service, "noor@example.org", "globex.com");
  service.now += DEADLINE_LEAD_MS;
  service.see = foundAt;
  service.waitsFor = "somebody who knows";
  worker = startWorker(service.ctx);
  expect(resumed).toEqual([NOON + WINDOW_MS - DEADLINE_LEAD_MS]);
  expect(worker.running()).toBe(true);
  await new Promise((resolve) => setTimeout(resolve, 2_100));
  const states = () =>
    service.ctx.db.query.claims
      .findMany()
      .sync()
      .map(({ state }) => state);
  expect(states()).toEqual(["pending", "pending"]);
  expect(service.asked).toEqual([]);
  expect(service.mails).toEqual([]);
  service.waitsFor = null;
  await vi.waitFor(async () => expect(await stateOf(due)).toBe("proved"), soon);
  expect(await stateOf(overdue)).toBe("expired");
});

test("makes the deadline read just before the window closes", async () => {
  const mine = await claimed(service);
  service.now = NOON + WINDOW_MS - DEADLINE_LEAD_MS;
  worker = startWorker(service.ctx);
  await vi.waitFor(async () => {
    const { id } = mine.account;
    const attempts = await listAttempts(service.ctx, id, mine.claim.verificationId);
    expect(attempts).toMatchObject([{ trigger: "deadline" }]);
  }, soon);
});

test("goes on with the next as places fall free, without waiting for the next second", async () => {
  for (let i = 0; i < 150; i++) await claimed(service, "maria@example.org", `n${i}.example.com`);
  service.now += 30_000;
  service.see = async (question, at) => {
    await new Promise((resolve) => setTimeout(resolve, 10));
    return absentAt(question, at);
  };
  worker = startWorker(service.ctx);
  await vi.waitFor(() => expect(service.asked.length).toBeGreaterThan(0), soon);
  const first = Date.now();
  await vi.waitFor(() => expect(service.asked).toHaveLength(150), soon);
  expect(Date.now() - first).toBeLessThan(2_500);
  expect(new Set(service.asked.map(({ domain }) => domain)).size).toBe(150);
});

test("stops: cuts off the read that does not end, and takes no more", async () => {
  const mine = await claimed(service);
  service.now += 30_000;
  service.see = (_question, _at, signal) =>
    new Promise((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  worker = startWorker(service.ctx);
  await vi.waitFor(() => expect(service.asked).toHaveLength(1), soon);
  const before = Date.now();
  await worker.stop(100);
  expect(Date.now() - before).toBeLessThan(1_000);
  expect(worker.running()).toBe(false);
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  expect(service.asked).toHaveLength(1);

  service.see = foundAt;
  worker = startWorker(service.ctx);
  await vi.waitFor(async () => expect(await stateOf(mine)).toBe("proved"), soon);
});

test("goes on after a look has failed", async () => {
  const mine = await claimed(service);
  service.see = foundAt;
  service.now += 30_000;
  const { clock } = service.ctx;
  service.ctx.clock = () => {
    throw new Error("no time");
  };
  worker = startWorker(service.ctx);
  await vi.waitFor(() => expect(service.complaints).toContain("job failed"), soon);
  service.ctx.clock = clock;
  await vi.waitFor(async () => expect(await stateOf(mine)).toBe("proved"), soon);
});
