import { absentAt, foundAt } from "@deed/dns/testing/readings.ts";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createTimekeeper } from "#app/core/clock/timekeeper.server.ts";
import { claimed, NOON, type TestService, testService } from "#app/core/testing/service.ts";
import { DAY } from "#app/core/time.ts";
import { readClaim } from "#app/features/claims/claims.server.ts";
import { WINDOW_MS } from "#app/features/claims/transition.ts";
import { attempts } from "#db/schema.ts";
import { startWorker, type Worker } from "#worker/index.ts";
import { figure } from "./figures.ts";

const BY = 8 * DAY;
const MINUTE = 60_000;
const CLAIMS = 50;

let service: TestService;
let worker: Worker;
let passed: number;
let setBy: number;
/** The time according to other sources; null if none can be reached. */
let others: number | null;
const { signal } = new AbortController();
let askOthers: () => Promise<void>;
beforeEach(() => {
  service = testService();
  passed = 0;
  setBy = 0;
  others = null;
  const timekeeper = createTimekeeper({
    wall: () => NOON + passed + setBy,
    elapsed: () => passed,
    uptime: () => passed / 1000,
    others: [{ name: "another", ask: async () => others }],
    log: service.ctx.log,
  });
  service.ctx.clock = timekeeper.now;
  service.ctx.timekeeper = timekeeper;
  askOthers = () => timekeeper.askOthers(signal);
});
afterEach(() => worker.stop(0));

type Held = Awaited<ReturnType<typeof claimed>>;
const statesOf = async (held: readonly Held[]) => {
  const states: string[] = [];
  for (const { account, claim } of held)
    states.push((await readClaim(service.ctx, account.id, claim.id)).state);
  return states;
};
const openSome = async (tag: string): Promise<Held[]> => {
  const held: Held[] = [];
  for (let i = 0; i < CLAIMS; i++)
    held.push(await claimed(service, `h${i}@example.org`, `${tag}${i}.example.com`));
  return held;
};
const reads = () => service.ctx.db.select().from(attempts).all().length;
const readsPast = (count: number) =>
  vi.waitFor(() => expect(reads()).toBeGreaterThanOrEqual(count), { timeout: 40_000 });
/** The worker runs in real time: long enough for each of its jobs to have run. */
const aLook = () => new Promise((resolve) => setTimeout(resolve, 1_300));

it("a clock set eight days forward and back expires nothing, mails nothing and stops nothing", async () => {
  const held = await openSome("a");
  worker = startWorker(service.ctx);
  passed += MINUTE;
  await readsPast(CLAIMS);
  setBy = BY;
  await aLook();
  passed += 2 * MINUTE;
  await readsPast(2 * CLAIMS);
  const early = (await statesOf(held)).filter((state) => state !== "pending").length;
  const mails = service.mails.length;
  setBy = 0;
  await aLook();
  service.see = foundAt;
  passed += 2 * MINUTE;
  await readsPast(3 * CLAIMS);
  figure("clock: expired early by a step forward and back", early);
  figure("clock: mails sent by it", mails);
  expect(early).toBe(0);
  expect(mails).toBe(0);
  expect(new Set(await statesOf(held))).toEqual(new Set(["proved"]));
});

it("a clock eight days ahead for good ends each claim once others agree, once, at its deadline, without a mail", async () => {
  const held = await openSome("b");
  worker = startWorker(service.ctx);
  setBy = BY;
  service.ctx.clock();
  passed += 6 * MINUTE;
  await askOthers();
  await aLook();
  const early = (await statesOf(held)).filter((state) => state !== "pending").length;
  figure("clock: expired by eight days ahead that nobody vouched for", early);
  expect(early).toBe(0);
  passed += MINUTE;
  others = NOON + BY + passed;
  await askOthers();
  await aLook();
  for (const { account, claim } of held) {
    const ended = await readClaim(service.ctx, account.id, claim.id);
    expect(ended).toMatchObject({ state: "expired", endedAt: claim.expiresAt });
    expect(Date.parse(ended.expiresAt)).toBe(NOON + WINDOW_MS);
  }
  figure("clock: mails after eight days at once", service.mails.length);
  expect(service.mails).toEqual([]);
});

it("a clock set eight days back for good goes on reading once others agree, at an old claim's pace", async () => {
  const held = await openSome("c");
  service.see = absentAt;
  worker = startWorker(service.ctx);
  passed += MINUTE;
  await readsPast(CLAIMS);
  setBy = -BY;
  service.ctx.clock();
  passed += 6 * MINUTE;
  others = NOON - BY + passed;
  await askOthers();
  await aLook();
  passed += MINUTE;
  await readsPast(2 * CLAIMS);
  // As rarely as a claim of that age is read, rather than once a minute for eight days.
  passed += 10 * MINUTE;
  await aLook();
  expect(reads()).toBeLessThan(4 * CLAIMS);
  expect(new Set(await statesOf(held))).toEqual(new Set(["pending"]));
  service.see = foundAt;
  passed += 2 * 60 * MINUTE;
  await readsPast(3 * CLAIMS);
  await aLook();
  const states = await statesOf(held);
  figure("clock: claims left standing by a step back", states.filter((s) => s !== "proved").length);
  expect(new Set(states)).toEqual(new Set(["proved"]));
  for (const { account, claim } of held) {
    const { endedAt, createdAt } = await readClaim(service.ctx, account.id, claim.id);
    expect(endedAt).toBe(createdAt);
  }
});
