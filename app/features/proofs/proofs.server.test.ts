import { foundAt } from "@deed/dns/testing/readings.ts";
import { describe, expect, test } from "vitest";
import { deleteAccount } from "#app/core/accounts/accounts.server.ts";
import { accountForEmail } from "#app/core/testing/accounts.ts";
import { claimed, NOON, type TestService, testService } from "#app/core/testing/service.ts";
import { attemptEvidence } from "#db/schema.ts";
import { trimEverything } from "#worker/housekeeping.server.ts";
import { openClaim } from "../claims/claims.server.ts";
import { listAttempts, runVerification } from "../claims/verifications.server.ts";
import { proofScreen, readProof } from "./proof-rows.server.ts";
import { listProofLinks, publishProof, revokeProofLink } from "./proofs.server.ts";

const stay = new AbortController().signal;
const iso = (ms: number) => new Date(ms).toISOString();

async function proved(service: TestService, email = "maria@acme.com") {
  const mine = await claimed(service, email);
  service.see = foundAt;
  await runVerification(service.ctx, mine.account.id, mine.claim.verificationId, stay);
  return mine;
}

describe("publishing", () => {
  test("issues one link, and the same again when asked twice", async () => {
    const service = testService();
    const { account, claim } = await proved(service);
    service.now += 1_000;
    const link = await publishProof(service.ctx, account.id, claim.id);
    expect(link).toEqual({
      slug: link.slug,
      url: `http://deed.test/p/${link.slug}`,
      claimId: claim.id,
      domain: "acme.com",
      unicodeDomain: "acme.com",
      heldBy: "m•••@acme.com",
      token: claim.token,
      challengeHost: "_service-challenge.acme.com",
      provider: "other",
      nameservers: { delegated: 2, answered: 2, holding: 2 },
      provedAt: iso(NOON),
      standing: "live",
      issuedAt: iso(NOON + 1_000),
      revokedAt: null,
    });
    expect(link.slug).toMatch(/^[0-9a-hjkmnp-tv-z]{26}$/);
    expect(await publishProof(service.ctx, account.id, claim.id)).toEqual(link);
  });

  test("needs a proved claim of one's own", async () => {
    const service = testService();
    const { account, claim } = await claimed(service);
    await expect(publishProof(service.ctx, account.id, claim.id)).rejects.toMatchObject({
      code: "claim_not_proved",
    });
    const stranger = await accountForEmail(service.ctx, "stranger@example.org");
    for (const act of [
      publishProof,
      async (...args: Parameters<typeof listProofLinks>) => listProofLinks(...args),
    ]) {
      await expect(act(service.ctx, stranger.id, claim.id)).rejects.toMatchObject({
        code: "claim_not_found",
      });
    }
  });
});

// C10.9
describe("revoking", () => {
  test("ends the link for good; twice is not found; asking again issues a new slug", async () => {
    const service = testService();
    const { account, claim } = await proved(service);
    const link = await publishProof(service.ctx, account.id, claim.id);
    service.now += 5_000;
    const revoked = await revokeProofLink(service.ctx, account.id, claim.id, link.slug);
    expect(revoked).toEqual({ ...link, standing: "revoked", revokedAt: iso(service.now) });
    await expect(
      revokeProofLink(service.ctx, account.id, claim.id, link.slug),
    ).rejects.toMatchObject({ code: "proof_link_not_found" });
    expect(() => readProof(service.ctx, link.slug)).toThrow(
      expect.objectContaining({ code: "proof_revoked" }),
    );
    const fresh = await publishProof(service.ctx, account.id, claim.id);
    expect(fresh.slug).not.toBe(link.slug);
    const links = listProofLinks(service.ctx, account.id, claim.id);
    expect(links.map(({ slug }) => slug)).toEqual([fresh.slug, link.slug]);
  });

  test("a slug of another claim is not found on this one", async () => {
    const service = testService();
    const one = await proved(service, "one@example.org");
    const two = await proved(service, "two@example.org");
    const link = await publishProof(service.ctx, one.account.id, one.claim.id);
    await expect(
      revokeProofLink(service.ctx, two.account.id, two.claim.id, link.slug),
    ).rejects.toMatchObject({ code: "proof_link_not_found" });
    expect(readProof(service.ctx, link.slug).slug).toBe(link.slug);
  });
});

describe("reading", () => {
  test("an unknown slug is not found", () => {
    const service = testService();
    expect(() => readProof(service.ctx, "0")).toThrow(
      expect.objectContaining({ code: "proof_not_found" }),
    );
  });

  test("says whether a later proof of the name exists, whichever account's", async () => {
    const service = testService();
    const first = await proved(service, "maria@acme.com");
    const link = await publishProof(service.ctx, first.account.id, first.claim.id);
    expect(readProof(service.ctx, link.slug).recency).toEqual({ type: "latest" });
    service.now += 60_000;
    const second = await proved(service, "ivan@other.org");
    expect(readProof(service.ctx, link.slug)).toMatchObject({
      provedAt: iso(NOON),
      recency: { type: "earlier", latestProvedAt: iso(NOON + 60_000) },
    });
    const later = await publishProof(service.ctx, second.account.id, second.claim.id);
    expect(readProof(service.ctx, later.slug).recency).toEqual({ type: "latest" });
  });

  test("the own later proof of the name counts too", async () => {
    const service = testService();
    const { account, claim } = await proved(service);
    const link = await publishProof(service.ctx, account.id, claim.id);
    service.now += 60_000;
    const again = await openClaim(service.ctx, account.id, claim.domainId);
    await runVerification(service.ctx, account.id, again.verificationId, stay);
    expect(readProof(service.ctx, link.slug).recency).toMatchObject({ type: "earlier" });
  });

  test("an erased account takes its links with it", async () => {
    const service = testService();
    const { account, claim } = await proved(service);
    const link = await publishProof(service.ctx, account.id, claim.id);
    await deleteAccount(service.ctx, account.id);
    expect(() => readProof(service.ctx, link.slug)).toThrow(
      expect.objectContaining({ code: "proof_not_found" }),
    );
  });
});

test("how the proof was seen outlives the trimming of its evidence; attempts stay", async () => {
  const service = testService();
  const { account, claim } = await proved(service);
  const { slug } = await publishProof(service.ctx, account.id, claim.id);
  const witness = {
    witnesses: 3,
    witnessesWithToken: 3,
    authenticated: true,
  };
  expect(proofScreen(service.ctx, slug).witness).toEqual(witness);
  const evidence = () =>
    JSON.parse(service.ctx.db.select().from(attemptEvidence).get()?.evidence ?? "null");
  expect(evidence()).toMatchObject({ challengeName: "_service-challenge.acme.com" });

  service.now += 30 * 86_400_000;
  await trimEverything(service.ctx, stay);
  expect(proofScreen(service.ctx, slug).witness).toEqual(witness);
  const nameservers = { delegated: 2, answered: 2, holding: 2 };
  expect(readProof(service.ctx, slug)).toMatchObject({ nameservers });
  expect(evidence()).not.toHaveProperty("exchanges");
  expect(evidence()).toMatchObject({ zone: "acme.com", packets: 8 });
  expect(await listAttempts(service.ctx, account.id, claim.verificationId)).toHaveLength(1);
});
