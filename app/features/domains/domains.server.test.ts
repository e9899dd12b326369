import { expect, test } from "vitest";
import { cursorAfter } from "#app/core/cursor.ts";
import { accountForEmail } from "#app/core/testing/accounts.ts";
import { claimed, published, testService } from "#app/core/testing/service.ts";
import * as schema from "#db/schema.ts";
import { cancelClaim, listClaims } from "../claims/claims.server.ts";
import { listNotices } from "../notices/notices.server.ts";
import {
  addDomain,
  archiveDomain,
  deleteDomain,
  domainDeletionImpact,
  listDomains,
} from "./domains.server.ts";
import { insertDomains, pagesOf } from "./testing/rows.ts";
import { pathOfClaim } from "./view/domain-screen.server.ts";

test("C27.9, C27.10: says what was left out of the name, and keeps www. if asked to", async () => {
  const { ctx } = testService();
  const { id } = await accountForEmail(ctx, "maria@example.org");
  const done = ["trimmed", "scheme_removed", "path_removed", "port_removed", "lowercased"];
  for (const [keepWww, name, normalisations] of [
    [false, "acme.com", [...done, "www_removed"]],
    [true, "www.acme.com", done],
  ] as const) {
    const added = await addDomain(ctx, id, " https://WWW.acme.com:443/path ", { keepWww });
    expect(added).toMatchObject({ domain: { name }, normalisations });
    const found = async (keepWww: boolean) =>
      (await listDomains(ctx, id, { name: "www.acme.com", keepWww })).domains;
    expect(await found(keepWww)).toMatchObject([{ name }]);
  }
});

test("C27.2: two at once make one domain for each reference", async () => {
  const { ctx } = testService();
  const account = await accountForEmail(ctx, "maria@example.org");
  const add = (reference: string) => addDomain(ctx, account.id, "acme.com", { reference });
  const both = await Promise.all(["", "a", "", "a"].map(add));
  expect(both.map(({ created }) => created).sort()).toEqual([false, false, true, true]);
});

// C2.9, C4.5, C4.7, C4.9, C18.5
test("pages lose no row and repeat none, while rows are added; 25 rows unless told", async () => {
  const service = testService();
  const { ctx } = service;
  const account = await accountForEmail(ctx, "maria@example.org");
  const ids: string[] = [];
  for (let i = 0; i < 26; i++) {
    // Every second domain has the same millisecond as the one before it.
    service.now += i % 2;
    ids.push((await addDomain(ctx, account.id, `n${i}.example.com`)).domain.id);
  }
  const { domains } = await listDomains(ctx, account.id, {});
  expect(domains).toHaveLength(25);
  const noClaim = { claimId: null, verificationId: null, claimStartedAt: null, claimEndedAt: null };
  expect(domains[0]).toMatchObject({ status: "unclaimed", ...noClaim });
  const { nextCursor } = await listDomains(ctx, account.id, { limit: 1 });
  for (const odd of [" C", "C ", "C=", "C==", "C\n", "\0C", "C.", "CC", "!C", "nonsense", ""]) {
    const listed = listDomains(ctx, account.id, { cursor: odd.replaceAll("C", `${nextCursor}`) });
    await expect(listed).rejects.toMatchObject({ code: "invalid_request" });
  }
  for (const list of [listClaims, listNotices])
    await expect(async () =>
      list(ctx, account.id, { cursor: `${nextCursor}` }),
    ).rejects.toMatchObject({ code: "invalid_request" });
  const pages = await pagesOf(async (cursor) => {
    service.now += 1;
    const page = await listDomains(ctx, account.id, { limit: 3, cursor });
    await addDomain(ctx, account.id, `late${service.now}.example.com`);
    return page;
  });
  const seen = pages.flat().map(({ id }) => id);
  expect(seen.toSorted()).toEqual(ids.toSorted());
});

test("a search that no index answers looks at 2,000 names a page, and reaches all", async () => {
  const { ctx } = testService();
  const { id: accountId } = await accountForEmail(ctx, "maria@example.org");
  insertDomains(ctx, accountId, 4_500, (at) => ({
    ...{ reference: "one", archived: at === 0 },
    ...(at % 2_200 === 0 && { name: `zz${at}.example` }),
  }));
  for (const query of [{ q: "zz" }, { q: "zz", reference: "one" }]) {
    const pages = await pagesOf((cursor) => listDomains(ctx, accountId, { ...query, cursor }));
    const names = pages.map((page) => page.map(({ name }) => name));
    expect(names).toEqual([["zz4400.example"], ["zz2200.example"], ["zz0.example"]]);
  }
});

test.each([
  ["newest first", undefined, {}, "ckazm"],
  ["by name", "name", {}, "ackmz"],
  ["by name, those of a state", "name", { status: "unclaimed" }, "akz"],
  ["by name, those of a reference", "name", { reference: "one" }, "ak"],
  ["by name, those found", "name", { q: "exa" }, "abckmz"],
  ["newest first, those found", undefined, { q: "exa" }, "cbkazm"],
  ["newest first, those of a short search", undefined, { q: "e" }, "cbkazm"],
] as const)("the list is sorted %s, across pages and back", async (_, sort, asked, sorted) => {
  const email = "maria@example.org";
  const { service, ctx, account } = await claimed(undefined, email, "m.example");
  for (const name of ["z.example", "a.example", "k.example"]) {
    service.now += 1;
    await addDomain(ctx, account.id, name, name === "z.example" ? {} : { reference: "one" });
  }
  const shelved = await claimed(service, email, "b.example");
  await archiveDomain(ctx, account.id, shelved.claim.domainId);
  service.now += 1;
  const other = await claimed(service, email, "c.example");
  await cancelClaim(ctx, account.id, other.claim.id);
  const page = (more: object) =>
    listDomains(ctx, account.id, { limit: 2, sort, ...asked, ...more });
  type Page = Awaited<ReturnType<typeof page>>["domains"];
  const initials = (domains: Page) => domains.map(({ name }) => name[0]).join("");
  const cursorOf = ([first]: Page) =>
    first && cursorAfter({ createdAt: Date.parse(first.createdAt), id: first.id });
  const pages = await pagesOf((cursor) => page({ cursor }));
  expect(initials(pages.flat())).toBe(sorted);
  let last = pages.at(-1) ?? [];
  for (const before of pages.slice(0, -1).reverse()) {
    last = (await page({ cursor: cursorOf(last), isBackward: true })).domains;
    expect(initials(last)).toBe(initials(before));
  }
});

test("C4.16, C23.4: erases everything that hangs on the domain, as counted before", async () => {
  const { ctx, account, claim } = await published();
  const counted = { claims: 1, openClaims: 0, liveLinks: 1, notices: 1 };
  expect(domainDeletionImpact(ctx, account.id, claim.domainId).impact).toEqual(counted);
  await deleteDomain(ctx, account.id, claim.domainId);
  const { domains, claims, verifications, attempts, attemptEvidence, ...others } = schema;
  const { proofLinks, notices, receipts } = others;
  const reads = [verifications, attempts, attemptEvidence];
  for (const table of [domains, claims, ...reads, proofLinks, notices, receipts])
    expect(ctx.db.select().from(table).all()).toEqual([]);
});

test("the old address of a claim leads to its domain, and an unknown claim's to none", async () => {
  const { ctx, account, claim } = await claimed();
  const at = (id: string) => pathOfClaim(ctx, account.id, id);
  expect(at(claim.id)).toBe(`/domains/${claim.domainId}?claim=${claim.id}`);
  expect(() => at("clm_none")).toThrow("claim");
});
