import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { accountLog, addAccount, readAccount } from "#app/core/accounts/accounts.server.ts";
import { accountForEmail } from "#app/core/testing/accounts.ts";
import { claimed, NOON, published, stay, testService } from "#app/core/testing/service.ts";
import { iso } from "#app/core/time.ts";
import { claims, people, verifications } from "#db/schema.ts";
import { sendDueMails } from "../notices/notice-mails.server.ts";
import { readProof } from "../proofs/proofs.server.ts";
import { disableAccount, enableAccount, findAccounts, type Sort } from "./accounts.server.ts";

const REFUSED = { code: "invalid_sign_in" };

test("a disabled account keeps its proofs, its open claims are canceled, and nothing is mailed", async () => {
  const { service, ctx, account, link } = await published();
  await claimed(service, "maria@example.org", "open.example");

  expect(await disableAccount(ctx, account.id)).toBe(true);
  expect(await disableAccount(ctx, account.id)).toBe(false);
  expect(readProof(ctx, link.slug)).toMatchObject({ domain: "acme.com" });
  const states = ctx.db.select({ state: claims.state }).from(claims).all();
  expect(states).toEqual([{ state: "proved" }, { state: "canceled" }]);
  const unplanned = { nextRunAt: null };
  expect(ctx.db.select().from(verifications).all()).toMatchObject([unplanned, unplanned]);
  await sendDueMails(ctx, stay);
  expect([service.mails, readAccount(ctx, account.person.id)]).toEqual([[], null]);
  await expect(accountForEmail(ctx, "maria@example.org")).rejects.toMatchObject(REFUSED);

  expect(await enableAccount(ctx, account.id)).toBe(true);
  expect(await enableAccount(ctx, account.id)).toBe(false);
  expect(await accountForEmail(ctx, "maria@example.org")).toEqual(account);
  const kinds = accountLog(ctx, account.id, 2).events.map(({ kind }) => kind);
  expect(kinds).toEqual(["account_enabled", "account_disabled"]);
  for (const act of [disableAccount, enableAccount])
    await expect(act(ctx, "acc_none")).rejects.toMatchObject({ code: "not_found" });
});

test("the operator adds an account whatever SIGN_UP says, and once", async () => {
  const service = testService();
  const ctx = { ...service.ctx, settings: { ...service.ctx.settings, signUp: [] } };
  await expect(accountForEmail(ctx, "kim@example.org")).rejects.toMatchObject(REFUSED);
  const added = await addAccount(ctx, "kim@example.org");
  expect(added.created).toBe(true);
  expect(await addAccount(ctx, "kim@example.org")).toEqual({ ...added, created: false });
  expect((await accountForEmail(ctx, "kim@example.org")).id).toBe(added.accountId);
});

test("accounts are found by a part of their address, sorted, and counted", async () => {
  const { service, ctx, account } = await claimed();
  for (const name of ["Zoe@acme.example", "al@acme.example", "bo@other.example"]) {
    service.now += 1;
    await addAccount(ctx, name);
  }
  ctx.db.update(people).set({ lastSeenAt: NOON }).where(eq(people.accountId, account.id)).run();
  await disableAccount(ctx, account.id);
  const found = (q: string, sort: Sort, page = 1) => findAccounts(ctx, q, sort, page).accounts;
  const names = (...asked: Parameters<typeof found>) =>
    found(...asked).map(({ email }) => email.split("@")[0]);
  expect(found("maria", "newest")).toEqual([
    {
      ...{ id: account.id, email: "maria@example.org", people: 1, names: 1, limits: [] },
      createdAt: iso(NOON),
      ...{ lastSeenAt: iso(NOON), disabledAt: iso(service.now) },
    },
  ]);
  expect(names("", "newest")).toEqual(["bo", "al", "Zoe", "maria"]);
  expect(names("", "address")).toEqual(["al", "bo", "maria", "Zoe"]);
  expect([names("", "domains")[0], names("", "last seen")[0]]).toEqual(["maria", "maria"]);
  expect([names("ACME", "address"), names("", "newest", 2)]).toEqual([["al", "Zoe"], []]);
  const totals = { found: 4, disabled: 1, isMore: false };
  expect(findAccounts(ctx, "", "newest", 1)).toMatchObject(totals);
  for (let n = 0; n < 50; n++) await addAccount(ctx, `n${n}@example.org`);
  expect(findAccounts(ctx, "", "newest", 1).isMore).toBe(true);
  expect(new Set([1, 2].flatMap((page) => names("", "newest", page))).size).toBe(54);
});
