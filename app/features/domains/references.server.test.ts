import type { ChallengeQuestion } from "@deed/dns/resolve/reader.ts";
import { absentAt, foundAt } from "@deed/dns/testing/readings.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { accountForEmail } from "#app/core/testing/accounts.ts";
import { testService } from "#app/core/testing/service.ts";
import { sized } from "../../../tests/support/size.ts";
import { cancelClaim, listClaims, openClaim, readClaim } from "../claims/claims.server.ts";
import { historyOf } from "../claims/history.server.ts";
import { listAttempts, readVerification, runVerification } from "../claims/verifications.server.ts";
import { listProofLinks, publishProof } from "../proofs/proofs.server.ts";
import { knownNames } from "./domain-rows.server.ts";
import {
  addDomain,
  type DomainQuery,
  hasReferences,
  listDomains,
  readDomain,
} from "./domains.server.ts";

const stay = new AbortController().signal;
const EMAIL = "maria@example.org";

/** What the nameservers have at the name: these values, whoever asks. */
const published =
  (values: () => string[]) =>
  (question: ChallengeQuestion, at: number): ReturnType<typeof absentAt> => {
    const held = values();
    const seen = held.includes(question.token) ? foundAt(question, at) : absentAt(question, at);
    const answer = { rcode: "NOERROR", values: held, ttl: 300, alias: null, soa: null };
    const servers = seen.servers.map((server) => ({ ...server, answer }));
    return { ...seen, servers, wildcard: false };
  };

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

/** Every page of a list, and the ids on them. */
async function allPages(list: (query: DomainQuery) => ReturnType<typeof listDomains>, query = {}) {
  const ids: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await list({ limit: 3, ...query, cursor });
    ids.push(...page.domains.map(({ id }) => id));
    if (page.nextCursor === null) return ids;
    cursor = page.nextCursor;
  }
}

describe("a name with references", () => {
  test("keeps out of one another's ended tokens and domains", async () => {
    const { ctx, id, open } = await withAccount();
    const [one, two, other, beside] = [
      await open("acme.com", "one"),
      await open("acme.com", "two"),
      await open("secret.example", "two"),
      await open("beside.example", "one"),
    ];
    await cancelClaim(ctx, id, two.id);
    const { endedTokens, domainOf } = historyOf(ctx, { accountId: id, domainId: one.domainId });
    expect(endedTokens).toEqual([]);
    expect([two, other, beside].map(({ token }) => domainOf(token))).toEqual([
      null,
      null,
      "beside.example",
    ]);
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

  test("of a reference, of a name, and of both, across pages", async () => {
    const { list, where } = await filled();
    const sorted = async (query: DomainQuery) => (await allPages(list, query)).toSorted();
    const is = (which: Parameters<typeof where>[0]) => where(which).toSorted();
    const reference = "one";
    expect(await sorted({ reference })).toEqual(is((one) => one.reference === "one"));
    expect(await sorted({ name: "acme.com" })).toEqual(is(({ name }) => name === "acme.com"));
    expect(await sorted({ name: "acme.com", reference })).toEqual(
      is((one) => one.name === "acme.com" && one.reference === "one"),
    );
    expect(await sorted({ q: "n", reference })).toEqual(
      is((one) => one.name.startsWith("n") && one.reference === "one"),
    );
    expect(await sorted({ q: "exampl", reference })).toEqual(
      is((one) => one.name.endsWith(".example") && one.reference === "one"),
    );
    expect(await sorted({ name: "acme.com", status: "unclaimed" })).toEqual(
      is(({ name }) => name === "acme.com"),
    );
    for (const query of [
      { reference: "One" },
      { reference: "three" },
      { name: "acme.com", status: "proved" as const },
      { reference, status: "proved" as const },
      { reference, archived: true },
      { name: "acme.com", reference, q: "x" },
    ])
      expect(await sorted(query)).toEqual([]);
    await expect(list({ name: "" })).rejects.toMatchObject({ code: "invalid_domain" });
  });

  test("by name loses no domain of the same name between pages", async () => {
    const { list, where } = await filled();
    const seen = await allPages(list, { sort: "name", limit: 1 });
    expect(seen.toSorted()).toEqual(where(() => true).toSorted());
  });

  test("says whether there is any reference", async () => {
    const { ctx, id } = await filled();
    const none = await withAccount();
    await addDomain(none.ctx, none.id, "acme.com");
    expect([hasReferences(ctx, id), hasReferences(none.ctx, none.id)]).toEqual([true, false]);
  });
});

test("a domain keeps the date of its newest proof, whatever claims come after it", async () => {
  const { service, ctx, id, open, run } = await withAccount();
  const first = await open("acme.com");
  const read = () => readDomain(ctx, id, first.domainId).lastProvedAt;
  service.see = foundAt;
  await run(first.verificationId);
  const before = read();
  service.now += 60_000;
  const later = await openClaim(ctx, id, first.domainId);
  await cancelClaim(ctx, id, later.id);
  expect(read()).toBe(before);
  const again = await openClaim(ctx, id, first.domainId);
  await run(again.verificationId);
  expect([before, read()]).toEqual([
    (await readClaim(ctx, id, first.id)).endedAt,
    (await readClaim(ctx, id, again.id)).endedAt,
  ]);
  expect(read()).not.toBe(before);
});

/** References of the isolation test, and how many of them each run compares. */
const MANY = sized(90, 1_500);
const SAMPLE = 12;

test(`of ${MANY} references of one name, no answer for one shows another's`, {
  timeout: 600_000,
}, async () => {
  const account = await withAccount();
  const { service, ctx, id, run, list } = account;
  ctx.settings.openClaims = MANY;
  const records = new Set<string>();
  service.see = published(() => [...records].slice(-20));
  const held: { reference: string; claimId: string; domainId: string; verificationId: string }[] =
    [];
  for (let at = 0; at < MANY; at++) {
    const reference = `cust_${at}!`;
    const claim = await account.open("acme.com", reference);
    const { verificationId, domainId } = claim;
    held.push({ reference, claimId: claim.id, domainId, verificationId });
    // A third each: proved and published, read without its record, and not read.
    if (at % 3 === 0) records.add(claim.token);
    if (at % 3 < 2) await run(verificationId);
    if (at % 3 === 0) await publishProof(ctx, id, claim.id);
    service.now += 1;
  }
  /** Everything the account is answered about one reference but what DNS itself has at the name. */
  const answersOf = async (one: (typeof held)[number]) => {
    const { reference, claimId, domainId, verificationId } = one;
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
    return JSON.stringify(answers, (key, value) => (key === "observed" ? undefined : value));
  };
  const secretsOf = async (one: (typeof held)[number]) => {
    const { token } = await readClaim(ctx, id, one.claimId);
    const slugs = listProofLinks(ctx, id, one.claimId).map(({ slug }) => slug);
    return [...Object.values(one), token, ...slugs];
  };
  const one = fc.integer({ min: 0, max: MANY - 1 });
  await fc.assert(
    fc.asyncProperty(one, one, async (mine, theirs) => {
      fc.pre(mine !== theirs);
      const [own, other] = [held[mine], held[theirs]];
      if (!own || !other) throw new Error("there is no such reference");
      const text = await answersOf(own);
      for (const secret of await secretsOf(own)) expect(text).toContain(secret);
      for (const secret of await secretsOf(other)) expect(text).not.toContain(secret);
    }),
    { numRuns: sized(SAMPLE, 500) },
  );
  const { counts } = await list({ limit: 1 });
  const proved = Math.ceil(MANY / 3);
  expect(counts).toMatchObject({ proved, pending: MANY - proved });
  expect(await allPages(list, { name: "acme.com", limit: 100 })).toHaveLength(MANY);
});
