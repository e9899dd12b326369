import { expect, test } from "vitest";
import { claimed, liveUntil } from "#app/core/testing/service.ts";
import { DAY, MINUTE, SECOND } from "#app/core/time.ts";
import { keepFastInView } from "./visible.server.ts";

// C9.5
test("a claim whose page is in view is read every 15 seconds, for an hour a day", async () => {
  const { service, ctx, account, claim, shown } = await claimed();
  const begun = service.now + DAY + 90 * MINUTE;
  await liveUntil(service, begun);
  const before = service.asked.length;
  for (let minute = 0; minute < 100; minute++) {
    service.now = begun + minute * MINUTE;
    await keepFastInView(ctx, account.id, claim.id);
    const fast = new Date(service.now + 15 * SECOND).toISOString();
    if (minute === 0) expect((await shown()).nextRunAt).toBe(fast);
    await liveUntil(service, service.now + MINUTE);
  }
  expect(service.asked.length - before).toBeGreaterThan(235);
  expect(service.asked.length - before).toBeLessThan(245);
  const other = keepFastInView(ctx, "acc_other", claim.id);
  await expect(other).rejects.toMatchObject({ code: "claim_not_found" });
});
