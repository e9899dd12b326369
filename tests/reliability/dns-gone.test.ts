import { foundAt, unreachableAt } from "@deed/dns/testing/readings.ts";
import { expect, it } from "vitest";
import { claimed, testService } from "#app/core/testing/service.ts";
import { DAY, HOUR, MINUTE } from "#app/core/time.ts";
import { MAX_READS } from "#app/features/claims/active-runs.ts";
import { readClaim } from "#app/features/claims/claims.server.ts";
import { startDueReads } from "#app/features/claims/runs.server.ts";
import { readVerification } from "#app/features/claims/verifications.server.ts";
import { sendDueMails } from "#app/features/notices/notice-mails.server.ts";
import { attempts, notices } from "#db/schema.ts";
import { sized } from "../support/size.ts";
import { figure } from "./figures.ts";

const CLAIMS = sized(10, 200);
const { signal } = new AbortController();

it("DNS gone for a day: nothing is diagnosed, mailed or ended, and all is proved once it is back", async () => {
  const service = testService();
  const { ctx } = service;
  const held: Awaited<ReturnType<typeof claimed>>[] = [];
  for (let i = 0; i < CLAIMS; i++)
    held.push(await claimed(service, `h${i}@example.org`, `n${i}.example.com`));
  const opened = service.now;
  /** Does the worker's work that is due at that moment. */
  const workAt = async (now: number) => {
    service.now = now;
    while ((await startDueReads(ctx, MAX_READS)) !== "all") await ctx.runs.drain(60_000);
    await ctx.runs.drain(60_000);
    while (await sendDueMails(ctx, signal));
  };
  service.see = unreachableAt;
  for (const at of [MINUTE, 10 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, 18 * HOUR, DAY])
    await workAt(opened + at);
  const during = ctx.db.select().from(attempts).all();
  expect(during.length).toBeGreaterThanOrEqual(3 * CLAIMS);
  expect(new Set(during.map(({ outcome }) => outcome))).toEqual(new Set(["unresolvable"]));
  for (const { account, claim } of held) {
    const shown = await readVerification(ctx, account.id, claim.verificationId);
    expect(shown).toMatchObject({ status: "checking", diagnosis: null });
    expect(Date.parse(shown.nextRunAt ?? "")).toBeLessThanOrEqual(service.now + 8.8 * HOUR);
  }
  figure("DNS gone for a day: reads made in vain, a claim", during.length / CLAIMS);
  expect([service.mails, ctx.db.select().from(notices).all()]).toEqual([[], []]);

  service.see = foundAt;
  await workAt(service.now + 9 * HOUR);
  for (const { account, claim } of held)
    expect((await readClaim(ctx, account.id, claim.id)).state).toBe("proved");
  expect(service.mails).toHaveLength(CLAIMS);
  figure("DNS gone for a day: proved once it is back, with a mail each", CLAIMS);
});
