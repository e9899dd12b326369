import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { claimed, NOON, proved, READ_ONLY, testService } from "#app/core/testing/service.ts";
import { DAY } from "#app/core/time.ts";
import { noticeMails, verifications } from "#db/schema.ts";
import { expireOverdue, hasOverdue, rescheduleAfterRollback } from "./expiry.server.ts";

const WEEK_MS = 7 * DAY;

it("knows whether any claim is overdue, and leaves expiring it to the primary and a known time", async () => {
  const { service, ctx, read } = await claimed();
  service.now = NOON + WEEK_MS - 1;
  expect(hasOverdue(ctx)).toBe(false);
  service.now = NOON + WEEK_MS;
  service.reasonToWait = "somebody who knows";
  expect([hasOverdue(ctx), await expireOverdue(ctx)]).toEqual([true, false]);
  service.reasonToWait = null;
  const { $replication } = ctx.db;
  ctx.db.$replication = READ_ONLY;
  expect([(await read()).state, hasOverdue(ctx)]).toEqual(["pending", true]);
  Object.assign(ctx.db, { $replication });
  await expireOverdue(ctx);
  expect(hasOverdue(ctx)).toBe(false);
});

it("reads planned by a clock that has gone back since come within ten seconds; others stay", async () => {
  const { service, ctx, claim } = await claimed();
  const nextOf = (id: string) =>
    ctx.db.select().from(verifications).where(eq(verifications.id, id)).get()?.nextRunAt;
  const planned = nextOf(claim.verificationId);
  service.now += 8 * DAY;
  const ahead = await claimed(service, "joao@example.org", "ahead.example.com");
  service.now -= 8 * DAY;
  expect(await rescheduleAfterRollback(ctx)).toBe(false);
  expect(nextOf(claim.verificationId)).toBe(planned);
  expect(nextOf(ahead.claim.verificationId)).toBe(service.now + 10_000);
});

it("a mail that waits for a later time than any mail does is due", async () => {
  const service = testService();
  service.now += DAY;
  const { ctx } = await proved(service);
  service.now -= 8 * DAY;
  await rescheduleAfterRollback(ctx);
  expect(ctx.db.select().from(noticeMails).get()?.dueAt).toBe(service.now);
});
