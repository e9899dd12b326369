import { absentAt, foundAt, partialAt } from "@deed/dns/testing/readings.ts";
import { expect, test } from "vitest";
import { accountForEmail } from "#app/core/testing/accounts.ts";
import {
  claimed,
  NOON,
  proved,
  stay,
  type TestService,
  testService,
} from "#app/core/testing/service.ts";
import { HOUR, iso } from "#app/core/time.ts";
import { openClaim } from "../../claims/claims.server.ts";
import { readVerification, runVerification } from "../../claims/verifications.server.ts";
import { live } from "../../watching/testing.ts";
import { watchClaim } from "../../watching/watches.server.ts";
import { addDomain } from "../domains.server.ts";
import { insertDomains } from "../testing/rows.ts";
import { domainsScreen } from "./domains-screen.server.ts";

const EMAIL = "maria@example.org";

async function screenAt({ ctx }: TestService, path: string) {
  const { id } = await accountForEmail(ctx, EMAIL);
  return domainsScreen(ctx, id, new URL(path, "http://deed.test").searchParams);
}

test.each([
  [1, 25, [26]],
  [3, 49, [28, 24]],
  [2, 60, [27, 25, 10]],
])("%i that need action lead %i others, forth and back", async (needing, others, lengths) => {
  const service = testService();
  const numbered = (word: string, length: number) =>
    Array.from({ length }, (_, index) => `${word}${index}.example`);
  for (const name of numbered("needs", needing)) await (await claimed(service, EMAIL, name)).run();
  service.now += HOUR + 1;
  const { id } = await accountForEmail(service.ctx, EMAIL);
  insertDomains(service.ctx, id, others, (at) => ({ createdAt: service.now + at }));
  const pages: string[][] = [];
  let last = "";
  for (let path: string | null = "/domains"; path; ) {
    const page: Awaited<ReturnType<typeof screenAt>> = await screenAt(service, path);
    pages.push(page.domains.map(({ name }) => name));
    last = page.newer ?? "";
    path = page.older;
  }
  const names = [...numbered("needs", needing), ...numbered("n", others)];
  expect(pages.flat().toSorted()).toEqual(names.toSorted());
  expect(pages.map(({ length }) => length)).toEqual(lengths);
  for (const before of pages.slice(0, -1).reverse()) {
    const page = await screenAt(service, last);
    expect(page.domains.map(({ name }) => name)).toEqual(before);
    last = page.newer ?? "";
  }
});

test("counts each domain under one state, and lists it there: one that needs action is in no other", async () => {
  const service = testService();
  for (const name of ["second.example", "first.example"]) {
    await (await claimed(service, EMAIL, name)).run();
    service.now += HOUR + 1;
  }
  service.see = partialAt;
  const newest = await claimed(service, EMAIL, "newest.example");
  await newest.run();
  await claimed(service, EMAIL, "unread.example");
  await addDomain(service.ctx, newest.account.id, "unclaimed.example");
  const all = await screenAt(service, "/domains");
  expect(all.counts).toMatchObject({ needs_you: 3, pending: 1, unclaimed: 1, proved: 0 });
  expect(all.total).toBe(5);
  const needing = await screenAt(service, "/domains?status=needs_you&sort=name");
  const sorted = ["first.example", "second.example", "unread.example"];
  expect(needing.domains.map(({ name }) => name)).toEqual(sorted);
  const { domains, total } = await screenAt(service, "/domains?status=pending");
  expect([domains.map(({ name }) => name), total]).toEqual([["newest.example"], 1]);
});

test("tells of the claim in play, not of the watch of an older proof", async () => {
  const { service, ctx, account, claim } = await proved();
  await watchClaim(ctx, account.id, claim.id);
  await live(service, 2, foundAt);
  await live(service, 2, absentAt);
  const shown = async () => {
    const [domain] = (await screenAt(service, "/domains")).domains;
    return { watch: domain?.watch ?? null, checked: domain?.checkedAt, earlier: domain?.earlier };
  };
  const { watch, checked, earlier } = await shown();
  expect(earlier).toBeNull();
  expect(watch).toMatchObject({ state: "missing", checkedAt: checked });
  const again = await openClaim(ctx, account.id, claim.domainId);
  const ids = [ctx, account.id, again.verificationId] as const;
  await runVerification(...ids, stay);
  const { lastRunAt } = await readVerification(...ids);
  expect(await shown()).toEqual({ watch: null, checked: lastRunAt, earlier: iso(NOON) });
});

test("a search is newest first, so that its index finds what a list by name would not reach", async () => {
  const service = testService();
  const { id: accountId } = await accountForEmail(service.ctx, EMAIL);
  insertDomains(service.ctx, accountId, 2_500);
  const { domains, sort, older } = await screenAt(service, "/domains?q=n2499&sort=name");
  expect(domains).toMatchObject([{ name: "n2499.example" }]);
  expect({ sort, older }).toEqual({ sort: null, older: null });
  const pasted = "https://www.N2499.example./x";
  const found = await screenAt(service, `/domains?q=${encodeURIComponent(pasted)}`);
  expect(found).toMatchObject({ domains: [{ name: "n2499.example" }], typed: pasted });
});
