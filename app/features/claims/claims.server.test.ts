import {
  absentAt,
  foundAt,
  partialAt,
  rememberedAt,
  unreachableAt,
} from "@deed/dns/testing/readings.ts";
import { describe, expect, test } from "vitest";
import { accountForEmail } from "#app/core/testing/accounts.ts";
import { claimed, NOON, type TestService, testService } from "#app/core/testing/service.ts";
import { claims, verifications } from "#db/schema.ts";
import {
  addDomain,
  archiveDomain,
  listDomains,
  readListedDomain,
} from "../domains/domains.server.ts";
import { MAX_READS } from "./active-runs.ts";
import { cancelClaim, listClaims, openClaim, readClaim } from "./claims.server.ts";
import { startDueReads } from "./runs.server.ts";
import { DEADLINE_LEAD_MS, WINDOW_MS } from "./transition.ts";
import { listAttempts, readVerification, runVerification } from "./verifications.server.ts";

const stay = new AbortController().signal;
const iso = (ms: number) => new Date(ms).toISOString();

async function prove(service: TestService, email: string, name = "acme.com") {
  const mine = await claimed(service, email, name);
  service.see = foundAt;
  await runVerification(service.ctx, mine.account.id, mine.claim.verificationId, stay);
  service.see = absentAt;
  return mine;
}

describe("opening", () => {
  test("gives a token, the record to create, a verification and seven days", async () => {
    const service = testService();
    const { account, claim } = await claimed(service);
    expect(claim).toMatchObject({
      domain: "acme.com",
      state: "pending",
      createdAt: iso(NOON),
      expiresAt: iso(NOON + 7 * 86_400_000),
      endedAt: null,
    });
    expect(claim.token).toMatch(/^service_v1_[0-9a-f]{40}$/);
    expect(claim.records).toEqual([
      {
        host: "_service-challenge",
        name: "_service-challenge.acme.com",
        type: "TXT",
        value: claim.token,
      },
    ]);
    const shown = await readVerification(service.ctx, account.id, claim.verificationId);
    expect(shown).toEqual({
      id: claim.verificationId,
      claimId: claim.id,
      method: "dns_txt",
      status: "checking",
      lastOutcome: null,
      diagnosis: null,
      waitEstimate: { reason: "first_check", secondsRemaining: 30 },
      registry: null,
      lastRunAt: null,
      nextRunAt: iso(NOON + 30_000),
      deadline: claim.expiresAt,
      createdAt: iso(NOON),
    });
  });

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

  test("tells what to type once a read has told the zone, and keeps it when the claim has ended", async () => {
    const service = testService();
    const { account, claim } = await claimed(service, "maria@example.org", "shop.acme.com");
    expect(claim.panel).toBeNull();
    const read = async () => (await readClaim(service.ctx, account.id, claim.id)).panel;
    const run = () => runVerification(service.ctx, account.id, claim.verificationId, stay);
    service.see = (question, at) => ({
      ...unreachableAt(question, at),
      delegation: { type: "none", parent: "com", rcode: "NXDOMAIN" },
    });
    await run();
    expect(await read()).toBeNull();
    service.see = (question, at) => ({
      ...absentAt(question, at),
      delegation: {
        type: "delegated",
        zone: "acme.com",
        parent: "com",
        nameservers: ["ns61.domaincontrol.com", "ns62.domaincontrol.com"],
        ttl: 3600,
      },
    });
    await run();
    const panel = { zone: "acme.com", host: "_service-challenge.shop", provider: "godaddy" };
    expect(await read()).toEqual(panel);
    expect((await listClaims(service.ctx, account.id)).claims).toMatchObject([{ panel }]);
    await expect(openClaim(service.ctx, account.id, claim.domainId)).rejects.toMatchObject({
      details: { extra: { claim: { panel, records: [{ host: "_service-challenge" }] } } },
    });
    const canceled = await cancelClaim(service.ctx, account.id, claim.id);
    expect(canceled).toMatchObject({ panel, records: [] });
  });

  test("twice: already_claimed hands back the claim held, and no second token is issued", async () => {
    const service = testService();
    const { account, claim } = await claimed(service);
    const held = await readClaim(service.ctx, account.id, claim.id);
    await expect(openClaim(service.ctx, account.id, claim.domainId)).rejects.toMatchObject({
      code: "already_claimed",
      details: { extra: { claim: held } },
    });
    expect(service.ctx.db.select().from(claims).all()).toHaveLength(1);
  });

  test("two at once: one opens, the other is handed it", async () => {
    const service = testService();
    const account = await accountForEmail(service.ctx, "maria@example.org");
    const { domain } = await addDomain(service.ctx, account.id, "acme.com");
    const both = await Promise.allSettled([
      openClaim(service.ctx, account.id, domain.id),
      openClaim(service.ctx, account.id, domain.id),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });

  test("on another account's domain, or none: domain_not_found, nothing written", async () => {
    const service = testService();
    const { claim } = await claimed(service);
    const stranger = await accountForEmail(service.ctx, "stranger@example.org");
    for (const id of [claim.domainId, "dom_none"]) {
      await expect(openClaim(service.ctx, stranger.id, id)).rejects.toMatchObject({
        code: "domain_not_found",
      });
    }
    expect(service.ctx.db.select().from(claims).all()).toHaveLength(1);
  });

  test("on an archived domain: domain_archived", async () => {
    const service = testService();
    const { account, claim } = await claimed(service);
    await archiveDomain(service.ctx, account.id, claim.domainId);
    await expect(openClaim(service.ctx, account.id, claim.domainId)).rejects.toMatchObject({
      code: "domain_archived",
    });
  });
});

describe("canceling", () => {
  test("ends the claim and stops the verification, which keeps its wait at 0", async () => {
    const service = testService();
    const { account, claim } = await claimed(service);
    service.now += 5_000;
    const canceled = await cancelClaim(service.ctx, account.id, claim.id);
    expect(canceled).toMatchObject({ state: "canceled", records: [], endedAt: iso(NOON + 5_000) });
    const shown = await readVerification(service.ctx, account.id, claim.verificationId);
    expect(shown).toMatchObject({
      status: "stopped",
      nextRunAt: null,
      waitEstimate: { reason: "first_check", secondsRemaining: 0 },
    });
    await expect(
      runVerification(service.ctx, account.id, claim.verificationId, stay),
    ).rejects.toMatchObject({ code: "verification_not_running" });
  });

  test("twice: claim_ended; claiming again issues a new token", async () => {
    const service = testService();
    const { account, claim } = await claimed(service);
    await cancelClaim(service.ctx, account.id, claim.id);
    await expect(cancelClaim(service.ctx, account.id, claim.id)).rejects.toMatchObject({
      code: "claim_ended",
    });
    const again = await openClaim(service.ctx, account.id, claim.domainId);
    expect(again.token).not.toBe(claim.token);
    const { domainId } = claim;
    expect((await listClaims(service.ctx, account.id, { domainId })).claims).toHaveLength(2);
  });

  test("past the deadline: it has expired", async () => {
    const service = testService();
    const { account, claim } = await claimed(service);
    service.now += WINDOW_MS;
    await expect(cancelClaim(service.ctx, account.id, claim.id)).rejects.toMatchObject({
      code: "claim_ended",
    });
    expect((await readClaim(service.ctx, account.id, claim.id)).state).toBe("expired");
  });
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
    const service = testService();
    const { account, claim } = await claimed(service);
    const deadline = Date.parse(claim.expiresAt);
    await live(service, deadline);
    const attempts = await listAttempts(service.ctx, account.id, claim.verificationId);
    const triggers = attempts.map(({ trigger }) => trigger);
    expect(triggers.at(-1)).toBe("first_check");
    expect(triggers[0]).toBe("deadline");
    expect(triggers.slice(1, -1).every((trigger) => trigger === "scheduled")).toBe(true);
    expect(attempts[0]?.at).toBe(iso(deadline - DEADLINE_LEAD_MS));
    expect(attempts.length).toBeGreaterThan(200);
    expect(attempts.length).toBeLessThan(240);

    service.now = deadline + 3 * 86_400_000;
    const expired = await readClaim(service.ctx, account.id, claim.id);
    expect(expired).toMatchObject({ state: "expired", endedAt: claim.expiresAt, records: [] });
    const shown = await readVerification(service.ctx, account.id, claim.verificationId);
    expect(shown).toMatchObject({ status: "exhausted", nextRunAt: null, waitEstimate: null });
    expect(shown.diagnosis).not.toBeNull();
  });

  test("a record that appears before the deadline read is proved by it", async () => {
    const service = testService();
    const { account, claim } = await claimed(service);
    const deadline = Date.parse(claim.expiresAt);
    await live(service, deadline - DEADLINE_LEAD_MS);
    service.see = foundAt;
    await live(service, deadline);
    const proved = await readClaim(service.ctx, account.id, claim.id);
    expect(proved).toMatchObject({ state: "proved", endedAt: iso(deadline - DEADLINE_LEAD_MS) });
  });

  test("nobody sees a pending claim past it: not read-one, list, domain, status filter, counts", async () => {
    const overdue = async () => {
      const service = testService();
      const mine = await claimed(service);
      service.now += WINDOW_MS;
      return { ...service, ...mine };
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
    await expect(
      runVerification(six.ctx, six.account.id, six.claim.verificationId, stay),
    ).rejects.toMatchObject({ code: "verification_not_running" });
    const seven = await overdue();
    const again = await openClaim(seven.ctx, seven.account.id, seven.claim.domainId);
    expect(again.state).toBe("pending");
  });
});

// C6.17, C6.18, C6.19
describe("waits and diagnoses as shown", () => {
  test("a negative cache counts down between reads; its attempt keeps the diagnosis", async () => {
    const service = testService();
    const { account, claim } = await claimed(service);
    service.see = rememberedAt;
    const shown = await runVerification(service.ctx, account.id, claim.verificationId, stay);
    expect(shown).toMatchObject({ status: "propagating", diagnosis: null });
    expect(shown.waitEstimate?.reason).toBe("negative_cache");
    const remaining = shown.waitEstimate?.secondsRemaining ?? 0;
    service.now += 60_000;
    const later = await readVerification(service.ctx, account.id, claim.verificationId);
    expect(later.waitEstimate?.secondsRemaining).toBe(remaining - 60);
    const [attempt] = await listAttempts(service.ctx, account.id, claim.verificationId);
    expect(attempt?.diagnosis).toMatchObject({ code: "negative_cache", awaits: "resolvers" });
    service.now += 3_600_000;
    const past = await readVerification(service.ctx, account.id, claim.verificationId);
    expect(past.waitEstimate?.secondsRemaining).toBe(0);
  });

  test("one nameserver of two: synchronising, and the attempt carries no diagnosis", async () => {
    const service = testService();
    const { account, claim } = await claimed(service);
    service.see = partialAt;
    const shown = await runVerification(service.ctx, account.id, claim.verificationId, stay);
    expect(shown).toMatchObject({ status: "propagating", diagnosis: null });
    expect(shown.waitEstimate).toMatchObject({
      reason: "nameserver_sync",
      observed: { nameservers: ["ns2.example.net"], publishedOn: ["ns1.example.net"] },
    });
    const [attempt] = await listAttempts(service.ctx, account.id, claim.verificationId);
    expect(attempt?.diagnosis).toBeNull();
  });
});

describe("coexistence", () => {
  test("two accounts prove one name: both stay proved, each named to the other by its mask", async () => {
    const service = testService();
    const first = await prove(service, "maria@acme.com");
    service.now += 3_600_000;
    const second = await claimed(service, "ivan@other.org");
    expect(await readClaim(service.ctx, second.account.id, second.claim.id)).toMatchObject({
      coexistence: { type: "unnamed" },
    });
    service.see = foundAt;
    await runVerification(service.ctx, second.account.id, second.claim.verificationId, stay);
    const one = await readClaim(service.ctx, first.account.id, first.claim.id);
    const two = await readClaim(service.ctx, second.account.id, second.claim.id);
    expect(one).toMatchObject({
      state: "proved",
      coexistence: { type: "named", maskedEmail: "i•••@other.org", provedAt: two.endedAt },
    });
    expect(two).toMatchObject({
      state: "proved",
      coexistence: { type: "named", maskedEmail: "m•••@acme.com", provedAt: one.endedAt },
    });
  });

  test("is null while nobody else has proved the name", async () => {
    const service = testService();
    const first = await prove(service, "maria@acme.com");
    await claimed(service, "ivan@other.org");
    const mine = await readClaim(service.ctx, first.account.id, first.claim.id);
    expect(mine.coexistence).toBeNull();
  });
});

test("a foreign claim and a missing one read the same", async () => {
  const service = testService();
  const { claim } = await claimed(service);
  const stranger = await accountForEmail(service.ctx, "stranger@example.org");
  for (const id of [claim.id, "clm_none"]) {
    for (const act of [readClaim, cancelClaim]) {
      await expect(act(service.ctx, stranger.id, id)).rejects.toMatchObject({
        code: "claim_not_found",
      });
    }
  }
  const { domainId } = claim;
  await expect(listClaims(service.ctx, stranger.id, { domainId })).rejects.toMatchObject({
    code: "domain_not_found",
  });
});

test("the claim in play: a later attempt that failed never hides a standing proof", async () => {
  const service = testService();
  const { account, claim } = await prove(service, "maria@acme.com");
  const status = async () =>
    (await readListedDomain(service.ctx, account.id, claim.domainId)).status;
  expect(await status()).toBe("proved");
  service.now += 1_000;
  const again = await openClaim(service.ctx, account.id, claim.domainId);
  expect(await status()).toBe("pending");
  await cancelClaim(service.ctx, account.id, again.id);
  expect(await readListedDomain(service.ctx, account.id, claim.domainId)).toMatchObject({
    status: "proved",
    claimId: claim.id,
  });
});
