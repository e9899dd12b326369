import { describe, expect, it } from "vitest";
import { accountForEmail } from "#app/core/testing/accounts.ts";
import { claimed, testService } from "#app/core/testing/service.ts";
import { knownNames } from "./domain-rows.server.ts";
import { addDomain, archiveDomain } from "./domains.server.ts";

async function holder() {
  const { service, ctx, account, claim } = await claimed(
    testService(),
    "maria@example.org",
    "acme.com",
  );
  for (const name of ["acme.org", "bücher.example", "100.example"])
    await addDomain(ctx, account.id, name);
  service.now += 60_000;
  await archiveDomain(ctx, account.id, claim.domainId);
  return { ...service, accountId: account.id, service };
}
const namesIn = (known: { name: string }[]) => known.map(({ name }) => name);

describe("the names an account ever had", () => {
  it("are found by their beginning, the archived with how they ended", async () => {
    const { ctx, accountId, service } = await holder();
    const endedAt = new Date(service.now).toISOString();
    expect(knownNames(ctx, accountId, " ACME.", 10)).toMatchObject([
      { name: "acme.com", archived: true, status: "canceled", endedAt },
      { name: "acme.org", archived: false, status: "unclaimed", endedAt: null },
    ]);
  });

  it("are found in Unicode too, and nothing in them is a pattern", async () => {
    const { ctx, accountId } = await holder();
    expect(namesIn(knownNames(ctx, accountId, "bü", 10))).toEqual(["xn--bcher-kva.example"]);
    expect(namesIn(knownNames(ctx, accountId, "%", 10))).toEqual([]);
    expect(namesIn(knownNames(ctx, accountId, "10_", 10))).toEqual([]);
  });

  it("begin with the archive where nothing is typed, and are no more than asked for", async () => {
    const { ctx, accountId } = await holder();
    expect(namesIn(knownNames(ctx, accountId, "", 2))[0]).toBe("acme.com");
    expect(knownNames(ctx, accountId, "", 2)).toHaveLength(2);
  });

  it("are the account's own", async () => {
    const { ctx } = await holder();
    const other = await accountForEmail(ctx, "joao@example.org");
    expect(knownNames(ctx, other.id, "acme", 10)).toEqual([]);
  });
});
