import { describe, expect, test } from "vitest";
import { cancelClaim } from "../claims/claims.server.ts";
import { runVerification } from "../claims/verifications.server.ts";
import { DeedError } from "../errors.server.ts";
import { foundAt, partialAt } from "../testing/observations.ts";
import { claimed, NOON, type TestService, testService } from "../testing/service.ts";
import { claimScreen } from "./claim-screen.server.ts";
import { rehearseClaim } from "./rehearsal.server.ts";

const stay = new AbortController().signal;

/** The name is in the zone acme.com, at GoDaddy. */
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
    expect(screen.labels).toMatchObject({
      host: "Name",
      hostToType: "_service-challenge.shop",
      valueToType: claim.token,
    });
    expect(screen.snippets.nsupdate).toContain("zone acme.com.");
    expect(screen).toMatchObject({
      reads: { count: 0 },
      shown: null,
      now: new Date(NOON).toISOString(),
      heldBy: "m•••@example.org",
    });
    expect(service.asked).toEqual([]);
  });

  test("waits for a record that no read has seen, and for an hour only", async () => {
    const service = testService();
    const { account, claim } = await claimed(service);
    const shown = async () => (await claimScreen(service.ctx, account.id, claim.id, null)).open;
    expect(await shown()).toBe("waiting_for_record");
    await runVerification(service.ctx, account.id, claim.verificationId, stay);
    expect(await shown()).toBe("waiting_for_record");
    service.now += 3_600_000;
    expect(await shown()).toBe("needs_you");
  });

  test("needs its holder once a record was seen and is gone", async () => {
    const service = testService();
    const { account, claim } = await claimed(service);
    const absent = service.see;
    service.see = partialAt;
    await runVerification(service.ctx, account.id, claim.verificationId, stay);
    service.see = absent;
    await runVerification(service.ctx, account.id, claim.verificationId, stay);
    const { open, verification } = await claimScreen(service.ctx, account.id, claim.id, null);
    expect(verification.diagnosis?.code).toBe("record_absent");
    expect(open).toBe("needs_you");
  });

  test("does without the zone where it cannot be told", async () => {
    const service = testService();
    const { account, claim } = await claimed(service);
    const { labels } = await claimScreen(service.ctx, account.id, claim.id, null);
    expect(labels).toMatchObject({ host: "Name (or Host)", hostToType: "_service-challenge" });
  });

  test("shows each read with its evidence, the newest unless another is asked for", async () => {
    const service = testService();
    const { account, claim } = await claimed(service);
    await runVerification(service.ctx, account.id, claim.verificationId, stay);
    service.now += 60_000;
    service.see = foundAt;
    await runVerification(service.ctx, account.id, claim.verificationId, stay);
    const screen = await claimScreen(service.ctx, account.id, claim.id, null);
    const [newest, before] = screen.reads.groups;
    expect(newest?.results).toEqual([{ outcome: "found", code: null, count: 1 }]);
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

const freely = async () => {};

describe("a rehearsal", () => {
  test("names the mistake in the panel's words, without a question to DNS about the record", async () => {
    const service = testService();
    hosted(service);
    const { account, claim } = await claimed(service);
    const line = `_service-challenge.acme.com ${claim.token}`;
    const { diagnosis } = await rehearseClaim(service.ctx, account.id, claim.id, line, freely);
    expect(diagnosis).toMatchObject({ code: "domain_appended" });
    expect(diagnosis?.fix).toContain("GoDaddy");
    expect(service.asked).toEqual([]);
  });

  test("finds nothing wrong with the record as it should be", async () => {
    const service = testService();
    hosted(service);
    const { account, claim } = await claimed(service);
    const line = `_service-challenge.acme.com. 300 IN TXT "${claim.token}"`;
    expect(await rehearseClaim(service.ctx, account.id, claim.id, line, freely)).toEqual({
      name: "_service-challenge.acme.com",
      type: "TXT",
      value: claim.token,
      diagnosis: null,
      pastes: [],
      warning: null,
    });
  });

  test("says what would be, not what is", async () => {
    const service = testService();
    hosted(service);
    const { account, claim } = await claimed(service);
    const line = `_service-challenge.acme.com ${claim.token}`;
    const { diagnosis } = await rehearseClaim(service.ctx, account.id, claim.id, line, freely);
    expect(diagnosis?.cause).toMatch(/^If you save this, .* the record will be at /);
    expect(diagnosis?.fix).not.toContain("edit the record");
  });

  describe("of a record below a name that a wildcard answers for", () => {
    const wild = async () => ({ type: "read", wildcard: "*.acme.com" }) as const;
    async function shop(service: TestService) {
      hosted(service);
      return claimed(service, "maria@example.org", "shop.acme.com");
    }
    const right = (token: string) => `_service-challenge.shop IN TXT "${token}"`;

    test("warns that the wildcard would stop answering", async () => {
      const service = testService();
      const { account, claim } = await shop(service);
      service.seeWildcard = wild;
      for (const [line, code] of [
        [right(claim.token), undefined],
        [claim.token, undefined],
        [`shop IN TXT "${claim.token}"`, "record_at_apex"],
      ] as const) {
        const { diagnosis, warning } = await rehearseClaim(
          service.ctx,
          account.id,
          claim.id,
          line,
          freely,
        );
        expect(diagnosis?.code).toBe(code);
        expect(warning).toContain("The wildcard *.acme.com answers for shop.acme.com today.");
        expect(warning).toContain("It will stop");
      }
    });

    test("says nothing where the record would be elsewhere, or no wildcard answers", async () => {
      const service = testService();
      const { account, claim } = await shop(service);
      const warned = async (line: string) =>
        (await rehearseClaim(service.ctx, account.id, claim.id, line, freely)).warning;
      expect(await warned(right(claim.token))).toBeNull();
      service.seeWildcard = wild;
      expect(await warned(`_service-challenge IN TXT "${claim.token}"`)).toBeNull();
    });

    test("says so where nobody could tell", async () => {
      const service = testService();
      const { account, claim } = await shop(service);
      service.seeWildcard = async () => ({ type: "unresolvable" });
      const line = right(claim.token);
      const { warning } = await rehearseClaim(service.ctx, account.id, claim.id, line, freely);
      expect(warning).toContain("Deed could not check whether a wildcard answers");
    });

    test("asks DNS only where it may", async () => {
      const service = testService();
      const { account, claim } = await shop(service);
      service.seeWildcard = () => Promise.reject(new Error("asked"));
      const refuse = () => Promise.reject(new DeedError("rate_limited"));
      await expect(
        rehearseClaim(service.ctx, account.id, claim.id, right(claim.token), refuse),
      ).rejects.toMatchObject({ code: "rate_limited" });
    });
  });

  test("recognises the token of an ended claim on the name", async () => {
    const service = testService();
    const { account, claim } = await claimed(service);
    await cancelClaim(service.ctx, account.id, claim.id);
    const { claim: second } = await claimed(service);
    const { diagnosis } = await rehearseClaim(
      service.ctx,
      account.id,
      second.id,
      claim.token,
      freely,
    );
    expect(diagnosis).toMatchObject({ code: "expired_token" });
  });

  test("refuses nothing, and more than one record's worth", async () => {
    const service = testService();
    const { account, claim } = await claimed(service);
    for (const line of ["  ", "x".repeat(4097)])
      await expect(
        rehearseClaim(service.ctx, account.id, claim.id, line, freely),
      ).rejects.toMatchObject({
        code: "invalid_request",
      });
  });
});
