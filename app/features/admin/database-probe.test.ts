import { readFileSync } from "node:fs";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { newestTime } from "#app/core/clock/heartbeat.server.ts";
import { READ_ONLY, testService } from "#app/core/testing/service.ts";
import { testFile } from "#db/testing.files.ts";
import { probeDatabase } from "./database-probe.ts";

/** The offset of the commit counter in a database file. */
const CHANGE_COUNTER_AT = 24;

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

const writesOf = ({ ctx }: ReturnType<typeof testService>) =>
  ctx.db.$client.prepare("select total_changes()").pluck().get();

it("writes at most once in two seconds, however many ask, and leaves the last heartbeat as it is", async () => {
  const service = testService();
  const { database, db } = service.ctx;
  await database.state();
  const first = newestTime(db);
  vi.advanceTimersByTime(6_000);
  const before = Number(writesOf(service));
  expect(await Promise.all([1, 2, 3].map(() => database.state()))).toEqual(["ok", "ok", "ok"]);
  vi.advanceTimersByTime(1_900);
  await database.state();
  expect(writesOf(service)).toBe(before + 2);
  vi.advanceTimersByTime(200);
  await database.state();
  expect(writesOf(service)).toBe(before + 4);
  service.now += 3_600_000;
  vi.advanceTimersByTime(6_000);
  await database.state();
  expect(newestTime(db)).toBe(first);
});

it("commits to the file each time, without which LiteFS would report no transaction", async () => {
  const { path, db } = testFile();
  const commits = () => readFileSync(path).readUInt32BE(CHANGE_COUNTER_AT);
  db.$client.pragma("journal_mode = DELETE");
  const probe = probeDatabase(db, () => 1, { info() {}, error() {} });
  for (let i = 0; i < 2; i++) {
    const before = commits();
    expect(await probe.state()).toBe("ok");
    expect(commits()).toBe(before + 1);
    vi.advanceTimersByTime(6_000);
  }
});

it("fails where the database can be read but not written, and logs that once until it works again", async () => {
  const service = testService();
  const { database, db } = service.ctx;
  const told: string[] = [];
  const { log } = service.ctx;
  log.info = log.error = (_: object, message: string) => void told.push(message);
  db.$client.pragma("query_only = ON");
  for (let i = 0; i < 3; i++) {
    expect(await database.state()).toBe("failing");
    vi.advanceTimersByTime(6_000);
  }
  expect(told).toEqual(["the database fails"]);
  db.$client.pragma("query_only = OFF");
  expect(await database.state()).toBe("ok");
  expect(told).toEqual(["the database fails", "the database works again"]);
});

it("is gone for good once its files are not in place, and logs that once", async () => {
  const service = testService();
  const { database, db } = service.ctx;
  const told: string[] = [];
  service.ctx.log.error = (_, message) => told.push(message);
  let isInPlace = true;
  db.$isInPlace = () => isInPlace;
  expect(await database.state()).toBe("ok");
  isInPlace = false;
  const before = writesOf(service);
  expect([await database.state(), database.isInPlace()]).toEqual(["gone", false]);
  expect(told).toEqual([expect.stringContaining("was removed, renamed or replaced")]);
  expect(writesOf(service)).toBe(before);
});

it("reads a copy that takes no writes, and writes nothing to it", async () => {
  const service = testService();
  service.ctx.db.$replication = READ_ONLY;
  const before = writesOf(service);
  expect(await service.ctx.database.state()).toBe("ok");
  expect(writesOf(service)).toBe(before);
});
