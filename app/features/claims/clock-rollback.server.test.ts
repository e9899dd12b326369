import { foundAt } from "@deed/dns/testing/readings.ts";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { claimed, testService } from "#app/core/testing/service.ts";
import { DAY } from "#app/core/time.ts";
import { noticeMails, verifications } from "#db/schema.ts";
import { MAX_READS } from "./active-runs.ts";
import { rescheduleAfterRollback } from "./expiry.server.ts";
import { startDueReads } from "./runs.server.ts";

test("reads planned by a clock that has gone back since come within half a minute; others stay", async () => {
  const service = testService();
  const before = await claimed(service, "maria@example.org", "before.example.com");
  const planned = service.ctx.db.select().from(verifications).get()?.nextRunAt;
  service.now += 8 * DAY;
  const ahead = await claimed(service, "maria@example.org", "ahead.example.com");
  service.now -= 8 * DAY;
  expect(await rescheduleAfterRollback(service.ctx)).toBe(false);
  const nextOf = (id: string) =>
    service.ctx.db.select().from(verifications).where(eq(verifications.id, id)).get()?.nextRunAt;
  expect(nextOf(before.claim.verificationId)).toBe(planned);
  expect(nextOf(ahead.claim.verificationId)).toBe(service.now + 30_000);
});

test("a mail that waits for a later time than any mail does is due", async () => {
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
