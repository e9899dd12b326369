import { describe, expect, test } from "vitest";
import { claimScreen } from "./claim-screen.server.ts";
import { cancelClaim } from "./claims.server.ts";
import { rehearseClaim } from "./rehearsal.server.ts";
import { foundAt } from "./testing/observations.ts";
import { claimed, NOON, type TestService, testService } from "./testing/service.ts";
import { runVerification } from "./verifications.server.ts";

const stay = new AbortController().signal;

/** The name lies in the zone acme.com, at GoDaddy. */
function hosted(service: TestService) {
  service.seeZone = async () => ({
    type: "read",
    zone: "acme.com",
    nameservers: ["ns61.domaincontrol.com", "ns62.domaincontrol.com"],
    ttl: 600,
    negativeTtl: 300,
    at: service.now,
  });
}

describe("the screen of a claim", () => {
  test("asks for the host its panel wants before any read of the claim", async () => {
    const service = testService();
    hosted(service);
    const { account, claim } = await claimed(service, "maria@example.org", "shop.acme.com");
    const screen = await claimScreen(service.ctx, account.id, claim.id, null);
    expect(screen.words).toMatchObject({
      host: "Name",
      hostToType: "_service-challenge.shop",
      valueToType: claim.token,
    });
    expect(screen.hands.nsupdate).toContain("zone acme.com.");
    expect(screen).toMatchObject({
      reads: { count: 0 },
      shown: null,
      now: new Date(NOON).toISOString(),
    });
    expect(service.asked).toEqual([]);
  });

  test("does without the zone where it cannot be told", async () => {
    const service = testService();
    const { account, claim } = await claimed(service);
    const { words } = await claimScreen(service.ctx, account.id, claim.id, null);
    expect(words).toMatchObject({ host: "Name (or Host)", hostToType: "_service-challenge" });
  });

  test("shows each read with its evidence, the newest unless another is asked for", async () => {
    const service = testService();
    const { account, claim } = await claimed(service);
    await runVerification(service.ctx, account.id, claim.verificationId, stay);
    service.now += 60_000;
    service.see = foundAt;
    await runVerification(service.ctx, account.id, claim.verificationId, stay);
    const screen = await claimScreen(service.ctx, account.id, claim.id, null);
    const [newest, before] = screen.reads.folds;
    expect(newest?.findings).toEqual([{ outcome: "found", code: null, count: 1 }]);
    expect(screen.shown).toMatchObject({ id: newest?.id, evidence: { at: service.now } });
    const older = before?.id ?? "";
    const asked = await claimScreen(service.ctx, account.id, claim.id, older);
    expect(asked.shown).toMatchObject({ id: older, evidence: { at: NOON } });
  });

  test("keeps the record once the claim has ended, and is nobody else's", async () => {
    const service = testService();
    const { account, claim } = await claimed(service);
    await cancelClaim(service.ctx, account.id, claim.id);
    const screen = await claimScreen(service.ctx, account.id, claim.id, null);
    expect(screen.claim.records).toEqual([]);
    expect(screen.record).toMatchObject({
      name: "_service-challenge.acme.com",
      value: claim.token,
    });
    await expect(claimScreen(service.ctx, "acc_other", claim.id, null)).rejects.toMatchObject({
      code: "claim_not_found",
    });
  });
});

describe("a rehearsal", () => {
  test("names the mistake in the panel's words, without a question to DNS about the record", async () => {
    const service = testService();
    hosted(service);
    const { account, claim } = await claimed(service);
    const line = `_service-challenge.acme.com ${claim.token}`;
    const { diagnosis } = await rehearseClaim(service.ctx, account.id, claim.id, line);
    expect(diagnosis).toMatchObject({ code: "domain_appended" });
    expect(diagnosis?.fix).toContain("GoDaddy");
    expect(service.asked).toEqual([]);
  });

  test("finds nothing wrong with the record as it should be", async () => {
    const service = testService();
    hosted(service);
    const { account, claim } = await claimed(service);
    const line = `_service-challenge.acme.com. 300 IN TXT "${claim.token}"`;
    expect(await rehearseClaim(service.ctx, account.id, claim.id, line)).toEqual({
      name: "_service-challenge.acme.com",
      type: "TXT",
      value: claim.token,
      diagnosis: null,
      pastes: [],
    });
  });

  test("recognises the token of an ended claim on the name", async () => {
    const service = testService();
    const { account, claim } = await claimed(service);
    await cancelClaim(service.ctx, account.id, claim.id);
    const { claim: second } = await claimed(service);
    const { diagnosis } = await rehearseClaim(service.ctx, account.id, second.id, claim.token);
    expect(diagnosis).toMatchObject({ code: "expired_token" });
  });

  test("refuses nothing, and more than one record's worth", async () => {
    const service = testService();
    const { account, claim } = await claimed(service);
    for (const line of ["  ", "x".repeat(4097)])
      await expect(rehearseClaim(service.ctx, account.id, claim.id, line)).rejects.toMatchObject({
        code: "invalid_request",
      });
  });
});
