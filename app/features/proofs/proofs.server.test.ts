import { foundAt } from "@deed/dns/testing/readings.ts";
import { describe, expect, test } from "vitest";
import { addAccount } from "#app/core/accounts/accounts.server.ts";
import { accountForEmail, accountForIdentity } from "#app/core/testing/accounts.ts";
import { claimed, NOON, proved, published, stay, testService } from "#app/core/testing/service.ts";
import { DAY } from "#app/core/time.ts";
import { attemptEvidence } from "#db/schema.ts";
import { trimEverything } from "#worker/housekeeping.server.ts";
import { cancelClaim, openClaim } from "../claims/claims.server.ts";
import { listAttempts, runVerification } from "../claims/verifications.server.ts";
import { addDomain } from "../domains/domains.server.ts";
import {
  listProofLinks,
  proofScreen,
  publishProof,
  readProof,
  revokeProofLink,
} from "./proofs.server.ts";
import { readHolderReceipt } from "./receipts.server.ts";

test("C10.9: a slug of another claim is not found on this one, and stays", async () => {
  const { service, ctx, link } = await published(testService(), "one@example.org");
  const two = await proved(service, "two@example.org");
  const revoking = revokeProofLink(ctx, two.account.id, two.claim.id, link.slug);
  await expect(revoking).rejects.toMatchObject({ code: "proof_link_not_found" });
  expect(readProof(ctx, link.slug).slug).toBe(link.slug);
});

// C10.12, C10.13
test.each(["maria@example.org", "rival@example.org"])("%s's later proof counts", async (who) => {
  const { service, ctx, link } = await published(testService(), "maria@example.org");
  expect(readProof(ctx, link.slug).recency).toEqual({ type: "latest" });
  service.now += 60_000;
  await proved(service, who);
  const asked = service.asked.length;
  const latestProvedAt = new Date(NOON + 60_000).toISOString();
  expect(readProof(ctx, link.slug).recency).toEqual({ type: "earlier", latestProvedAt });
  expect(service.asked).toHaveLength(asked);
});

test("C10.2: only a proved claim is published", async () => {
  const { ctx, account, claim } = await claimed();
  const refused = { code: "claim_not_proved" };
  await expect(publishProof(ctx, account.id, claim.id)).rejects.toMatchObject(refused);
  await cancelClaim(ctx, account.id, claim.id);
  await expect(publishProof(ctx, account.id, claim.id)).rejects.toMatchObject(refused);
  expect(listProofLinks(ctx, account.id, claim.id)).toEqual([]);
});

test("C10.17: how a proof was seen, its receipt and attempts outlive its evidence", async () => {
  const { service, ctx, account, claim, link } = await published();
  const witness = { witnesses: 3, witnessesWithToken: 3, authenticated: true };
  expect(proofScreen(ctx, link.slug).witness).toEqual(witness);
  const evidence = () =>
    JSON.parse(ctx.db.select().from(attemptEvidence).get()?.evidence ?? "null");
  expect(evidence()).toMatchObject({ challengeName: "_service-challenge.acme.com" });
  const receipt = readHolderReceipt(ctx, account.id, claim.id);

  service.now += 30 * DAY;
  await trimEverything(ctx, stay);
  expect(proofScreen(ctx, link.slug).witness).toEqual(witness);
  const nameservers = { delegated: 2, answered: 2, holding: 2 };
  expect(readProof(ctx, link.slug)).toMatchObject({ nameservers });
  expect(evidence()).not.toHaveProperty("exchanges");
  expect(evidence()).toMatchObject({ zone: "acme.com", packets: 8 });
  expect(readHolderReceipt(ctx, account.id, claim.id)).toEqual(receipt);
  expect(await listAttempts(ctx, account.id, claim.verificationId)).toHaveLength(1);
});

describe("the holder's address is vouched for", () => {
  const email = "maria@acme.com";
  const issuer = "https://login.example.org/tenant";
  const identity = { issuer, subject: "42", email, emailVerified: true };

  test("by a mail that was answered, before an identity was joined or after", async () => {
    const service = testService();
    const { slug } = (await published(service, email)).link;
    expect(proofScreen(service.ctx, slug).vouchedBy).toBeNull();
    await accountForIdentity(service.ctx, identity);
    expect(proofScreen(service.ctx, slug).vouchedBy).toBeNull();
  });

  test.each([
    ["nobody, if the operator opened the account", false, null],
    ["the identity provider, by its host", true, "login.example.org"],
  ] as const)("by %s, until a mail is answered", async (_, isIdentity, vouchedBy) => {
    const service = testService();
    const { ctx } = service;
    const accountId = isIdentity
      ? (await accountForIdentity(ctx, identity)).id
      : (await addAccount(ctx, email)).accountId;
    const { domain } = await addDomain(ctx, accountId, "acme.com");
    const claim = await openClaim(ctx, accountId, domain.id);
    service.see = foundAt;
    await runVerification(ctx, accountId, claim.verificationId, stay);
    const { slug } = await publishProof(ctx, accountId, claim.id);
    expect(proofScreen(ctx, slug)).toMatchObject({ isConfirmed: isIdentity, vouchedBy });
    expect((await accountForEmail(ctx, email)).id).toBe(accountId);
    expect(proofScreen(ctx, slug)).toMatchObject({ isConfirmed: true, vouchedBy: null });
  });
});
