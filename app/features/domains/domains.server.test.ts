import { describe, expect, test } from "vitest";
import { accountForEmail } from "#app/core/testing/accounts.ts";
import { claimed, published, testService } from "#app/core/testing/service.ts";
import * as schema from "#db/schema.ts";
import { cancelClaim } from "../claims/claims.server.ts";
import { addDomain, deleteDomain, domainDeletionImpact, listDomains } from "./domains.server.ts";

test("two at once make one domain for each reference", async () => {
  const { ctx } = testService();
  const account = await accountForEmail(ctx, "maria@example.org");
  const both = await Promise.all(
    ["", "a", "", "a"].map((reference) => addDomain(ctx, account.id, "acme.com", { reference })),
  );
  expect(both.map(({ created }) => created).sort()).toEqual([false, false, true, true]);
});

describe("listing", () => {
  const filled = async (count: number) => {
    const service = testService();
    const account = await accountForEmail(service.ctx, "maria@example.org");
    const ids: string[] = [];
    for (let i = 0; i < count; i++) {
      // Every second domain has the same millisecond as the one before.
      service.now += i % 2;
      const { domain } = await addDomain(service.ctx, account.id, `n${i}.example.com`);
      ids.push(domain.id);
    }
    return { service, account, ids };
  };

  test("pages lose no row and repeat none, while rows are added", async () => {
    const { service, account, ids } = await filled(11);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await listDomains(service.ctx, account.id, { limit: 3, cursor });
      seen.push(...page.domains.map(({ id }) => id));
      cursor = page.nextCursor ?? undefined;
      service.now += 1;
      await addDomain(service.ctx, account.id, `late${seen.length}.example.com`);
    } while (cursor);
    expect(seen.toSorted()).toEqual(ids.toSorted());
  });

  test("25 unless told", async () => {
    const { service, account } = await filled(26);
    expect((await listDomains(service.ctx, account.id, {})).domains).toHaveLength(25);
  });
});

test("a search that no index answers looks at 2,000 names a page, and reaches all", async () => {
  const { ctx } = testService();
  const { id: accountId } = await accountForEmail(ctx, "maria@example.org");
  ctx.db.transaction((tx) => {
    for (let from = 0; from < 4_500; from += 500) {
      const rows = Array.from({ length: 500 }, (_, index) => {
        const at = from + index;
        const name = at % 2_200 === 0 ? `zz${at}.example` : `n${at}.example`;
        const id = `dom_${String(at).padStart(5, "0")}`;
        const names = { name, unicodeName: name, reference: "one" };
        return { id, accountId, ...names, createdAt: 1, archived: at === 0 };
      });
      tx.insert(schema.domains).values(rows).run();
    }
  });
  for (const query of [{ q: "zz" }, { q: "zz", reference: "one" }]) {
    const pages: string[][] = [];
    for (let cursor: string | undefined; pages.length < 5; ) {
      const page = await listDomains(ctx, accountId, { ...query, cursor });
      pages.push(page.domains.map(({ name }) => name));
      if (!page.nextCursor) break;
      cursor = page.nextCursor;
    }
    expect(pages).toEqual([["zz4400.example"], ["zz2200.example"], ["zz0.example"]]);
  }
});

describe("sorting", () => {
  const sorted = async (sort: "name" | "state") => {
    const { service, ctx, account } = await claimed(
      testService(),
      "maria@example.org",
      "m.example",
    );
    for (const name of ["z.example", "a.example", "k.example"]) {
      service.now += 1;
      await addDomain(ctx, account.id, name);
    }
    await claimed(service, "maria@example.org", "b.example");
    const other = await claimed(service, "maria@example.org", "c.example");
    await cancelClaim(ctx, account.id, other.claim.id);
    const names: string[] = [];
    let status: Parameters<typeof listDomains>[2]["status"];
    for (let cursor: string | undefined; ; ) {
      const query = { limit: 2, cursor, sort, status };
      const page = await listDomains(ctx, account.id, query);
      names.push(...page.domains.map(({ name }) => name[0] ?? ""));
      if (!page.nextCursor) return names.join("");
      cursor = page.nextCursor;
      if (sort === "state") status = page.domains.at(-1)?.status;
    }
  };

  test("by name, across pages", async () => expect(await sorted("name")).toBe("abckmz"));

  test("by state, open claims first and newest first in each, across pages", async () =>
    expect(await sorted("state")).toBe("bmkazc"));
});

test("erases everything that hangs on the domain, as counted before", async () => {
  const { ctx, account, claim } = await published();
  expect(domainDeletionImpact(ctx, account.id, claim.domainId).impact).toEqual({
    claims: 1,
    openClaims: 0,
    liveLinks: 1,
    notices: 1,
  });
  await deleteDomain(ctx, account.id, claim.domainId);
  const { domains, claims, verifications, attempts, attemptEvidence, proofLinks, notices } = schema;
  const reads = [verifications, attempts, attemptEvidence];
  for (const table of [domains, claims, ...reads, proofLinks, notices])
    expect(ctx.db.select().from(table).all()).toEqual([]);
});
