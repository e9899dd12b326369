import { foundAt } from "@deed/dns/testing/readings.ts";
import { expect, test } from "vitest";
import { claimScreen } from "#app/features/claim-page/claim-screen.server.ts";
import { cancelClaim, openClaim, readClaim } from "#app/features/claims/claims.server.ts";
import { listAttempts } from "#app/features/claims/verifications.server.ts";
import { addDomain } from "#app/features/domains/domains.server.ts";
import { claims } from "#db/schema.ts";
import { accountForEmail } from "../testing/accounts.ts";
import { claimed, testService } from "../testing/service.ts";

const refused = { code: "unavailable", details: { retryAfter: 30 } };

test("C21.6: a claim is not opened, since it would be dated wrong", async () => {
  const service = testService();
  const { id } = await accountForEmail(service.ctx, "maria@example.org");
  const { domain } = await addDomain(service.ctx, id, "acme.com");
  service.reasonToWait = "somebody who knows";
  await expect(openClaim(service.ctx, id, domain.id)).rejects.toMatchObject(refused);
  expect(service.ctx.db.select().from(claims).all()).toEqual([]);
  service.reasonToWait = null;
  await openClaim(service.ctx, id, domain.id);
});

test("a claim is not read; its holder is told, and may cancel it", async () => {
  const { service, ctx, account, claim, run } = await claimed();
  service.see = foundAt;
  service.reasonToWait = "somebody who knows";
  await expect(run()).rejects.toMatchObject(refused);
  expect(service.asked).toEqual([]);
  const screen = await claimScreen(ctx, account.id, claim.id, {});
  expect(screen.isTimeKnown).toBe(false);
  expect((await cancelClaim(ctx, account.id, claim.id)).state).toBe("canceled");
});

test("a read at whose end nobody knows what time it is proves nothing, and is made again", async () => {
  const { service, ctx, account, claim, run } = await claimed();
  service.see = (question, at) => {
    service.reasonToWait = "somebody who knows";
    return foundAt(question, at);
  };
  await expect(run()).rejects.toMatchObject({ code: "unavailable" });
  expect(await listAttempts(ctx, account.id, claim.verificationId)).toEqual([]);
  service.reasonToWait = null;
  service.see = foundAt;
  expect((await run()).status).toBe("proved");
  expect((await readClaim(ctx, account.id, claim.id)).state).toBe("proved");
});
