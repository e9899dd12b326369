import { expect, test } from "vitest";
import { changeFeed } from "#db/schema.ts";
import { claimed, NOON, testService } from "../testing/service.ts";
import { DAY } from "../time.ts";
import { newestTime, recordHeartbeat } from "./heartbeat.server.ts";

test("the newest time is that of the last change, or of the last heartbeat where nothing changes any more", async () => {
  const service = testService();
  const { db } = service.ctx;
  expect(newestTime(db)).toBeNull();
  await claimed(service);
  expect(newestTime(db)).toBe(NOON);
  service.now += DAY;
  await recordHeartbeat(service.ctx);
  expect(newestTime(db)).toBe(NOON + DAY);
  service.now += DAY;
  await recordHeartbeat(service.ctx);
  db.delete(changeFeed).run();
  expect(newestTime(db)).toBe(NOON + 2 * DAY);
});

test("a heartbeat from a clock that was ahead gives way to the next", async () => {
  const service = testService();
  service.now += 400 * DAY;
  await recordHeartbeat(service.ctx);
  service.now = NOON;
  await recordHeartbeat(service.ctx);
  expect(newestTime(service.ctx.db)).toBe(NOON);
});
