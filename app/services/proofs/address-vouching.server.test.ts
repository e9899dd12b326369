import { expect, test } from "vitest";
import { openClaim } from "../claims/claims.server.ts";
import { runVerification } from "../claims/verifications.server.ts";
import { addDomain } from "../domains/domains.server.ts";
import { accountForEmail, accountForIdentity } from "../testing/accounts.ts";
import { foundAt } from "../testing/observations.ts";
import { type TestService, testService } from "../testing/service.ts";
import { addressVouching } from "./address-vouching.server.ts";
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
  expect(addressVouching(service.ctx, slug)).toEqual({ by: "mail" });
  await accountForIdentity(service.ctx, identity);
  expect(addressVouching(service.ctx, slug)).toEqual({ by: "mail" });
});

test("the identity provider vouches, by its host, until a mail is answered", async () => {
  const service = testService();
  const { id } = await accountForIdentity(service.ctx, identity);
  const slug = await published(service, id);
  expect(addressVouching(service.ctx, slug)).toEqual({ by: "provider", host: "login.example.org" });
  expect((await accountForEmail(service.ctx, EMAIL)).id).toBe(id);
  expect(addressVouching(service.ctx, slug)).toEqual({ by: "mail" });
});

test("nobody vouches behind a link that was never issued", () => {
  expect(addressVouching(testService().ctx, "none")).toBeNull();
});
