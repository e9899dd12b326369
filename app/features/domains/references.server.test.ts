import { absentAt, foundAt } from "@deed/dns/testing/readings.ts";
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { accountForEmail } from "#app/core/testing/accounts.ts";
import { stay, testService } from "#app/core/testing/service.ts";
import { changeFeed } from "#db/schema.ts";
import { cancelClaim, listClaims, openClaim, readClaim } from "../claims/claims.server.ts";
import { historyOf } from "../claims/history.server.ts";
import { listAttempts, readVerification, runVerification } from "../claims/verifications.server.ts";
import { listProofLinks, publishProof } from "../proofs/proofs.server.ts";
import { knownNames } from "./domain-rows.server.ts";
import {
  addDomain,
  archiveDomain,
  type DomainQuery,
  deleteReference,
  hasReferences,
  listDomains,
  readDomain,
} from "./domains.server.ts";
import { pagesOf } from "./testing/rows.ts";

const EMAIL = "maria@example.org";

async function withAccount() {
  const service = testService();
  const { id } = await accountForEmail(service.ctx, EMAIL);
  const open = async (name: string, reference?: string) => {
    const { domain } = await addDomain(service.ctx, id, name, { reference });
    return openClaim(service.ctx, id, domain.id);
  };
  const run = (verificationId: string) => runVerification(service.ctx, id, verificationId, stay);
  const list = (query: DomainQuery) => listDomains(service.ctx, id, query);
  return { service, ctx: service.ctx, id, open, run, list };
}

const allPages = async (list: (query: DomainQuery) => ReturnType<typeof listDomains>, query = {}) =>
  (await pagesOf((cursor) => list({ limit: 3, ...query, cursor }))).flat().map(({ id }) => id);

describe("a name with references", () => {
  test("keeps out of one another's ended tokens and domains", async () => {
    const { ctx, id, open } = await withAccount();
    const one = await open("acme.com", "one");
    const two = await open("acme.com", "two");
    const other = await open("secret.example", "two");
    const beside = await open("beside.example", "one");
    await cancelClaim(ctx, id, two.id);
    const { endedTokens, domainOf } = historyOf(ctx, { accountId: id, domainId: one.domainId });
    expect(endedTokens).toEqual([]);
    const names = [two, other, beside].map(({ token }) => domainOf(token));
    expect(names).toEqual([null, null, "beside.example"]);
  });

  test("is suggested once, by the domain without a reference", async () => {
    const { ctx, id } = await withAccount();
    for (const reference of [undefined, "one", "two"])
      await addDomain(ctx, id, "acme.com", { reference });
    await addDomain(ctx, id, "acme.example", { reference: "one" });
    for (const typed of ["acme", ""])
      expect(knownNames(ctx, id, typed, 12).map(({ name }) => name)).toEqual(["acme.com"]);
  });
});

describe("the list", () => {
  const REFERENCES = ["", "one", "two", "one", "two", "one", "one"];

  async function filled() {
    const account = await withAccount();
    const { service, ctx, id } = account;
    const added: { id: string; name: string; reference: string }[] = [];
    for (const [at, reference] of REFERENCES.entries())
      for (const name of ["acme.com", `n${at}.example`]) {
        service.now += at % 2;
        const { domain, created } = await addDomain(ctx, id, name, { reference });
        if (created) added.unshift({ id: domain.id, name, reference });
      }
    const where = (which: (domain: (typeof added)[number]) => boolean) =>
      added.filter(which).map(({ id }) => id);
    return { ...account, where };
  }

  test("C4.11, C27.5: of a reference, of a name, and of both, across pages", async () => {
    const { list, where } = await filled();
    type Which = Parameters<typeof where>[0];
    const [name, reference, status] = ["acme.com", "one", "proved"] as const;
    const isNamed: Which = (one) => one.name === name;
    const isFor: Which = (one) => one.reference === reference;
    const nothing: Which = () => false;
    for (const [query, which] of [
      [{ sort: "name", limit: 1 }, () => true],
      [{ reference }, isFor],
      [{ name }, isNamed],
      [{ name, reference }, (one) => isNamed(one) && isFor(one)],
      [{ q: "n", reference }, (one) => one.name.startsWith("n") && isFor(one)],
      [{ q: "exampl", reference }, (one) => one.name.endsWith(".example") && isFor(one)],
      [{ name, status: "unclaimed" }, isNamed],
      [{ reference: "One" }, nothing],
      [{ reference: "three" }, nothing],
      [{ name, status }, nothing],
      [{ reference, status }, nothing],
      [{ reference, archived: true }, nothing],
      [{ name, reference, q: "x" }, nothing],
    ] as [DomainQuery, Which][]) {
      const found = await allPages(list, query);
      expect(found.toSorted(), JSON.stringify(query)).toEqual(where(which).toSorted());
    }
    await expect(list({ name: "" })).rejects.toMatchObject({ code: "invalid_domain" });
  });

  test("says whether there is any reference", async () => {
    const { ctx, id } = await filled();
    const none = await withAccount();
    await addDomain(none.ctx, none.id, "acme.com");
    expect([hasReferences(ctx, id), hasReferences(none.ctx, none.id)]).toEqual([true, false]);
  });
});

test("C4.8, C27.6: a domain keeps its newest proof's date, whatever claims follow", async () => {
  const { service, ctx, id, open, run, list } = await withAccount();
  const first = await open("acme.com");
  const read = () => readDomain(ctx, id, first.domainId).lastProvedAt;
  service.see = foundAt;
  await run(first.verificationId);
  const before = read();
  service.now += 60_000;
  const later = await openClaim(ctx, id, first.domainId);
  await cancelClaim(ctx, id, later.id);
  expect(read()).toBe(before);
  const inPlay = { status: "proved", claimId: first.id, diagnosis: null, waitEstimate: null };
  expect((await list({})).domains).toMatchObject([inPlay]);
  const again = await openClaim(ctx, id, first.domainId);
  await run(again.verificationId);
  const endedAt = async (claim: { id: string }) => (await readClaim(ctx, id, claim.id)).endedAt;
  expect([before, read()]).toEqual([await endedAt(first), await endedAt(again)]);
  expect(read()).not.toBe(before);
});

test("C27.3, C27.4, C27.7: no answer for one reference of a name shows another's", async () => {
  const { service, ctx, id, open, run, list } = await withAccount();
  const tokens: string[] = [];
  // All clients see these values at the name.
  service.see = (question, at) => {
    const see = tokens.includes(question.token) ? foundAt : absentAt;
    const answer = { rcode: "NOERROR", values: [...tokens], ttl: 300, alias: null, soa: null };
    const seen = see(question, at);
    return { ...seen, servers: seen.servers.map((one) => ({ ...one, answer })), wildcard: false };
  };
  const all: { answers: string; secrets: string[] }[] = [];
  const held = [];
  for (let at = 0; at < 12; at++) {
    const reference = `cust_${at}!`;
    const claim = await open("acme.com", reference);
    // A third each: proved and published, read without its record, and not read at all.
    if (at % 3 === 0) tokens.push(claim.token);
    if (at % 3 < 2) await run(claim.verificationId);
    const links = at % 3 === 0 ? [await publishProof(ctx, id, claim.id)] : [];
    const slugs = links.map(({ slug }) => slug);
    const ids = [claim.id, claim.domainId, claim.verificationId];
    held.push({ ...claim, reference, secrets: [reference, claim.token, ...ids, ...slugs] });
    service.now += 1;
  }
  for (const { id: claimId, reference, domainId, verificationId, secrets } of held) {
    const { diagnosis, waitEstimate } = await readVerification(ctx, id, verificationId);
    for (const listed of [
      (await list({ reference })).domains,
      (await listClaims(ctx, id, { reference })).claims,
    ])
      expect(listed).toMatchObject([{ diagnosis, waitEstimate }]);
    const answers = [
      await list({ reference }),
      await list({ reference, name: "acme.com" }),
      await list({ reference, q: "acme" }),
      await listClaims(ctx, id, { reference }),
      await listClaims(ctx, id, { domainId }),
      readDomain(ctx, id, domainId),
      await readClaim(ctx, id, claimId),
      await readVerification(ctx, id, verificationId),
      await listAttempts(ctx, id, verificationId),
      listProofLinks(ctx, id, claimId),
    ];
    // Anybody may see what DNS has at the name.
    const text = JSON.stringify(answers, (key, value) => (key === "observed" ? 0 : value));
    all.push({ answers: text, secrets });
  }
  for (const { answers, secrets } of all)
    for (const other of all)
      for (const secret of other.secrets)
        expect(answers.includes(secret), secret).toBe(other.secrets === secrets);
  expect((await list({ limit: 1 })).counts).toMatchObject({ proved: 4, pending: 8 });
});

test("C27.13: a customer's domains are erased in steps, and no other's", async () => {
  const { ctx, id, list } = await withAccount();
  const add = (name: string, reference: string) => addDomain(ctx, id, name, { reference });
  for (let index = 0; index < 51; index++) await add(`a${index}.example`, "ada");
  const { domain } = await add("a1.example", "ada");
  await archiveDomain(ctx, id, domain.id);
  await add("a2.example", "bob");
  expect(await deleteReference(ctx, "acc_other", "ada")).toBe(0);
  expect(await deleteReference(ctx, id, "ada")).toBe(51);
  const domains = [{ name: "a2.example", reference: "bob" }];
  expect(await list({})).toMatchObject({ domains, counts: { archived: 0 } });
  const erased = ctx.db.select().from(changeFeed).where(eq(changeFeed.type, "domain.deleted"));
  expect(erased.all().length).toBe(51);
});
