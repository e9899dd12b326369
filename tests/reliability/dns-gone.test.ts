import { foundAt, unreachableAt } from "@deed/dns/testing/readings.ts";
import { afterEach, expect, it, vi } from "vitest";
import { claimed, testService } from "#app/core/testing/service.ts";
import { DAY } from "#app/core/time.ts";
import { readClaim } from "#app/features/claims/claims.server.ts";
import { readVerification } from "#app/features/claims/verifications.server.ts";
import { attempts, notices } from "#db/schema.ts";
import { startWorker, type Worker } from "#worker/index.ts";
import { figure, isFull, sized } from "./figures.ts";

const CLAIMS = sized(10, 200);
const HOUR = 3_600_000;
const LEAPS = isFull
  ? [60_000, 10 * 60_000, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, 18 * HOUR, DAY]
  : [60_000, HOUR, DAY];

let worker: Worker | null = null;
afterEach(() => worker?.stop(0));

it("DNS gone for a day: nothing is diagnosed, mailed or ended, and all is proved once it is back", async () => {
  const service = testService();
  const held: Awaited<ReturnType<typeof claimed>>[] = [];
  for (let i = 0; i < CLAIMS; i++)
    held.push(await claimed(service, `h${i}@example.org`, `n${i}.example.com`));
  const opened = service.now;
  service.see = unreachableAt;
  worker = startWorker(service.ctx);
  const count = () => service.ctx.db.select().from(attempts).all().length;
  const settled = async () => {
    for (let before = -1; before !== count(); ) {
      before = count();
      await new Promise((resolve) => setTimeout(resolve, 1_100));
    }
  };
  // Time jumps: what matters is that every due read was made and failed.
  for (const at of LEAPS) {
    service.now = opened + at;
    await settled();
  }
  const during = service.ctx.db.select().from(attempts).all();
  expect(during.length).toBeGreaterThanOrEqual(3 * CLAIMS);
  expect(new Set(during.map(({ outcome }) => outcome))).toEqual(new Set(["unresolvable"]));
  for (const { account, claim } of held) {
    const shown = await readVerification(service.ctx, account.id, claim.verificationId);
    expect(shown).toMatchObject({ status: "checking", diagnosis: null });
    expect(Date.parse(shown.nextRunAt ?? "")).toBeLessThanOrEqual(service.now + 8.8 * HOUR);
  }
  figure("DNS gone for a day: reads made in vain, a claim", during.length / CLAIMS);
  figure(
    "DNS gone for a day: mails and notices",
    service.mails.length + service.ctx.db.select().from(notices).all().length,
  );
  expect(service.mails).toEqual([]);

  service.see = foundAt;
  service.now += 9 * HOUR;
  await vi.waitFor(
    async () => {
      for (const { account, claim } of held)
        expect((await readClaim(service.ctx, account.id, claim.id)).state).toBe("proved");
    },
    { timeout: 20_000, interval: 500 },
  );
  await vi.waitFor(() => expect(service.mails).toHaveLength(CLAIMS), { timeout: 20_000 });
  figure("DNS gone for a day: proved once it is back", CLAIMS);
  figure("DNS gone for a day: mails then, one a claim", service.mails.length);
});
