import { absentAt, foundAt, partialAt, rememberedAt } from "@deed/dns/testing/readings.ts";
import { describe, expect, test } from "vitest";
import { claimed, liveUntil, NOON, proved, testService } from "#app/core/testing/service.ts";
import { DAY, HOUR, iso, MINUTE } from "#app/core/time.ts";
import { claims } from "#db/schema.ts";
import { addDomain, listDomains, readListedDomain } from "../domains/domains.server.ts";
import { goneAt } from "../watching/testing.ts";
import { cancelClaim, listClaims, openClaim } from "./claims.server.ts";
import { DEADLINE_LEAD_MS, WINDOW_MS } from "./transition.ts";

type Mine = Awaited<ReturnType<typeof claimed>>;

describe("opening", () => {
  // C19.7
  test("one more than an account may have open: too_many_claims, and nothing is opened", async () => {
    const service = testService();
    const { ctx } = service;
    ctx.settings.openClaims = 3;
    const email = "maria@example.org";
    const { account, claim } = await claimed(service, email, "a.example");
    await claimed(service, email, "b.example");
    const add = (name: string) => addDomain(ctx, account.id, name);
    const [c, d] = [await add("c.example"), await add("d.example")];
    const open = (id: string) => openClaim(ctx, account.id, id);
    const [, second] = await Promise.allSettled([open(c.domain.id), open(d.domain.id)]);
    const message = expect.stringContaining("can have 3");
    expect(second).toMatchObject({ reason: { code: "too_many_claims", message } });
    expect(ctx.db.select().from(claims).all()).toHaveLength(3);
    // An open claim still has its own error, and the limit is per account.
    await expect(open(claim.domainId)).rejects.toMatchObject({ code: "already_claimed" });
    await claimed(service, "jonas@example.org", "d.example");

    await cancelClaim(ctx, account.id, claim.id);
    expect((await open(d.domain.id)).state).toBe("pending");
    await expect(open(claim.domainId)).rejects.toMatchObject({ code: "too_many_claims" });
    // What is past its deadline counts no more, though nobody has expired it yet.
    service.now += WINDOW_MS;
    expect((await open(claim.domainId)).state).toBe("pending");
  });

  test("C5.6: what to type is told once a read has told the zone, also after the end", async () => {
    const mine = await claimed(undefined, undefined, "shop.acme.com");
    const { ctx, account, claim } = mine;
    await mine.run(goneAt);
    expect((await mine.read()).panel).toBeNull();
    const nameservers = ["ns61.domaincontrol.com", "ns62.domaincontrol.com"];
    const zone = { zone: "acme.com", parent: "com", nameservers, ttl: 3600 };
    const delegation = { type: "delegated", ...zone } as const;
    await mine.run((question, at) => ({ ...absentAt(question, at), delegation }));
    const panel = { zone: "acme.com", host: "_service-challenge.shop", provider: "godaddy" };
    await expect(openClaim(ctx, account.id, claim.domainId)).rejects.toMatchObject({
      details: { extra: { claim: { panel, records: [{ host: "_service-challenge" }] } } },
    });
    const canceled = await cancelClaim(ctx, account.id, claim.id);
    expect(canceled).toMatchObject({ panel, records: [] });
  });
});

const WAITED = { reason: "first_check", secondsRemaining: 0 };
const STOPPED = { status: "stopped", waitEstimate: WAITED };
const FOUND = { status: "proved", lastOutcome: "found", diagnosis: null, waitEstimate: null };

// C1.4, C5.5, C5.9, C5.12, C5.13, C5.14, C6.6, C6.7, C6.12, C6.16
test.each<[state: string, end: (mine: Mine) => Promise<unknown>, verification: object]>([
  ["canceled", ({ ctx, account, claim }) => cancelClaim(ctx, account.id, claim.id), STOPPED],
  ["proved", ({ run }) => run(foundAt), FOUND],
])("an ended claim stays %s, and the next has another token", async (state, end, shown) => {
  const mine = await claimed();
  const { service, ctx, account, claim, read } = mine;
  // C2.11, C6.2, C6.3
  const first = { reason: "first_check", secondsRemaining: 10 };
  const unread = { status: "checking", diagnosis: null, waitEstimate: first };
  expect(await mine.shown()).toMatchObject({ ...unread, nextRunAt: iso(NOON + 10_000) });
  await end(mine);
  const ended = await read();
  expect(ended).toMatchObject({ state, records: [], token: claim.token, endedAt: iso(NOON) });
  expect(await mine.shown()).toMatchObject({ ...shown, nextRunAt: null });
  const again = cancelClaim(ctx, account.id, claim.id);
  await expect(again).rejects.toMatchObject({ code: "claim_ended" });
  await expect(mine.run()).rejects.toMatchObject({ code: "verification_not_running" });
  service.now += 1;
  const next = await openClaim(ctx, account.id, claim.domainId);
  expect(next.token).not.toBe(claim.token);
  expect(await read()).toEqual(ended);
  const { claims } = await listClaims(ctx, account.id, {});
  expect(claims.map(({ id }) => id)).toEqual([next.id, claim.id]);
});

describe("C5.15: the seven-day window", () => {
  test("is read on schedule to its end, with one deadline read, and expires at expiresAt", async () => {
    const { service, claim, read, shown, attempts } = await claimed();
    const deadline = Date.parse(claim.expiresAt);
    await liveUntil(service, deadline);
    const reads = await attempts();
    const triggers = reads.map(({ trigger }) => trigger);
    const between = Array(reads.length - 2).fill("scheduled");
    expect(triggers).toEqual(["deadline", ...between, "first_check"]);
    expect(reads[0]?.at).toBe(iso(deadline - DEADLINE_LEAD_MS));
    expect(reads.length).toBeGreaterThan(340);
    expect(reads.length).toBeLessThan(390);

    service.now = deadline + 3 * DAY;
    const expired = { state: "expired", endedAt: claim.expiresAt, records: [] };
    expect(await read()).toMatchObject(expired);
    const { diagnosis, ...ended } = await shown();
    expect(ended).toMatchObject({ status: "exhausted", nextRunAt: null, waitEstimate: null });
    expect(diagnosis).not.toBeNull();
  });

  const EXPIRED = { state: "expired", endedAt: iso(Date.UTC(2026, 0, 10, 12)) };
  const ENDED = { status: "expired", claimEndedAt: EXPIRED.endedAt };
  const NOTHING = { domains: [], counts: { pending: 0, expired: 1 } };
  test.each<[string, (mine: Mine, ...ids: [Mine["ctx"], string]) => Promise<unknown>, object]>([
    ["the claim", ({ read }) => read(), EXPIRED],
    ["claims", (_, ...own) => listClaims(...own, {}), { claims: [EXPIRED] }],
    ["the domain", ({ claim }, ...own) => readListedDomain(...own, claim.domainId), ENDED],
    ["domains", (_, ...own) => listDomains(...own, { status: "pending" }), NOTHING],
    ["the verification", ({ shown }) => shown(), { status: "exhausted" }],
    ["a run", ({ run }) => run(), { code: "verification_not_running" }],
    ["canceling", ({ claim }, ...own) => cancelClaim(...own, claim.id), { code: "claim_ended" }],
    ["another", ({ claim }, ...own) => openClaim(...own, claim.domainId), { state: "pending" }],
  ])("nobody sees a pending claim past it: %s", async (_, act, seen) => {
    const mine = await claimed();
    mine.service.now += WINDOW_MS;
    const answer = await act(mine, mine.ctx, mine.account.id).catch((error: unknown) => error);
    expect(answer).toMatchObject(seen);
    expect(await mine.read()).toMatchObject(EXPIRED);
  });
});

describe("C6.17, C6.18, C6.19: waits and diagnoses as shown", () => {
  const WAITS = { status: "propagating", diagnosis: null };
  test("a negative cache counts down between reads; its attempt keeps the diagnosis", async () => {
    const { service, run, shown, attempts } = await claimed();
    const waitEstimate = { reason: "negative_cache" };
    expect(await run(rememberedAt)).toMatchObject({ ...WAITS, waitEstimate });
    const remaining = async () => (await shown()).waitEstimate?.secondsRemaining;
    const first = (await remaining()) ?? 0;
    service.now += MINUTE;
    expect(await remaining()).toBe(first - 60);
    const [attempt] = await attempts();
    expect(attempt?.diagnosis).toMatchObject({ code: "negative_cache", awaits: "resolvers" });
    service.now += HOUR;
    expect(await remaining()).toBe(0);
  });

  test("one nameserver of two: synchronising, and the attempt carries no diagnosis", async () => {
    const { run, attempts } = await claimed();
    const observed = { nameservers: ["ns2.example.net"], publishedOn: ["ns1.example.net"] };
    const waitEstimate = { reason: "nameserver_sync", observed };
    expect(await run(partialAt)).toMatchObject({ ...WAITS, waitEstimate });
    expect(await attempts()).toMatchObject([{ diagnosis: null }]);
  });
});

test("C27.8: claims are listed by pages where a query says how, else all at once", async () => {
  const { service, ctx, account, claim } = await claimed();
  const made = [claim.id];
  for (const reference of ["one", "one", "two"]) {
    service.now += 1;
    const { domain } = await addDomain(ctx, account.id, `n${made.length}.example`, { reference });
    made.unshift((await openClaim(ctx, account.id, domain.id)).id);
  }
  const page = async (query: Parameters<typeof listClaims>[2]) => {
    const { claims, nextCursor } = await listClaims(ctx, account.id, query);
    return { ids: claims.map(({ id }) => id), nextCursor };
  };
  expect(await page({})).toEqual({ ids: made, nextCursor: null });
  const { ids, nextCursor } = await page({ limit: 3 });
  expect(ids).toEqual(made.slice(0, 3));
  const cursor = nextCursor ?? "";
  expect(await page({ cursor })).toEqual({ ids: made.slice(3), nextCursor: null });
  expect(await page({ reference: "one" })).toEqual({ ids: made.slice(1, 3), nextCursor: null });
  expect((await page({ reference: "one", limit: 1 })).ids).toEqual(made.slice(1, 2));
  expect((await page({ reference: "three" })).ids).toEqual([]);
});

// C1.6, C5.11
test("coexistence is null until somebody else has proved the name, and names them after one's own proof", async () => {
  const { service, read } = await proved(testService(), "maria@acme.com");
  const rival = await claimed(service, "ivan@other.org");
  expect((await read()).coexistence).toBeNull();
  expect((await rival.read()).coexistence).toEqual({ type: "unnamed" });
  service.now += DAY;
  await rival.run();
  for (const [{ state, coexistence }, maskedEmail, provedAt] of [
    [await read(), "i•••@other.org", iso(NOON + DAY)],
    [await rival.read(), "m•••@acme.com", iso(NOON)],
  ] as const)
    expect([state, coexistence]).toEqual(["proved", { type: "named", maskedEmail, provedAt }]);
});
