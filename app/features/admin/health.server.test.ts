import { foundAt, unreachableAt } from "@deed/dns/testing/readings.ts";
import { expect, onTestFinished, test, vi } from "vitest";
import { claimed, READ_ONLY, stay, testService } from "#app/core/testing/service.ts";
import { DAY } from "#app/core/time.ts";
import { FIRST_READ_AFTER_MS } from "#app/features/claims/transition.ts";
import { archiveDomain } from "#app/features/domains/domains.server.ts";
import { testFile } from "#db/testing.files.ts";
import {
  assess,
  damageWatch,
  dnsWatch,
  HEALTH_REASONS,
  readBacklog,
  readDnsState,
} from "./health.server.ts";

test("tells how many claims are open and how many reads are due", async () => {
  const service = testService();
  const { ctx } = service;
  expect(readBacklog(ctx)).toMatchObject({ openClaims: 0, reads: { n: 0 } });
  const first = await claimed(service, "maria@example.org", "one.example");
  const second = await claimed(service, "maria@example.org", "two.example");
  await claimed(service, "noor@example.org", "one.example");
  expect(readBacklog(ctx)).toMatchObject({ openClaims: 3, reads: { n: 0 } });
  service.now += FIRST_READ_AFTER_MS;
  expect(readBacklog(ctx)).toMatchObject({ openClaims: 3, reads: { n: 3, waited: 0 } });
  service.now += 5_000;
  expect(readBacklog(ctx)).toMatchObject({ reads: { n: 3, waited: 5 }, mails: { n: 0 } });
  await archiveDomain(ctx, first.account.id, first.claim.domainId);
  await second.run(foundAt);
  service.now += 1_000;
  const mails = { n: 1, waited: 1 };
  expect(readBacklog(ctx)).toMatchObject({ openClaims: 1, reads: { n: 1 }, mails });
});

test("judges a node by the worst of its state", () => {
  type Faults = Parameters<typeof assess>[0];
  const faults = Object.fromEntries(HEALTH_REASONS.map((one) => [one, false])) as Faults;
  expect(assess(faults)).toEqual({ status: "ok", reason: null });
  // From the mildest fault to the worst, each together with all before it.
  for (const [reason, status] of [
    ["clock", "degraded"],
    ["no_primary", "degraded"],
    ["damaged", "degraded"],
    ["worker", "failing"],
    ["superseded", "failing"],
    ["database", "failing"],
    ["shutting_down", "failing"],
  ] as const) {
    faults[reason] = true;
    expect(assess(faults)).toEqual({ status, reason });
  }
});

test("has the whole database checked at first and once a day, and keeps what was found until the next", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const { path, db } = testFile();
  const service = testService(db);
  const { database } = service.ctx;
  const stop = new AbortController();
  let found: () => Promise<string | null> = async () => "page 7 is torn";
  const asked: string[] = [];
  const look = damageWatch(service.ctx, stop.signal, (file) => {
    asked.push(file);
    return found();
  });
  vi.advanceTimersByTime(1);
  for (let seconds = 0; seconds < 30; seconds += 10) await look();
  expect([asked, database.damage]).toEqual([[path], "page 7 is torn"]);
  expect(service.complaints).toEqual(["the database is damaged: restore a backup"]);

  vi.advanceTimersByTime(DAY);
  found = () => Promise.reject(new Error("out of time"));
  await expect(look()).rejects.toThrow("out of time");
  expect(database.damage).toBe("page 7 is torn");
  vi.advanceTimersByTime(DAY);
  found = async () => null;
  await look();
  expect(database.damage).toBeNull();

  vi.advanceTimersByTime(DAY);
  found = () => Promise.reject(new Error("ended"));
  stop.abort();
  await look();
  expect(asked).toHaveLength(4);
});

test("leaves a LiteFS mount unread, where a long read would hold up every write", async () => {
  const { db } = testFile();
  const service = testService(db);
  db.$replication = READ_ONLY;
  await damageWatch(service.ctx, stay, () => Promise.reject(new Error("was read")))();
});

test("logs once that DNS fails, and once that it works again", async () => {
  const service = testService();
  const { ctx } = service;
  const told: string[] = [];
  ctx.log.info = ctx.log.error = (_: object, message: string) => void told.push(message);
  const look = dnsWatch(ctx);
  const read = async (name: string) => {
    const { run } = await claimed(service, "maria@example.org", name);
    await run();
    look();
  };
  look();
  service.see = unreachableAt;
  await read("one.example");
  await read("two.example");
  expect([readDnsState(ctx), told]).toEqual(["failing", ["none of the last reads reached DNS"]]);
  service.now += 16 * 60_000;
  look();
  expect([readDnsState(ctx), told.length]).toEqual(["unknown", 1]);
  service.see = foundAt;
  await read("three.example");
  look();
  expect(told).toEqual(["none of the last reads reached DNS", "reads reach DNS again"]);
});
