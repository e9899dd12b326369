import { expect, test } from "vitest";
import { accountEvents, changeFeed, domains } from "#db/schema.ts";
import { accountForIdentity } from "../testing/accounts.ts";
import { published, testService } from "../testing/service.ts";
import { deleteAccount, maskEmail, readAccount } from "./accounts.server.ts";

const maria = { email: "maria@example.org", emailVerified: true };
const identity = { issuer: "https://id.example", subject: "42", ...maria };

test("an identity of a new provider joins by its verified address once; from then on the subject alone counts", async () => {
  const { ctx } = testService();
  const account = await accountForIdentity(ctx, identity);
  const moved = { ...identity, issuer: "https://other.example", subject: "43" };
  expect(await accountForIdentity(ctx, moved)).toEqual(account);
  const third = accountForIdentity(ctx, { ...moved, subject: "44" });
  await expect(third).rejects.toMatchObject({ reason: "identity" });
  const renamed = { ...moved, email: "else@example.org", emailVerified: false };
  expect(await accountForIdentity(ctx, renamed)).toEqual(account);
});

test("deleting erases everything the account owns and nothing else", async () => {
  const service = testService();
  const mine = await published(service, "maria@example.org");
  const other = await published(service, "other@example.org");
  await deleteAccount(service.ctx, mine.account.id);
  await deleteAccount(service.ctx, mine.account.id);
  const { db } = service.ctx;
  expect(readAccount(service.ctx, mine.account.person.id)).toBeNull();
  for (const table of [domains, changeFeed, accountEvents]) {
    const rows = db.select().from(table).all();
    expect(new Set(rows.map(({ accountId }) => accountId))).toEqual(new Set([other.account.id]));
  }
  const { id, person } = mine.account;
  const { claim } = mine;
  const gone = [id, person.id, "maria@example.org", claim.id, claim.domainId, claim.verificationId];
  const left = db.$client.serialize().toString("latin1");
  for (const text of gone) expect(left).not.toContain(text);
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
