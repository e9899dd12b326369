import { foundAt } from "@deed/dns/testing/readings.ts";
import { expect, test } from "vitest";
import { accountForEmail, accountForIdentity } from "#app/core/testing/accounts.ts";
import { type TestService, testService } from "#app/core/testing/service.ts";
import { openClaim } from "../claims/claims.server.ts";
import { runVerification } from "../claims/verifications.server.ts";
import { addDomain } from "../domains/domains.server.ts";
import { proofScreen } from "./proof-rows.server.ts";
import { publishProof } from "./proofs.server.ts";

const EMAIL = "maria@acme.com";
const identity = {
  issuer: "https://login.example.org/tenant",
  subject: "42",
  email: EMAIL,
  emailVerified: true,
};
const stay = new AbortController().signal;

async function published(service: TestService, accountId: string): Promise<string> {
  const { ctx } = service;
  const { domain } = await addDomain(ctx, accountId, "acme.com");
  const claim = await openClaim(ctx, accountId, domain.id);
  service.see = foundAt;
  await runVerification(ctx, accountId, claim.verificationId, stay);
  return (await publishProof(ctx, accountId, claim.id)).slug;
}

test("mail vouches for an address that answered one, before an identity was joined or after", async () => {
  const service = testService();
  const { id } = await accountForEmail(service.ctx, EMAIL);
  const slug = await published(service, id);
  expect(proofScreen(service.ctx, slug).vouchedBy).toBeNull();
  await accountForIdentity(service.ctx, identity);
  expect(proofScreen(service.ctx, slug).vouchedBy).toBeNull();
});

test("the identity provider vouches, by its host, until a mail is answered", async () => {
  const service = testService();
  const { id } = await accountForIdentity(service.ctx, identity);
  const slug = await published(service, id);
  expect(proofScreen(service.ctx, slug).vouchedBy).toBe("login.example.org");
  expect((await accountForEmail(service.ctx, EMAIL)).id).toBe(id);
  expect(proofScreen(service.ctx, slug).vouchedBy).toBeNull();
});
