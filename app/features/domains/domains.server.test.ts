import { foundAt } from "@deed/dns/testing/readings.ts";
import { describe, expect, test } from "vitest";
import { accountForEmail } from "#app/core/testing/accounts.ts";
import { claimed, type TestService, testService } from "#app/core/testing/service.ts";
import {
  attemptEvidence,
  attempts,
  claims,
  domains,
  notices,
  proofLinks,
  verifications,
} from "#db/schema.ts";
import { cancelClaim } from "../claims/claims.server.ts";
import { runVerification } from "../claims/verifications.server.ts";
import { readProof } from "../proofs/proof-rows.server.ts";
import { publishProof } from "../proofs/proofs.server.ts";
import {
  addDomain,
  archiveDomain,
  deleteDomain,
  domainDeletionImpact,
  listDomains,
  readDomain,
  readListedDomain,
  unarchiveDomain,
} from "./domains.server.ts";

const stay = new AbortController().signal;

async function published(service: TestService) {
  const mine = await claimed(service);
  service.see = foundAt;
  await runVerification(service.ctx, mine.account.id, mine.claim.verificationId, stay);
  const link = await publishProof(service.ctx, mine.account.id, mine.claim.id);
  return { ...mine, link };
}

describe("adding", () => {
  test("creates once and finds afterwards, whatever the spelling", async () => {
    const { ctx } = testService();
    const account = await accountForEmail(ctx, "maria@example.org");
    const first = await addDomain(ctx, account.id, "  https://Acme.com/path ");
    expect(first).toMatchObject({ created: true, domain: { name: "acme.com", archived: false } });
    const second = await addDomain(ctx, account.id, "ACME.COM.");
    expect(second).toEqual({
      created: false,
      domain: first.domain,
      normalisations: ["trailing_dot_removed", "lowercased"],
    });
  });

  test("two at once make one domain", async () => {
    const { ctx } = testService();
    const account = await accountForEmail(ctx, "maria@example.org");
    const both = await Promise.all([
      addDomain(ctx, account.id, "acme.com"),
      addDomain(ctx, account.id, "acme.com"),
    ]);
    expect(both.map(({ created }) => created).sort()).toEqual([false, true]);
  });

  test("a name that is none: invalid_domain, nothing written", async () => {
    const { ctx } = testService();
    const account = await accountForEmail(ctx, "maria@example.org");
    await expect(addDomain(ctx, account.id, "..")).rejects.toMatchObject({
      code: "invalid_domain",
    });
    expect(ctx.db.select().from(domains).all()).toEqual([]);
  });

  test("the same name on two accounts is two domains", async () => {
    const service = testService();
    const one = await claimed(service, "one@example.org");
    const two = await claimed(service, "two@example.org");
    expect(one.claim.domainId).not.toBe(two.claim.domainId);
    await expect(async () =>
      readDomain(service.ctx, one.account.id, two.claim.domainId),
    ).rejects.toMatchObject({ code: "domain_not_found" });
  });
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

  test("a full last page has no cursor", async () => {
    const { service, account } = await filled(4);
    const first = await listDomains(service.ctx, account.id, { limit: 2 });
    const last = await listDomains(service.ctx, account.id, {
      limit: 2,
      cursor: first.nextCursor ?? "",
    });
    expect(last.domains).toHaveLength(2);
    expect(last.nextCursor).toBeNull();
  });

  test("25 unless told", async () => {
    const { service, account } = await filled(26);
    expect((await listDomains(service.ctx, account.id, {})).domains).toHaveLength(25);
  });

  test.each(["", "x", "bm90IGEgY3Vyc29y", "MS4uLg"])("cursor %j is refused", async (cursor) => {
    const { service, account } = await filled(1);
    await expect(listDomains(service.ctx, account.id, { cursor })).rejects.toMatchObject({
      code: "invalid_request",
    });
  });

  test("a cursor is refused with anything around it, or spelled in another way", async () => {
    const { service, account } = await filled(3);
    const { nextCursor } = await listDomains(service.ctx, account.id, { limit: 1 });
    const cursor = nextCursor ?? "";
    expect((await listDomains(service.ctx, account.id, { cursor })).domains).toHaveLength(2);
    const text = Buffer.from(cursor, "base64url").toString();
    const around = [
      ` ${cursor}`,
      `${cursor} `,
      `${cursor}=`,
      `${cursor}\n`,
      `${cursor}.`,
      `#${cursor}`,
    ];
    const spelled = [
      Buffer.from(`0${text}`).toString("base64url"),
      `${cursor.slice(0, 5)}/${cursor.slice(5)}`,
    ];
    for (const other of [...around, ...spelled, cursor + cursor])
      await expect(listDomains(service.ctx, account.id, { cursor: other })).rejects.toMatchObject({
        code: "invalid_request",
      });
  });

  test("filters by status and archive; counts tally the whole account", async () => {
    const { service, account, ids } = await filled(2);
    const mine = await claimed(service, "maria@example.org", "claimed.example.com");
    const gone = await claimed(service, "maria@example.org", "gone.example.com");
    await cancelClaim(service.ctx, account.id, gone.claim.id);
    await archiveDomain(service.ctx, account.id, ids[0] ?? "");
    const counts = { unclaimed: 1, pending: 1, proved: 0, expired: 0, canceled: 1, archived: 1 };
    const list = async (query: Parameters<typeof listDomains>[2]) => {
      const page = await listDomains(service.ctx, account.id, query);
      expect(page.counts).toEqual(counts);
      return page.domains.map(({ id }) => id);
    };
    expect(await list({ status: "pending" })).toEqual([mine.claim.domainId]);
    expect(await list({ status: "canceled" })).toEqual([gone.claim.domainId]);
    expect(await list({ status: "proved" })).toEqual([]);
    expect(await list({ archived: true })).toEqual([ids[0]]);
    expect(await list({ archived: true, status: "pending" })).toEqual([]);
    expect(await list({ archived: false })).toHaveLength(3);
  });

  test("a name is found archived or not, in any spelling, and exactly", async () => {
    const { service, account, ids } = await filled(2);
    await archiveDomain(service.ctx, account.id, ids[0] ?? "");
    const page = await listDomains(service.ctx, account.id, { name: "N0.Example.com." });
    expect(page.domains).toMatchObject([{ id: ids[0], archived: true, status: "unclaimed" }]);
    expect(page.nextCursor).toBeNull();
    const part = await listDomains(service.ctx, account.id, { name: "example.com" });
    expect(part.domains).toEqual([]);
  });

  test("a domain without a claim has the claim fields as null", async () => {
    const { service, account, ids } = await filled(1);
    expect(await readListedDomain(service.ctx, account.id, ids[0] ?? "")).toMatchObject({
      status: "unclaimed",
      claimId: null,
      verificationId: null,
      claimStartedAt: null,
      claimEndedAt: null,
    });
  });
});

test("a search for one or two characters looks at 2,000 names a page, and reaches all", async () => {
  const { ctx } = testService();
  const account = await accountForEmail(ctx, "maria@example.org");
  const rows = Array.from({ length: 4_500 }, (_, at) => {
    const name = at % 2_200 === 0 ? `zz${at}.example` : `n${at}.example`;
    const id = `dom_${String(at).padStart(5, "0")}`;
    return { id, accountId: account.id, name, unicodeName: name, createdAt: 1, archived: at === 0 };
  });
  ctx.db.transaction((tx) => {
    for (const row of rows) tx.insert(domains).values(row).run();
  });
  const pages: string[][] = [];
  for (let cursor: string | undefined; pages.length < 5; ) {
    const page = await listDomains(ctx, account.id, { q: "zz", cursor });
    pages.push(page.domains.map(({ name }) => name));
    if (!page.nextCursor) break;
    cursor = page.nextCursor;
  }
  expect(pages).toEqual([["zz4400.example"], ["zz2200.example"], ["zz0.example"]]);
});

describe("sorting", () => {
  const sorted = async (sort: "name" | "state") => {
    const service = testService();
    const { account } = await claimed(service, "maria@example.org", "m.example");
    for (const name of ["z.example", "a.example", "k.example"]) {
      service.now += 1;
      await addDomain(service.ctx, account.id, name);
    }
    await claimed(service, "maria@example.org", "b.example");
    const other = await claimed(service, "maria@example.org", "c.example");
    await cancelClaim(service.ctx, account.id, other.claim.id);
    const names: string[] = [];
    let status: Parameters<typeof listDomains>[2]["status"];
    for (let cursor: string | undefined; ; ) {
      const query = { limit: 2, cursor, sort, status };
      const page = await listDomains(service.ctx, account.id, query);
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

describe("archiving", () => {
  test("cancels the open claim and is idempotent", async () => {
    const service = testService();
    const { account, claim } = await claimed(service);
    const once = await archiveDomain(service.ctx, account.id, claim.domainId);
    expect(once.archived).toBe(true);
    expect(await archiveDomain(service.ctx, account.id, claim.domainId)).toEqual(once);
    expect(await readListedDomain(service.ctx, account.id, claim.domainId)).toMatchObject({
      status: "canceled",
    });
    const back = await unarchiveDomain(service.ctx, account.id, claim.domainId);
    expect(back.archived).toBe(false);
    expect(await unarchiveDomain(service.ctx, account.id, claim.domainId)).toEqual(back);
  });

  test("revokes the links for good; the proof keeps its state; nothing comes back", async () => {
    const service = testService();
    const { account, claim, link } = await published(service);
    await archiveDomain(service.ctx, account.id, claim.domainId);
    await expect(async () => readProof(service.ctx, link.slug)).rejects.toMatchObject({
      code: "proof_revoked",
    });
    await expect(publishProof(service.ctx, account.id, claim.id)).rejects.toMatchObject({
      code: "domain_archived",
    });
    await unarchiveDomain(service.ctx, account.id, claim.domainId);
    await expect(async () => readProof(service.ctx, link.slug)).rejects.toMatchObject({
      code: "proof_revoked",
    });
    expect(await readListedDomain(service.ctx, account.id, claim.domainId)).toMatchObject({
      status: "proved",
    });
    const fresh = await publishProof(service.ctx, account.id, claim.id);
    expect(fresh.slug).not.toBe(link.slug);
  });
});

describe("deleting", () => {
  test("erases everything that hangs on the domain; its links stop resolving", async () => {
    const service = testService();
    const { account, claim, link } = await published(service);
    expect(domainDeletionImpact(service.ctx, account.id, claim.domainId)).toEqual({
      claims: 1,
      openClaims: 0,
      liveLinks: 1,
      notices: 1,
    });
    await deleteDomain(service.ctx, account.id, claim.domainId);
    const { db } = service.ctx;
    for (const table of [
      domains,
      claims,
      verifications,
      attempts,
      attemptEvidence,
      proofLinks,
      notices,
    ])
      expect(db.select().from(table).all()).toEqual([]);
    await expect(async () => readProof(service.ctx, link.slug)).rejects.toMatchObject({
      code: "proof_not_found",
    });
    await expect(deleteDomain(service.ctx, account.id, claim.domainId)).rejects.toMatchObject({
      code: "domain_not_found",
    });
    expect((await listDomains(service.ctx, account.id, {})).counts.proved).toBe(0);
  });

  test("another account's domain is not found", async () => {
    const service = testService();
    const { claim } = await claimed(service);
    const stranger = await accountForEmail(service.ctx, "stranger@example.org");
    for (const act of [deleteDomain, archiveDomain, unarchiveDomain]) {
      await expect(act(service.ctx, stranger.id, claim.domainId)).rejects.toMatchObject({
        code: "domain_not_found",
      });
    }
  });
});
