import { absentAt, foundAt } from "@deed/dns/testing/readings.ts";
import { afterEach, expect, it, vi } from "vitest";
import { createTimekeeper } from "#app/core/clock/timekeeper.server.ts";
import { claimed, NOON, testService } from "#app/core/testing/service.ts";
import { DAY } from "#app/core/time.ts";
import { readClaim } from "#app/features/claims/claims.server.ts";
import { attempts } from "#db/schema.ts";
import { startWorker, type Worker } from "#worker/index.ts";
import { figure } from "./figures.ts";

const BY = 8 * DAY;
const MINUTE = 60_000;
const CLAIMS = 50;

let worker: Worker;
afterEach(() => worker.stop(0));

/** The worker runs in real time: long enough for each of its jobs to have run. */
const aLook = () => new Promise((resolve) => setTimeout(resolve, 1_300));

// app/core/clock/steady-clock.test.ts tries every other step.
it("a clock set eight days back for good goes on reading once others agree, at an old claim's pace", async () => {
  const service = testService();
  let [passed, setBy] = [0, 0];
  /** The time according to other sources; null if none can be reached. */
  let others: number | null = null;
  const timekeeper = createTimekeeper({
    wall: () => NOON + passed + setBy,
    elapsed: () => passed,
    uptime: () => passed / 1000,
    others: [{ name: "another", ask: async () => others }],
    log: service.ctx.log,
  });
  Object.assign(service.ctx, { clock: timekeeper.now, timekeeper });
  const held: Awaited<ReturnType<typeof claimed>>[] = [];
  for (let i = 0; i < CLAIMS; i++)
    held.push(await claimed(service, `h${i}@example.org`, `c${i}.example.com`));
  const ended = () =>
    Promise.all(held.map(({ account, claim }) => readClaim(service.ctx, account.id, claim.id)));
  const states = async () => (await ended()).map(({ state }) => state);
  const reads = () => service.ctx.db.select().from(attempts).all().length;
  const readsPast = (count: number) =>
    vi.waitFor(() => expect(reads()).toBeGreaterThanOrEqual(count), { timeout: 40_000 });
  service.see = absentAt;
  worker = startWorker(service.ctx);
  passed += MINUTE;
  await readsPast(CLAIMS);
  setBy = -BY;
  service.ctx.clock();
  passed += 6 * MINUTE;
  others = NOON - BY + passed;
  await timekeeper.askOthers(new AbortController().signal);
  await aLook();
  passed += MINUTE;
  await readsPast(2 * CLAIMS);
  // As rarely as a claim of that age is read, rather than once a minute for eight days.
  passed += 10 * MINUTE;
  await aLook();
  expect(reads()).toBeLessThan(4 * CLAIMS);
  expect(new Set(await states())).toEqual(new Set(["pending"]));
  service.see = foundAt;
  passed += 2 * 60 * MINUTE;
  await readsPast(3 * CLAIMS);
  await aLook();
  const left = (await states()).filter((state) => state !== "proved");
  figure("clock: claims left standing by a step back", left.length);
  expect(left).toEqual([]);
  for (const { endedAt, createdAt } of await ended()) expect(endedAt).toBe(createdAt);
});
