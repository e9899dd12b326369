import { foundAt } from "@deed/dns/testing/readings.ts";
import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { claimed, NOON, READ_ONLY, testService } from "#app/core/testing/service.ts";
import { DAY } from "#app/core/time.ts";
import { noticeMails, verifications } from "#db/schema.ts";
import { MAX_READS } from "./active-runs.ts";
import { readClaim } from "./claims.server.ts";
import {
  expireOverdue,
  expireOverdueOfAccount,
  hasOverdue,
  rescheduleAfterRollback,
} from "./expiry.server.ts";
import { startDueReads } from "./runs.server.ts";

const WEEK_MS = 7 * DAY;

it("knows whether any claim is past its deadline and not expired yet", async () => {
  const service = testService();
  await claimed(service);
  service.now = NOON + WEEK_MS - 1;
  expect(hasOverdue(service.ctx)).toBe(false);
  service.now = NOON + WEEK_MS;
  expect(hasOverdue(service.ctx)).toBe(true);
  await expireOverdue(service.ctx);
  expect(hasOverdue(service.ctx)).toBe(false);
});

it("reads on where nothing can be written, and leaves expiring to the primary", async () => {
  const { service, ctx, account, claim } = await claimed();
  service.now = NOON + WEEK_MS;
  ctx.db.$replication = READ_ONLY;
  await expireOverdueOfAccount(ctx, account.id);
  expect((await readClaim(ctx, account.id, claim.id)).state).toBe("pending");
  expect(hasOverdue(ctx)).toBe(true);
});

it("expires nothing while nobody knows what time it is", async () => {
  const { service, ctx, account, claim } = await claimed();
  service.now = NOON + WEEK_MS;
  service.waitsFor = "somebody who knows";
  expect(await expireOverdue(ctx)).toBe(false);
  expect((await readClaim(ctx, account.id, claim.id)).state).toBe("pending");
});

it("reads planned by a clock that has gone back since come within ten seconds; others stay", async () => {
  const service = testService();
  const before = await claimed(service, "maria@example.org", "before.example.com");
  const planned = service.ctx.db.select().from(verifications).get()?.nextRunAt;
  service.now += 8 * DAY;
  const ahead = await claimed(service, "joao@example.org", "ahead.example.com");
  service.now -= 8 * DAY;
  expect(await rescheduleAfterRollback(service.ctx)).toBe(false);
  const nextOf = (id: string) =>
    service.ctx.db.select().from(verifications).where(eq(verifications.id, id)).get()?.nextRunAt;
  expect(nextOf(before.claim.verificationId)).toBe(planned);
  expect(nextOf(ahead.claim.verificationId)).toBe(service.now + 10_000);
});

it("a mail that waits for a later time than any mail does is due", async () => {
  const service = testService();
  await claimed(service);
  service.see = foundAt;
  service.now += DAY;
  await startDueReads(service.ctx, MAX_READS);
  await service.ctx.runs.drain(60_000);
  service.now -= 8 * DAY;
  await rescheduleAfterRollback(service.ctx);
  expect(service.ctx.db.select().from(noticeMails).get()?.dueAt).toBe(service.now);
});
