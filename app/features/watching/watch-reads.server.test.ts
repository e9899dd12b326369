import { setImmediate } from "node:timers/promises";
import { absentAt, foundAt, partialAt, unreachableAt } from "@deed/dns/testing/readings.ts";
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { claimed, NOON, stay, type TestService } from "#app/core/testing/service.ts";
import { DAY, HOUR, iso, MINUTE } from "#app/core/time.ts";
import { watches } from "#db/schema.ts";
import { disableAccount } from "../admin/accounts.server.ts";
import { openClaim } from "../claims/claims.server.ts";
import { runVerification } from "../claims/verifications.server.ts";
import { addDomain, archiveDomain } from "../domains/domains.server.ts";
import { readProof, readProofWatch, revokeProofLink } from "../proofs/proofs.server.ts";
import {
  goneAt,
  live,
  movedAt,
  next,
  type ObserveQuestion,
  OTHERS,
  proofWithMessages,
  silentAt,
  turn,
} from "./testing.ts";
import { recordUse } from "./watch-rows.server.ts";
import { readWatchNow, stopWatch, unwatchClaim, watchAt, watchClaim } from "./watches.server.ts";

const row = ({ ctx }: TestService, id: string) =>
  ctx.db.select().from(watches).where(eq(watches.claimId, id)).get();

/** Runs the schedule without the record until a read has noticed. */
async function untilMissing(service: TestService, id: string) {
  service.see = absentAt;
  while (row(service, id)?.missingSince === null) await next(service, service.now + DAY);
}

// C29.2, C29.3, C29.4, C29.5, C29.6
test("sixty days of a watched claim: every state, each mail once, outages without a word", async () => {
  const states = ["missing", "lapsed", "moved", "gone", "published"] as const;
  const mine = await proofWithMessages(states.map((state) => `watch.${state}` as const));
  const { service, ctx, claim, slug, watch, subjects, events } = mine;
  const proof = JSON.stringify(readProof(ctx, slug));
  await mine.start();
  const from = service.asked.length;
  /** Lets so many days pass, then expects this state. */
  const until = async (days: number, see: ObserveQuestion, state: string) => {
    await live(service, days, see);
    expect(watch().state).toBe(state);
  };

  await until(10, foundAt, "published");
  expect(service.asked.length - from).toBe(11);
  for (const outage of [silentAt, unreachableAt, partialAt, silentAt]) {
    await live(service, 1, outage);
    await live(service, 1, foundAt);
  }
  // Day 18. One read without the record changes nothing.
  await untilMissing(service, claim.id);
  await live(service, 1, foundAt);
  expect([subjects(), events()]).toEqual([[], []]);

  // Two reads six hours apart, with an outage of two days in between.
  await untilMissing(service, claim.id);
  const since = row(service, claim.id)?.missingSince ?? 0;
  await until(2, silentAt, "published");
  expect(subjects()).toEqual([]);
  await until(0.5, absentAt, "missing");
  expect(watch().missingSince).toBe(iso(since));
  expect(subjects()).toEqual(["acme.com is missing its record"]);
  await until((since + 6.5 * DAY - service.now) / DAY, absentAt, "missing");
  await until(3, absentAt, "lapsed");
  await until(3, silentAt, "lapsed");
  await until(3, movedAt, "moved");
  await until(3, goneAt, "gone");
  await live(service, 3, movedAt);
  await until(2, absentAt, "lapsed");
  const [missing, lost] = ["is missing its record", "has lost its record"];
  const [moved, gone] = ["has moved to other nameservers", "has no nameservers at the registry"];
  const mailed = [missing, lost, moved, gone].map((what) => `acme.com ${what}`);
  expect(subjects()).toEqual(mailed);

  await until(2, foundAt, "published");
  expect(subjects()).toEqual(mailed);
  await live(service, 2, movedAt);
  expect(readProofWatch(ctx, slug)).toMatchObject({ domain: "acme.com", state: "moved" });
  expect(recordUse(ctx, claim.id).movedTo).toEqual(OTHERS);
  await live(service, (NOON + 60 * DAY - service.now) / DAY, foundAt);
  expect(subjects()).toEqual([...mailed, `acme.com ${moved}`]);
  const sent = ["missing", "lapsed", "moved", "gone", "published", "moved", "published"];
  expect(events().toReversed()).toEqual(sent.map((state) => `watch.${state}`));
  expect(mine.notices().join(" ")).toBe("moved gone moved lapsed missing proved");
  expect(JSON.stringify(readProof(ctx, slug))).toBe(proof);
  expect(service.complaints).toEqual([]);
});

test("a watched record that was put back is read at once when somebody asks", async () => {
  const { service, ctx, account, claim, start, watch } = await proofWithMessages();
  const target: [string, string] = [account.id, claim.id];
  /** Asks, lets the worker work and waits; `see`: what is in DNS. */
  const check = async (see: ObserveQuestion) => {
    service.see = see;
    service.now += MINUTE;
    const asked = readWatchNow(ctx, target, async () => {});
    const settled = asked.then(() => "told").catch(({ code }) => code as string);
    const isPlanned = () => row(service, claim.id)?.nextReadAt === service.now;
    while (!isPlanned()) await setImmediate();
    await turn(service);
    return settled;
  };
  await start();
  await live(service, 2, absentAt);
  expect(watch().state).toBe("missing");
  const seenAt = watch().checkedAt;
  expect([await check(silentAt), watch().checkedAt]).toEqual(["unavailable", seenAt]);
  expect([await check(absentAt), watch().state]).toEqual(["told", "missing"]);
  expect([await check(foundAt), watch()]).toMatchObject(["told", { state: "published" }]);
  const { length } = service.asked;
  const spent = () => Promise.reject(new Error("the budget is spent"));
  await expect(readWatchNow(ctx, target, spent)).rejects.toThrow("spent");
  await turn(service);
  expect(service.asked).toHaveLength(length);
});

describe("C29.1, C29.7: the switch", () => {
  test("is off at first, turns once, and a mail's link turns it off by POST alone", async () => {
    const { service, ctx, account, claim, watch, start, subjects } = await proofWithMessages();
    expect(watch).toThrow("not watched");
    const first = await start();
    service.now += HOUR;
    expect(await start()).toEqual(first);
    await live(service, 2, absentAt);
    const [, slug = ""] = /\/w\/([0-9a-z]{26})\n/.exec(service.mails.at(-1)?.text ?? "") ?? [];
    expect(watchAt(ctx, slug)).toMatchObject({ domain: "acme.com", isWatched: true });
    const { seenAt, missingSince } = watch();
    expect(await stopWatch(ctx, slug)).toBe(true);
    expect(watchAt(ctx, slug)).toMatchObject({ isWatched: false });
    expect(await stopWatch(ctx, "0".repeat(26))).toBe(false);
    await unwatchClaim(ctx, account.id, claim.id);
    await unwatchClaim(ctx, account.id, claim.id);
    const other = await claimed(service, "noor@example.org", "open.example");
    const refused = watchClaim(ctx, other.account.id, other.claim.id);
    await expect(refused).rejects.toMatchObject({ code: "claim_not_proved" });
    const mailed = subjects();
    await live(service, 30, absentAt);
    expect(subjects()).toEqual(mailed);
    expect(await start()).toMatchObject({ state: "lapsed", seenAt, missingSince });
    expect(watchAt(ctx, slug)).toBeNull();
  });

  type End = (...args: Parameters<typeof archiveDomain>) => Promise<unknown>;
  test.each([
    ["the domain is archived", archiveDomain],
    ["the account is disabled", (ctx, accountId) => disableAccount(ctx, accountId)],
  ] as [string, End][])("ends when %s, not with a link", async (_, end) => {
    const { service, ctx, account, claim, slug, watch, start } = await proofWithMessages();
    await start();
    await revokeProofLink(ctx, account.id, claim.id, slug);
    expect(watch()).toMatchObject({ state: "published" });
    await end(ctx, account.id, claim.domainId);
    expect(row(service, claim.id)).toBeUndefined();
  });

  test("knows the nameservers of a proof from before there was watching", async () => {
    const { service, ctx, watch, start } = await proofWithMessages();
    ctx.db.delete(watches).run();
    await start();
    await live(service, 2, movedAt);
    expect(watch().state).toBe("moved");
  });
});

describe("C29.8: a read", () => {
  test("never begins while a verification is due, and is made after", async () => {
    const { service, start } = await proofWithMessages();
    await start();
    const other = await claimed(service, "other@example.org", "globex.com");
    service.now += HOUR;
    const asked = service.asked.length;
    await turn(service);
    expect(service.asked).toHaveLength(asked);
    await other.run();
    await turn(service);
    const domains = service.asked.slice(asked).map(({ domain }) => domain);
    expect(domains).toEqual(["globex.com", "acme.com"]);
  });

  test("that lost its lease writes nothing; a lease that lapsed is taken again", async () => {
    const { service, ctx, claim, start } = await proofWithMessages();
    await start();
    service.see = (question, at) => {
      ctx.db.update(watches).set({ runId: "att_other" }).run();
      return foundAt(question, at);
    };
    await turn(service);
    expect(row(service, claim.id)).toMatchObject({ runId: "att_other", checkedAt: null });
    service.see = foundAt;
    await turn(service);
    expect(row(service, claim.id)?.checkedAt).toBeNull();
    service.now += MINUTE;
    await turn(service);
    expect(row(service, claim.id)).toMatchObject({ runId: null, checkedAt: service.now });
  });
});

describe("C29.9: a record that may be deleted", () => {
  test("is gone after two reads, and Deed then reads it no more", async () => {
    const { service, ctx, claim, notices, subjects, start } = await proofWithMessages();
    const use = () => recordUse(ctx, claim.id);
    await live(service, 3, foundAt);
    expect(use()).toMatchObject({ watch: null, goneSince: null });
    await live(service, 3, absentAt);
    const { missingSince, nextReadAt } = row(service, claim.id) ?? {};
    expect([use().goneSince, nextReadAt]).toEqual([iso(missingSince ?? 0), null]);
    expect([subjects(), notices()]).toEqual([[], ["proved"]]);
    expect(await start()).toMatchObject({
      state: "published",
      missingSince: null,
      checkedAt: null,
    });
  });

  test("is looked for during a month", async () => {
    const { service, claim } = await proofWithMessages();
    const from = service.asked.length;
    await live(service, 40, foundAt);
    expect(row(service, claim.id)?.nextReadAt).toBeNull();
    expect(service.asked.length - from).toBeLessThanOrEqual(31);
  });

  test("is still needed where an open claim or a watch has its name", async () => {
    const { ctx, account, claim } = await proofWithMessages();
    const again = await openClaim(ctx, account.id, claim.domainId);
    const { domainId, token: value } = again;
    const other = { claimId: again.id, domainId, value, reference: null };
    const others = () => recordUse(ctx, claim.id).others;
    expect(others()).toEqual([{ ...other, isOpen: true }]);
    await runVerification(ctx, account.id, again.verificationId, stay);
    expect(others()).toEqual([]);
    await watchClaim(ctx, account.id, again.id);
    expect(others()).toEqual([{ ...other, isOpen: false }]);
  });

  test("is still needed by claims for any reference, of this account alone, a few of them", async () => {
    const { service, ctx, account, claim } = await proofWithMessages();
    await claimed(service, "other@example.org");
    const references = ["cust_1", "cust_2", "cust_3", "cust_4", "cust_5"];
    const open = async (reference: string) => {
      const { domain } = await addDomain(ctx, account.id, "acme.com", { reference });
      await openClaim(ctx, account.id, domain.id);
    };
    for (const reference of references) await open(reference);
    const { others, hasMore } = recordUse(ctx, claim.id);
    expect(others.map(({ reference }) => reference).toSorted()).toEqual(references);
    expect(hasMore).toBe(false);
    await open("cust_6");
    expect(recordUse(ctx, claim.id)).toMatchObject({ others: { length: 5 }, hasMore: true });
  });
});
