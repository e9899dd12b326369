import { foundAt, partialAt } from "@deed/dns/testing/readings.ts";
import { describe, expect, test } from "vitest";
import { claimed, NOON, testService } from "#app/core/testing/service.ts";
import { cancelClaim } from "#app/features/claims/claims.server.ts";
import { claimScreen } from "./claim-screen.server.ts";

describe("the screen of a claim", () => {
  test("asks for the host its panel wants before any read of the claim", async () => {
    const service = testService();
    const nameservers = ["ns61.domaincontrol.com", "ns62.domaincontrol.com"];
    const read = {
      type: "read",
      zone: "acme.com",
      nameservers,
      ttl: 600,
      negativeTtl: 300,
    } as const;
    service.seeZone = async () => ({ ...read, at: service.now });
    const { account, claim } = await claimed(service, "maria@example.org", "shop.acme.com");
    const screen = await claimScreen(service.ctx, account.id, claim.id);
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

  test("needs its holder once a record was seen and is gone", async () => {
    const { service, ctx, account, claim, run } = await claimed();
    const absent = service.see;
    service.see = partialAt;
    await run();
    service.see = absent;
    await run();
    const { open, verification } = await claimScreen(ctx, account.id, claim.id);
    expect(verification.diagnosis?.code).toBe("record_absent");
    expect(open).toBe("needs_you");
  });

  test("shows each read with its evidence, the newest unless another is asked for", async () => {
    const { service, ctx, account, claim, run } = await claimed();
    await run();
    service.now += 60_000;
    service.see = foundAt;
    await run();
    const screen = await claimScreen(ctx, account.id, claim.id);
    const [newest, before] = screen.reads.groups;
    expect(newest?.results).toEqual([{ says: "found", tone: "proved", count: 1 }]);
    expect(screen.shown).toMatchObject({ id: newest?.id, evidence: { at: service.now } });
    const older = before?.id ?? "";
    const asked = await claimScreen(ctx, account.id, claim.id, { read: older });
    expect(asked.shown).toMatchObject({ id: older, evidence: { at: NOON } });
  });

  test("keeps the record once the claim has ended, and is nobody else's", async () => {
    const { ctx, account, claim } = await claimed();
    await cancelClaim(ctx, account.id, claim.id);
    const screen = await claimScreen(ctx, account.id, claim.id);
    expect(screen.claim.records).toEqual([]);
    expect(screen.record).toMatchObject({
      name: "_service-challenge.acme.com",
      value: claim.token,
    });
    await expect(claimScreen(ctx, "acc_other", claim.id)).rejects.toMatchObject({
      code: "claim_not_found",
    });
  });
});
