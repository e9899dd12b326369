import { expect, test } from "vitest";
import { feedPosition, readFeed } from "#app/core/feed/feed.server.ts";
import { accountForEmail } from "#app/core/testing/accounts.ts";
import { NOON, testService } from "#app/core/testing/service.ts";
import { changeFeed } from "#db/schema.ts";
import { trimEverything } from "./housekeeping.server.ts";

const HOUR = 3_600_000;
const { signal } = new AbortController();

/** Writes messages in this order, each this many hours from now; returns those left after trimming. */
async function leftOf(hours: readonly number[]): Promise<number[]> {
  const service = testService();
  service.now = NOON;
  const { id: accountId } = await accountForEmail(service.ctx, "maria@example.org");
  service.ctx.db.delete(changeFeed).run();
  const rows = hours.map((hour) => ({
    accountId,
    type: "domain.created" as const,
    ids: { hour: String(hour) },
    at: NOON + hour * HOUR,
  }));
  for (const row of rows) service.ctx.db.insert(changeFeed).values(row).run();
  const before = feedPosition(service.ctx);
  await trimEverything(service.ctx, signal);
  const left = readFeed(service.ctx, accountId, before - rows.length, rows.length);
  return left.map(({ ids }) => Number(ids.hour));
}

test("the feed keeps what the last 24 hours wrote, in batches of any number", async () => {
  expect(await leftOf([-30, -24, -23, -1, 0])).toEqual([-23, -1, 0]);
  expect(await leftOf([])).toEqual([]);
  expect(await leftOf([...Array(1_203).fill(-25), -2])).toEqual([-2]);
  expect(await leftOf(Array(1_000).fill(-25))).toEqual([]);
});

test("messages of a clock that was ahead, or behind, keep no older ones", async () => {
  expect(await leftOf([-30, 9_000, -29, -2, 1])).toEqual([-2, 1]);
  expect(await leftOf([-3, -9_000, -2])).toEqual([-3, -9_000, -2]);
});

test("messages written before the clock went back are kept", async () => {
  expect(await leftOf([700, 701, 702])).toEqual([700, 701, 702]);
  expect(await leftOf([700, 701, 0])).toEqual([700, 701, 0]);
  expect(await leftOf([600, -25, 700, 0])).toEqual([700, 0]);
});
