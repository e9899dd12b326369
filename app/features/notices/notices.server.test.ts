import { unreachableAt } from "@deed/dns/testing/readings.ts";
import { describe, expect, test } from "vitest";
import { setMailEnabled } from "#app/core/accounts/accounts.server.ts";
import { personOf } from "#app/core/testing/accounts.ts";
import {
  claimed,
  NOON,
  proved,
  stay,
  type TestService,
  testService,
} from "#app/core/testing/service.ts";
import { DAY, HOUR } from "#app/core/time.ts";
import { cancelClaim } from "../claims/claims.server.ts";
import { createReminders, expireOverdue } from "../claims/expiry.server.ts";
import { WINDOW_MS } from "../claims/transition.ts";
import { archiveDomain } from "../domains/domains.server.ts";
import { MAILS_A_DAY, sendDueMails } from "./notice-mails.server.ts";
import { listNotices, markNoticeRead, markNoticesRead, withNames } from "./notices.server.ts";

const kinds = ({ ctx }: TestService, accountId: string) =>
  listNotices(ctx, accountId, { limit: 100 }).notices.map(({ kind }) => kind);

/** Runs the schedule of notices and mails until `until`, hour by hour. */
async function live(service: TestService, until: number) {
  for (; service.now < until; service.now += HOUR) {
    await createReminders(service.ctx);
    await expireOverdue(service.ctx);
    await sendDueMails(service.ctx, stay);
  }
}

describe("C15.5, C15.7: an unproved claim", () => {
  test("is spoken of on days 1, 3 and 6 and at its end; the end without a mail", async () => {
    const { service, ctx, account, claim, run } = await claimed();
    await run();
    await live(service, NOON + 2 * WINDOW_MS);
    const { notices } = listNotices(ctx, account.id, {});
    const told = notices.map(({ kind, createdAt }) => {
      return `${kind} on day ${(Date.parse(createdAt) - NOON) / DAY}`;
    });
    const days = ["expired on day 7", "expiring on day 6", "nudge on day 3", "nudge on day 1"];
    expect(told).toEqual(days);
    const text = expect.stringContaining(`deed.test/domains/${claim.domainId}?claim=${claim.id}\n`);
    expect(service.mails).toMatchObject(Array(3).fill({ to: "maria@example.org", text }));
    expect(service.mails[2]?.text).toContain(claim.token);
    const says = withNames(ctx, account.id, notices).map((one) => one.says);
    expect(says.slice(1, 3)).toEqual([" had less than a day left", " had not been proved yet"]);
  });

  test("is not nudged about while no read has reached DNS: that is our side", async () => {
    const { service, account, run } = await claimed();
    await run(unreachableAt);
    await live(service, NOON + 5 * DAY);
    expect(kinds(service, account.id)).toEqual([]);
    await live(service, NOON + 6.5 * DAY);
    expect(kinds(service, account.id)).toEqual(["expiring"]);
  });

  test.each([
    ["spoken of once, not for every day missed", 6.2, ["expiring"]],
    ["not spoken of once its time is up, though nothing has ended it yet", 7, []],
  ])("after a standstill is %s", async (_, days, told) => {
    const { service, ctx, account, run } = await claimed();
    await run();
    service.now = NOON + days * DAY;
    await createReminders(ctx);
    expect(kinds(service, account.id)).toEqual(told);
  });

  test("that ended during a standstill is dated by its deadline", async () => {
    const { service, ctx, account, claim } = await claimed();
    service.now = NOON + 9 * DAY;
    await expireOverdue(ctx);
    const { notices } = listNotices(ctx, account.id, {});
    expect(notices).toMatchObject([{ kind: "expired", createdAt: claim.expiresAt }]);
  });

  test("that was canceled or archived is spoken of no more", async () => {
    const { service, ctx, account, claim, run } = await claimed();
    await run();
    await cancelClaim(ctx, account.id, claim.id);
    const other = await claimed(service, "maria@example.org", "other.example");
    await archiveDomain(ctx, account.id, other.claim.domainId);
    await live(service, NOON + 2 * WINDOW_MS);
    expect([kinds(service, account.id), service.mails]).toEqual([[], []]);
  });
});

describe("a proof", () => {
  test("C15.4: is told to its holder, and to every other who has proved the name", async () => {
    const service = testService();
    const first = await proved(service, "maria@acme.com");
    service.now += DAY;
    const second = await proved(service, "ivan@other.org");
    expect(kinds(service, first.account.id)).toEqual(["coexistence", "proved"]);
    expect(kinds(service, second.account.id)).toEqual(["proved"]);
    await sendDueMails(service.ctx, stay);
    const sent = (address: string) => service.mails.filter(({ to }) => to === address);
    expect([service.mails.length, sent("ivan@other.org").length]).toEqual([3, 1]);
    const told = sent("maria@acme.com").find(({ text }) => text.includes("i•••"));
    expect(told?.text).toEqual(expect.not.stringContaining("ivan"));
  });

  test("of one name by two others within a day is told once; to an archived domain never", async () => {
    const service = testService();
    const first = await proved(service, "maria@acme.com");
    for (const email of ["ivan@other.org", "li@third.org"]) {
      service.now += 1_000;
      await proved(service, email);
    }
    expect(kinds(service, first.account.id)).toEqual(["coexistence", "proved"]);
    service.now += 2 * DAY;
    await archiveDomain(service.ctx, first.account.id, first.claim.domainId);
    await proved(service, "eva@fourth.org");
    expect(kinds(service, first.account.id)).toEqual(["coexistence", "proved"]);
  });
});

test("C15.2: notices are listed newest first, by pages", async () => {
  const { service, ctx, account, claim: older } = await proved();
  expect(listNotices(ctx, account.id, { limit: 1 }).nextCursor).toBeNull();
  const { claim: newer } = await proved(service, "maria@example.org", "other.example");
  const page = (cursor?: string) => listNotices(ctx, account.id, { limit: 1, cursor });
  const { notices: first, nextCursor } = page();
  expect(first).toMatchObject([{ kind: "proved", claimId: newer.id, readAt: null }]);
  const rest = { notices: [{ kind: "proved", claimId: older.id }], nextCursor: null };
  expect(page(`${nextCursor}`)).toMatchObject(rest);
  expect(() => page("nonsense")).toThrow(expect.objectContaining({ code: "invalid_request" }));
});

describe("C15.6: mails", () => {
  test("that fail are tried again later and later, and given up in the end", async () => {
    const { service } = await proved();
    let tries = 0;
    service.ctx.mailer.send = async () => {
      tries++;
      throw new Error("451 try again");
    };
    await sendDueMails(service.ctx, stay);
    await sendDueMails(service.ctx, stay);
    expect(tries).toBe(1);
    service.now += 60_000;
    await sendDueMails(service.ctx, stay);
    expect(tries).toBe(2);
    await live(service, NOON + 10 * DAY);
    expect([tries, service.complaints.length]).toEqual([6, 6]);
  });

  test("C13.4: are not sent while switched off; the notice stands", async () => {
    const { service, account } = await proved();
    await setMailEnabled(service.ctx, personOf(account), false);
    await sendDueMails(service.ctx, stay);
    await proved(service, "maria@example.org", "other.example");
    await sendDueMails(service.ctx, stay);
    expect([service.mails, kinds(service, account.id)]).toEqual([[], ["proved", "proved"]]);
    await setMailEnabled(service.ctx, personOf(account), true);
    await sendDueMails(service.ctx, stay);
    expect(service.mails).toEqual([]);
  });

  test("are at most twenty a day; beyond it the notice stands on the screen alone", async () => {
    const { service, account } = await proved();
    for (let i = 0; i < MAILS_A_DAY + 4; i++)
      await proved(service, "maria@example.org", `n${i}.example.com`);
    while (await sendDueMails(service.ctx, stay));
    expect(service.mails).toHaveLength(MAILS_A_DAY);
    expect(kinds(service, account.id)).toHaveLength(MAILS_A_DAY + 5);
    service.now += DAY;
    await proved(service, "maria@example.org", "next.example.com");
    await sendDueMails(service.ctx, stay);
    expect(service.mails).toHaveLength(MAILS_A_DAY + 1);
  });

  test("about an open claim are dropped once it has ended", async () => {
    const { service, ctx, account, claim, run } = await claimed();
    await run();
    service.now += DAY;
    await createReminders(ctx);
    await cancelClaim(ctx, account.id, claim.id);
    await sendDueMails(ctx, stay);
    expect([service.mails, kinds(service, account.id)]).toEqual([[], ["nudge"]]);
  });
});

test("C15.3: marking all as read reaches up to a moment, and keeps earlier dates", async () => {
  const { service, ctx, account, run } = await claimed();
  const other = await claimed(service, "joao@example.org", "globex.com");
  await run();
  await other.run();
  await live(service, NOON + 4 * DAY);
  const readAt = () => listNotices(ctx, account.id, {}).notices.map((notice) => notice.readAt);
  const [newest, oldest] = listNotices(ctx, account.id, {}).notices;
  if (!newest || !oldest) throw new Error("there are two nudges");
  const first = (await markNoticeRead(ctx, account.id, oldest.id)).readAt;
  service.now += DAY;
  await markNoticesRead(ctx, account.id, Date.parse(newest.createdAt) - 1);
  expect(readAt()).toEqual([null, first]);
  await markNoticesRead(ctx, account.id, Date.parse(newest.createdAt));
  expect(readAt()).toEqual([new Date(service.now).toISOString(), first]);
  const theirs = listNotices(ctx, other.account.id, {}).notices;
  expect(theirs.map((notice) => notice.readAt)).toEqual([null, null]);
});
