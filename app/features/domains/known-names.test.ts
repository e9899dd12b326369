import { expect, test } from "vitest";
import { accountForEmail } from "#app/core/testing/accounts.ts";
import { claimed } from "#app/core/testing/service.ts";
import { knownNames } from "./domain-rows.server.ts";
import { addDomain, archiveDomain } from "./domains.server.ts";

test("the names an account ever had are found by their beginning", async () => {
  const { service, ctx, account, claim } = await claimed();
  for (const name of ["acme.org", "bücher.example", "100.example"])
    await addDomain(ctx, account.id, name);
  service.now += 60_000;
  await archiveDomain(ctx, account.id, claim.domainId);
  const endedAt = new Date(service.now).toISOString();
  expect(knownNames(ctx, account.id, " ACME.", 10)).toMatchObject([
    { name: "acme.com", archived: true, status: "canceled", endedAt },
    { name: "acme.org", archived: false, status: "unclaimed", endedAt: null },
  ]);
  const names = (typed: string, limit = 10) =>
    knownNames(ctx, account.id, typed, limit).map(({ name }) => name);
  // Unicode too; no character is a pattern.
  const found = ["bü", "%", "10_"].map((typed) => names(typed));
  expect(found).toEqual([["xn--bcher-kva.example"], [], []]);
  // If nothing is typed, archived domains come first.
  expect(names("", 2)).toEqual(["acme.com", expect.any(String)]);
  const other = await accountForEmail(ctx, "joao@example.org");
  expect(knownNames(ctx, other.id, "acme", 10)).toEqual([]);
});
