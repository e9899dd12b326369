import { expect, test } from "vitest";
import { claimed } from "#app/core/testing/service.ts";
import { DAY, MINUTE, SECOND } from "#app/core/time.ts";
import { verifications } from "#db/schema.ts";
import { MAX_READS } from "./active-runs.ts";
import { startDueReads } from "./runs.server.ts";
import { keepFastInView } from "./visible.server.ts";

// C9.5
test("a claim whose page is in view is read every 15 seconds, for an hour a day", async () => {
  const { service, ctx, account, claim } = await claimed();
  const row = () => ctx.db.select().from(verifications).get();
  const opened = service.now;
  const readUntil = async (until: number) => {
    for (let at = row()?.nextRunAt; at && at < until; at = row()?.nextRunAt) {
      service.now = Math.max(service.now, at);
      await startDueReads(ctx, MAX_READS);
      await ctx.runs.drain(60_000);
    }
    service.now = until;
  };
  await readUntil(opened + DAY + 90 * MINUTE);
  const before = service.asked.length;
  for (let minute = 1; minute <= 100; minute++) {
    await keepFastInView(ctx, account.id, claim.id);
    if (minute === 1) expect(row()?.nextRunAt).toBe(service.now + 15 * SECOND);
    await readUntil(opened + DAY + 90 * MINUTE + minute * MINUTE);
  }
  expect(service.asked.length - before).toBeGreaterThan(235);
  expect(service.asked.length - before).toBeLessThan(245);
});

test("nobody else keeps it so", async () => {
  const { ctx, claim } = await claimed();
  await expect(keepFastInView(ctx, "acc_other", claim.id)).rejects.toMatchObject({
    code: "claim_not_found",
  });
});
