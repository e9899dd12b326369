import { describe, expect, test } from "vitest";
import { accounts, changeFeed, domains } from "#db/schema.ts";
import { accountForEmail, accountForIdentity } from "../testing/accounts.ts";
import { claimed, testService } from "../testing/service.ts";
import { deleteAccount, personOf, readAccount, setMailEnabled } from "./accounts.server.ts";
import { IdentityTakenError } from "./identities.server.ts";
import { maskEmail } from "./mask.ts";

const identity = {
  issuer: "https://id.example",
  subject: "42",
  email: "maria@example.org",
  emailVerified: true,
};

test("an address has one account", async () => {
  const { ctx } = testService();
  const both = await Promise.all([
    accountForEmail(ctx, "maria@example.org"),
    accountForEmail(ctx, "maria@example.org"),
  ]);
  expect(both[0]).toEqual(both[1]);
  expect(readAccount(ctx, both[0].person.id)).toEqual(both[0]);
  expect(readAccount(ctx, "acc_none")).toBeNull();
});

test("mail can be switched off", async () => {
  const { ctx } = testService();
  const account = await accountForEmail(ctx, "maria@example.org");
  expect(account.person.mailEnabled).toBe(true);
  await setMailEnabled(ctx, personOf(account), false);
  expect(readAccount(ctx, account.person.id)?.person.mailEnabled).toBe(false);
});

describe("an identity", () => {
  test("with a verified address gets an account, and comes back to it under another address", async () => {
    const { ctx } = testService();
    const made = await accountForIdentity(ctx, identity);
    expect(made.email).toBe("maria@example.org");
    const moved = { ...identity, email: "new@example.org", emailVerified: false };
    expect(await accountForIdentity(ctx, moved)).toEqual(made);
  });

  test("joins the account of its address only where that is verified", async () => {
    const { ctx } = testService();
    const account = await accountForEmail(ctx, "maria@example.org");
    await expect(
      accountForIdentity(ctx, { ...identity, emailVerified: false }),
    ).rejects.toMatchObject({ code: "invalid_sign_in" });
    expect(await accountForIdentity(ctx, identity)).toEqual(account);
    expect(ctx.db.select().from(accounts).all()).toHaveLength(1);
  });

  test("unverified and unknown makes no account", async () => {
    const { ctx } = testService();
    await expect(
      accountForIdentity(ctx, { ...identity, emailVerified: false }),
    ).rejects.toMatchObject({ code: "invalid_sign_in" });
    expect(ctx.db.select().from(accounts).all()).toEqual([]);
  });

  test("is not joined to an account that another subject of its issuer holds: nothing is written", async () => {
    const { ctx } = testService();
    const account = await accountForIdentity(ctx, identity);
    const before = ctx.db.select().from(accounts).all();
    await expect(accountForIdentity(ctx, { ...identity, subject: "43" })).rejects.toThrow(
      IdentityTakenError,
    );
    expect(ctx.db.select().from(accounts).all()).toEqual(before);
    expect(await accountForIdentity(ctx, identity)).toEqual(account);
  });

  test("of a new provider joins by its verified address once; from then on the subject alone counts", async () => {
    const { ctx } = testService();
    const account = await accountForIdentity(ctx, identity);
    const moved = { ...identity, issuer: "https://other.example", subject: "43" };
    expect(await accountForIdentity(ctx, moved)).toEqual(account);
    await expect(accountForIdentity(ctx, { ...moved, subject: "44" })).rejects.toThrow(
      IdentityTakenError,
    );
    const renamed = { ...moved, email: "else@example.org", emailVerified: false };
    expect(await accountForIdentity(ctx, renamed)).toEqual(account);
  });
});

test("deleting erases everything the account owns and nothing else", async () => {
  const service = testService();
  const mine = await claimed(service, "maria@example.org");
  const other = await claimed(service, "other@example.org");
  await deleteAccount(service.ctx, mine.account.id);
  await deleteAccount(service.ctx, mine.account.id);
  const { db } = service.ctx;
  expect(readAccount(service.ctx, mine.account.person.id)).toBeNull();
  for (const table of [domains, changeFeed]) {
    const owners = new Set(
      db
        .select()
        .from(table)
        .all()
        .map(({ accountId }) => accountId),
    );
    expect([...owners]).toEqual([other.account.id]);
  }
});

test.each([
  ["maria@acme.com", "m•••@acme.com"],
  ["m@acme.com", "m•••@acme.com"],
  ["émile@acme.com", "é•••@acme.com"],
  ["😀x@acme.com", "😀•••@acme.com"],
  ['"a@b"@acme.com', '"•••@acme.com'],
])("%s is seen by a stranger as %s", (email, mask) => {
  expect(maskEmail(email)).toBe(mask);
});
