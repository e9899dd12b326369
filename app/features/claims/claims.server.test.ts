import { absentAt, partialAt, rememberedAt, unreachableAt } from "@deed/dns/testing/readings.ts";
import { describe, expect, test } from "vitest";
import { claimed, proved, type TestService, testService } from "#app/core/testing/service.ts";
import { claims, verifications } from "#db/schema.ts";
import { addDomain, listDomains, readListedDomain } from "../domains/domains.server.ts";
import { MAX_READS } from "./active-runs.ts";
import { cancelClaim, listClaims, openClaim, readClaim } from "./claims.server.ts";
import { startDueReads } from "./runs.server.ts";
import { DEADLINE_LEAD_MS, WINDOW_MS } from "./transition.ts";
import { listAttempts, readVerification } from "./verifications.server.ts";

const iso = (ms: number) => new Date(ms).toISOString();

describe("opening", () => {
  test("one more than an account may have open: too_many_claims, and nothing is opened", async () => {
    const service = testService();
    service.ctx.settings.openClaims = 3;
    const email = "maria@example.org";
    const { account, claim } = await claimed(service, email, "a.example");
    await claimed(service, email, "b.example");
    const [c, d] = await Promise.all(
      ["c.example", "d.example"].map((name) => addDomain(service.ctx, account.id, name)),
    );
    const open = (id = "") => openClaim(service.ctx, account.id, id);
    const both = await Promise.allSettled([open(c?.domain.id), open(d?.domain.id)]);
    expect(both).toMatchObject([
      { status: "fulfilled" },
      {
        status: "rejected",
        reason: { code: "too_many_claims", message: expect.stringContaining("can have 3") },
      },
    ]);
    expect(service.ctx.db.select().from(claims).all()).toHaveLength(3);
    // An open claim is still reported as such, and the limit is per account.
    await expect(open(claim.domainId)).rejects.toMatchObject({ code: "already_claimed" });
    await claimed(service, "jonas@example.org", "d.example");

    await cancelClaim(service.ctx, account.id, claim.id);
    expect((await open(d?.domain.id)).state).toBe("pending");
    await expect(open(claim.domainId)).rejects.toMatchObject({ code: "too_many_claims" });
  });

  test("what is past its deadline counts no more, though nobody has expired it yet", async () => {
    const service = testService();
    service.ctx.settings.openClaims = 1;
    await claimed(service, "maria@example.org", "a.example");
    service.now += WINDOW_MS;
    const { claim } = await claimed(service, "maria@example.org", "b.example");
    expect(claim.state).toBe("pending");
  });

  test("what to type is told once a read has told the zone, also when the claim has ended", async () => {
    const name = "shop.acme.com";
    const { service, ctx, account, claim, run } = await claimed(undefined, undefined, name);
    service.see = (question, at) => ({
      ...unreachableAt(question, at),
      delegation: { type: "none", parent: "com", rcode: "NXDOMAIN" },
    });
    await run();
    expect((await readClaim(ctx, account.id, claim.id)).panel).toBeNull();
    const nameservers = ["ns61.domaincontrol.com", "ns62.domaincontrol.com"];
    service.see = (question, at) => ({
      ...absentAt(question, at),
      delegation: { type: "delegated", zone: "acme.com", parent: "com", nameservers, ttl: 3600 },
    });
    await run();
    const panel = { zone: "acme.com", host: "_service-challenge.shop", provider: "godaddy" };
    await expect(openClaim(ctx, account.id, claim.domainId)).rejects.toMatchObject({
      details: { extra: { claim: { panel, records: [{ host: "_service-challenge" }] } } },
    });
    const canceled = await cancelClaim(ctx, account.id, claim.id);
    expect(canceled).toMatchObject({ panel, records: [] });
  });
});

test("a claim cannot be canceled past its deadline: it has expired", async () => {
  const { service, ctx, account, claim } = await claimed();
  service.now += WINDOW_MS;
  await expect(cancelClaim(ctx, account.id, claim.id)).rejects.toMatchObject({
    code: "claim_ended",
  });
  expect((await readClaim(ctx, account.id, claim.id)).state).toBe("expired");
});

// C5.15
describe("the seven-day window", () => {
  /** Lives through the window on the schedule alone. */
  async function live(service: TestService, until: number) {
    for (;;) {
      const row = service.ctx.db.select().from(verifications).get();
      if (!row?.nextRunAt || row.nextRunAt >= until) return;
      service.now = row.nextRunAt;
      await startDueReads(service.ctx, MAX_READS);
      await service.ctx.runs.drain(60_000);
    }
  }

  test("is read on schedule to its end, with one deadline read, and expires at expiresAt", async () => {
    const { service, ctx, account, claim } = await claimed();
    const deadline = Date.parse(claim.expiresAt);
    await live(service, deadline);
    const attempts = await listAttempts(ctx, account.id, claim.verificationId);
    const triggers = attempts.map(({ trigger }) => trigger);
    expect(triggers.at(-1)).toBe("first_check");
    expect(triggers[0]).toBe("deadline");
    expect(triggers.slice(1, -1).every((trigger) => trigger === "scheduled")).toBe(true);
    expect(attempts[0]?.at).toBe(iso(deadline - DEADLINE_LEAD_MS));
    expect(attempts.length).toBeGreaterThan(340);
    expect(attempts.length).toBeLessThan(390);

    service.now = deadline + 3 * 86_400_000;
    const expired = await readClaim(ctx, account.id, claim.id);
    expect(expired).toMatchObject({ state: "expired", endedAt: claim.expiresAt, records: [] });
    const shown = await readVerification(ctx, account.id, claim.verificationId);
    expect(shown).toMatchObject({ status: "exhausted", nextRunAt: null, waitEstimate: null });
    expect(shown.diagnosis).not.toBeNull();
  });

  test("nobody sees a pending claim past it: not read-one, list, domain, status filter, counts", async () => {
    const overdue = async () => {
      const mine = await claimed();
      mine.service.now += WINDOW_MS;
      return mine;
    };
    const one = await overdue();
    expect(await readClaim(one.ctx, one.account.id, one.claim.id)).toMatchObject({
      state: "expired",
      endedAt: one.claim.expiresAt,
    });
    const two = await overdue();
    expect((await listClaims(two.ctx, two.account.id)).claims).toMatchObject([
      { state: "expired" },
    ]);
    const three = await overdue();
    expect(await readListedDomain(three.ctx, three.account.id, three.claim.domainId)).toMatchObject(
      { status: "expired", claimEndedAt: three.claim.expiresAt },
    );
    const four = await overdue();
    expect(await listDomains(four.ctx, four.account.id, { status: "pending" })).toMatchObject({
      domains: [],
      counts: { pending: 0, expired: 1 },
    });
    const five = await overdue();
    const shown = await readVerification(five.ctx, five.account.id, five.claim.verificationId);
    expect(shown.status).toBe("exhausted");
    const six = await overdue();
    await expect(six.run()).rejects.toMatchObject({ code: "verification_not_running" });
    const seven = await overdue();
    const again = await openClaim(seven.ctx, seven.account.id, seven.claim.domainId);
    expect(again.state).toBe("pending");
  });
});

// C6.17, C6.18, C6.19
describe("waits and diagnoses as shown", () => {
  test("a negative cache counts down between reads; its attempt keeps the diagnosis", async () => {
    const { service, ctx, account, claim, run } = await claimed();
    service.see = rememberedAt;
    const shown = await run();
    expect(shown).toMatchObject({ status: "propagating", diagnosis: null });
    expect(shown.waitEstimate?.reason).toBe("negative_cache");
    const remaining = shown.waitEstimate?.secondsRemaining ?? 0;
    service.now += 60_000;
    const later = await readVerification(ctx, account.id, claim.verificationId);
    expect(later.waitEstimate?.secondsRemaining).toBe(remaining - 60);
    const [attempt] = await listAttempts(ctx, account.id, claim.verificationId);
    expect(attempt?.diagnosis).toMatchObject({ code: "negative_cache", awaits: "resolvers" });
    service.now += 3_600_000;
    const past = await readVerification(ctx, account.id, claim.verificationId);
    expect(past.waitEstimate?.secondsRemaining).toBe(0);
  });

  test("one nameserver of two: synchronising, and the attempt carries no diagnosis", async () => {
    const { service, ctx, account, claim, run } = await claimed();
    service.see = partialAt;
    const shown = await run();
    expect(shown).toMatchObject({ status: "propagating", diagnosis: null });
    expect(shown.waitEstimate).toMatchObject({
      reason: "nameserver_sync",
      observed: { nameservers: ["ns2.example.net"], publishedOn: ["ns1.example.net"] },
    });
    const [attempt] = await listAttempts(ctx, account.id, claim.verificationId);
    expect(attempt?.diagnosis).toBeNull();
  });
});

test("coexistence is null while nobody else has proved the name", async () => {
  const { service, ctx, account, claim } = await proved(testService(), "maria@acme.com");
  await claimed(service, "ivan@other.org");
  expect((await readClaim(ctx, account.id, claim.id)).coexistence).toBeNull();
});
