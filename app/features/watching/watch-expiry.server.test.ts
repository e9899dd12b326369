import { foundAt } from "@deed/dns/testing/readings.ts";
import { beforeEach, describe, expect, it } from "vitest";
import { NOON, stay } from "#app/core/testing/service.ts";
import { DAY, HOUR, iso } from "#app/core/time.ts";
import { noticeMails, watches } from "#db/schema.ts";
import { firstDue } from "#worker/index.ts";
import { openClaim } from "../claims/claims.server.ts";
import { runVerification } from "../claims/verifications.server.ts";
import { listNotices } from "../notices/notices.server.ts";
import { live, proofWithMessages, registry } from "./testing.ts";
import { watchClaim } from "./watches.server.ts";

/** By how much a registration is renewed. */
const TERM = 60 * DAY;

/** A watched proof, made at NOON, of a name whose registry says that it expires in forty days. */
async function watched(name = "acme.com") {
  const mine = await proofWithMessages(["domain.expiring", "domain.renewed"], name);
  const { ctx, service, account } = mine;
  const { urls, says } = registry(service);
  const expires = (at: number | null) => says(["2019-03-04T09:00:00Z"], at);
  expires(NOON + 40 * DAY);
  await mine.start();
  return {
    ...{ ...mine, urls, expires },
    liveTo: (until: number) => live(service, (until - service.now) / DAY, foundAt),
    notices: () =>
      listNotices(ctx, account.id, {}).notices.flatMap(({ kind, createdAt }) =>
        kind === "registration_expiring" ? [(Date.parse(createdAt) - NOON) / DAY] : [],
      ),
  };
}

let mine: Awaited<ReturnType<typeof watched>>;
beforeEach(async () => {
  mine = await watched();
});
const TOLD = "acme.com: registration ends on 12 February 2026";

describe("C29.13: a registration that ends", () => {
  it("is told 30, 7 and 1 days before, once each, by notice, mail and webhook, and taken back if renewed late", async () => {
    const { liveTo, watch, notices, events, subjects, service, urls, expires } = mine;
    await liveTo(NOON + 9 * DAY);
    expect([notices(), events(), subjects()]).toEqual([[], [], []]);
    expect(watch()).toMatchObject({ registrationExpiresAt: iso(NOON + 40 * DAY), every: "day" });
    await liveTo(NOON + 50 * DAY);
    expect(notices().map((day) => Math.round(day))).toEqual([39, 33, 10]);
    expect(events()).toEqual(Array(3).fill("domain.expiring"));
    expect(subjects()).toEqual([TOLD, TOLD, TOLD]);
    const text = service.mails.at(-1)?.text.replace(/\s+/g, " ");
    expect(text).toContain("unless it renews automatically.");
    // At most one question a day.
    expect(urls.length).toBeLessThan(50);
    expires(NOON + 40 * DAY + TERM);
    await liveTo(NOON + 52 * DAY);
    expect(events()[0]).toBe("domain.renewed");
  });

  it("is taken back once the date has moved: notices, mails not sent yet, and a word to webhooks", async () => {
    const { ctx, liveTo, notices, events, expires, watch } = mine;
    await liveTo(NOON + 34 * DAY);
    expect(notices()).toHaveLength(2);
    expires(NOON + 40 * DAY + TERM);
    const unsent = { dueAt: NOON + 36 * DAY, mailedAt: null };
    ctx.db.update(noticeMails).set(unsent).run();
    await liveTo(NOON + 35 * DAY + 2 * HOUR);
    expect([notices(), events()[0], events().length]).toEqual([[], "domain.renewed", 3]);
    expect(watch().registrationExpiresAt).toBe(iso(NOON + 40 * DAY + TERM));
    await liveTo(NOON + 50 * DAY);
    const mailed = mine.subjects().filter((one) => one === TOLD);
    expect([notices(), mailed.length, events().length]).toEqual([[], 2, 3]);
    await liveTo(NOON + 40 * DAY + TERM - 29 * DAY);
    expect([notices().length, events()[0]]).toEqual([1, "domain.expiring"]);
  });

  it("that ends soon when the watch begins is told once, with the warning that fits", async () => {
    mine.expires(NOON + 5 * DAY);
    await mine.liveTo(NOON + 2 * DAY);
    expect(mine.events()).toEqual(["domain.expiring"]);
    await mine.liveTo(NOON + 5 * DAY);
    expect(mine.events()).toHaveLength(2);
  });

  it.each([
    ["a registry that gives no date", "acme.com", null],
    ["one whose date is past", "acme.com", NOON - DAY],
    ["one that renews by itself", "acme.fr", NOON + 5 * DAY],
  ])("is not told of %s", async (_, name, expires) => {
    mine = await watched(name);
    mine.expires(expires);
    await mine.liveTo(NOON + 10 * DAY);
    const { registrationExpiresAt } = mine.watch();
    expect(registrationExpiresAt).toBe(expires === null ? null : iso(expires));
    expect([mine.notices(), mine.events(), mine.subjects()]).toEqual([[], [], []]);
  });

  it("no answer takes nothing back, nor does one without a date", async () => {
    const { liveTo, events, expires } = mine;
    await liveTo(NOON + 12 * DAY);
    expires(null);
    await liveTo(NOON + 20 * DAY);
    expect(events()).toEqual(["domain.expiring"]);
  });

  it("is told once where two proofs of a domain are watched", async () => {
    const { service, ctx, account, claim, liveTo, events, notices } = mine;
    const second = await openClaim(ctx, account.id, claim.domainId);
    service.now += 10_000;
    await runVerification(ctx, account.id, second.verificationId, stay);
    await watchClaim(ctx, account.id, second.id);
    expect(ctx.db.select().from(watches).all()).toHaveLength(2);
    await liveTo(NOON + 12 * DAY);
    expect([events().length, notices().length]).toEqual([1, 1]);
  });

  it("keeps no clock busy: something is due a few times a day at most", async () => {
    expect(await mine.liveTo(NOON + 60 * DAY)).toBeLessThan(4 * 60);
    const { now } = mine.service;
    expect(firstDue(mine.ctx.db).get({ after: now })).toBeGreaterThan(now);
  });
});
