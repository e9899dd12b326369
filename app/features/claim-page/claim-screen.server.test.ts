import { partialAt } from "@deed/dns/testing/readings.ts";
import { describe, expect, test } from "vitest";
import { claimed, NOON, proved, published, testService } from "#app/core/testing/service.ts";
import { iso } from "#app/core/time.ts";
import { cancelClaim } from "#app/features/claims/claims.server.ts";
import { revokeKey } from "../receipts/keys.server.ts";
import { live, movedAt } from "../watching/testing.ts";
import { watchClaim } from "../watching/watches.server.ts";
import { claimScreen } from "./claim-screen.server.ts";

describe("the screen of a claim", () => {
  test("asks for the host its panel wants before any read of the claim", async () => {
    const service = testService();
    const nameservers = ["ns61.domaincontrol.com", "ns62.domaincontrol.com"];
    const read = { type: "read", zone: "acme.com", ttl: 600, negativeTtl: 300 } as const;
    service.seeZone = async () => ({ ...read, nameservers, at: service.now });
    const { account, claim } = await claimed(service, "maria@example.org", "shop.acme.com");
    const screen = await claimScreen(service.ctx, account.id, claim.id, {});
    const hostToType = "_service-challenge.shop";
    expect(screen).toMatchObject({
      labels: { host: "Name", hostToType, valueToType: claim.token },
      snippets: { nsupdate: expect.stringContaining("zone acme.com.") },
      ...{ checks: 0, shown: null, now: iso(NOON), heldBy: "m•••@example.org" },
    });
    expect([service.asked, screen.reloads]).toEqual([[], null]);
    const live = await claimScreen(service.ctx, account.id, claim.id, { isLive: true });
    expect(live.reloads).toBe(15);
  });

  test("says that readers of its link are told the proof is not confirmed", async () => {
    const { ctx, account, claim } = await published();
    const isDoubted = async () => (await claimScreen(ctx, account.id, claim.id, {})).isDoubted;
    expect(await isDoubted()).toBe(false);
    await revokeKey(ctx.db, ctx.signer.kid, NOON);
    expect(await isDoubted()).toBe(true);
  });

  test("asks for the record in the words of the panel that a watched domain moved to", async () => {
    const { service, ctx, account, claim } = await proved();
    await watchClaim(ctx, account.id, claim.id);
    await live(service, 2, (...asked) => {
      const seen = movedAt(...asked);
      const nameservers = ["ada.ns.cloudflare.com", "bob.ns.cloudflare.com"];
      return { ...seen, delegation: { ...seen.delegation, nameservers } as typeof seen.delegation };
    });
    const { labels, recordUse } = await claimScreen(ctx, account.id, claim.id, {});
    expect(recordUse.watch?.state).toBe("moved");
    expect(labels).toMatchObject({ provider: "Cloudflare", value: "Content" });
  });

  test("needs its holder once a record was seen and is gone", async () => {
    const { service, ctx, account, claim, run } = await claimed();
    const absent = service.see;
    await run(partialAt);
    await run(absent);
    const { open, verification } = await claimScreen(ctx, account.id, claim.id, {});
    expect([verification.diagnosis?.code, open]).toEqual(["record_absent", "needs_you"]);
  });

  test("keeps the record once the claim has ended, and is nobody else's", async () => {
    const { ctx, account, claim } = await claimed();
    await cancelClaim(ctx, account.id, claim.id);
    const screen = await claimScreen(ctx, account.id, claim.id, {});
    expect(screen.claim.records).toEqual([]);
    const record = { name: "_service-challenge.acme.com", value: claim.token };
    expect(screen.record).toMatchObject(record);
    const other = claimScreen(ctx, "acc_other", claim.id, {});
    await expect(other).rejects.toMatchObject({ code: "claim_not_found" });
  });
});
