import { txt } from "@deed/playground/records.ts";
import { describe, expect } from "vitest";
import { Claim, Verification } from "#app/features/claims/resources.ts";
import { AddedDomain, Domain, DomainList } from "#app/features/domains/resources.ts";
import type { ProofLink } from "#app/features/proofs/resources.ts";
import type { Client } from "../support/deed.ts";
import { openClaim } from "../support/deed.ts";
import { known } from "./by-test-key.ts";
import { contract, expectError, newName, shaped } from "./kit.ts";
import { says } from "./sentences.ts";

const { it, target } = contract();
/** The domain as every answer but that to `POST` has it. */
const add = async (client: Client, domain = newName()): Promise<Domain> => {
  const { body } = await client.post("/api/domains", { domain });
  const { normalisations: _, ...added } = AddedDomain.parse(body);
  return added;
};
const list = async (client: Client, query = "") =>
  shaped(await client.get(`/api/domains/${query}`), 200, DomainList);
const idsOf = async (client: Client, query: string) =>
  (await list(client, query)).domains.map(({ id }) => id);

describe("adding", () => {
  it(says("C1.3", "C2.4", "C2.8", "C4.1", "C4.2"), async ({ client }) => {
    const name = newName();
    const created = shaped(await client.post("/api/domains", { domain: name }), 201, AddedDomain);
    expect(created).toMatchObject({
      ...{ name, unicodeName: name, archived: false },
      id: expect.stringMatching(/^dom_[0-9a-z]{20,}$/),
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect((await add(client)).id > created.id).toBe(true);
    const found = shaped(
      await client.post("/api/domains", { domain: `https://${name.toUpperCase()}/x` }),
      200,
      AddedDomain,
    );
    expect(found).toEqual({ ...created, normalisations: expect.any(Array) });
  });

  it(says("C3.1", "C3.5", "C3.6"), async ({ client }) => {
    const label = "a".repeat(60);
    const of = (length: number) => `${label}.${label}.${label}.${label}.x`.slice(-length);
    for (const domain of [
      ...["", " ", "a".repeat(254), `${of(245)}.example.com`, "192.0.2.1", "[2001:db8::1]"],
      ...["no spaces.example", "-a.example", "a..example", "\u0000.example"],
    ])
      expectError(await client.post("/api/domains", { domain }), "invalid_domain");
    expect((await list(client)).domains).toEqual([]);
    // Too long with the challenge's label alone, so it is read, and not claimed.
    const long = `${[1, 2, 3, 4].map(() => "b".repeat(57)).join(".")}.example`;
    expectError(await client.post("/api/domains", { domain: long }), "invalid_domain");
    const zone = await (await target().reader()).get(`/api/zones/${long}`);
    expect(zone.status).not.toBe(400);
  });

  it(says("C3.7"), async ({ client }) => {
    expect((await client.post("/api/domains", { domain: "co.uk" })).status).toBe(201);
  });
});

describe("reading", () => {
  it(says("C4.4", "C12.9"), async () => {
    const [mara, noor] = [await target().signIn(), await target().signIn()];
    const domain = await add(mara);
    expect(shaped(await mara.get(`/api/domains/${domain.id}`), 200, Domain)).toEqual(domain);
    // tests/security/cross-account.test.ts asks at every entry of the endpoint table.
    for (const id of [domain.id, "dom_nothing"])
      expectError(await noor.get(`/api/domains/${id}`), "domain_not_found");
  });

  it(says("C2.10"), async ({ client }) => {
    const { id } = await add(client);
    for (const path of ["/api/domains", `/api/domains/${id}`, "/api/claims", "/api/account"]) {
      const plain = await client.get(path);
      expect(plain.status).toBe(200);
      expect((await client.get(`${path}/`)).text).toBe(plain.text);
    }
    expect((await client.post("/api/domains/", { domain: newName() })).status).toBe(201);
  });
});

describe("listing", () => {
  it(says("C4.7", "C2.6"), async ({ client }) => {
    const bare = await add(client);
    const claim = await openClaim(client, newName());
    const { domains } = await list(client);
    expect(domains[0]).toMatchObject({
      id: claim.domainId,
      status: "pending",
      claimId: claim.id,
      verificationId: claim.verificationId,
      claimStartedAt: expect.any(String),
      claimEndedAt: null,
    });
    expect(domains[1]).toMatchObject({ ...bare, status: "unclaimed", claimId: null });
  });

  it(says("C4.5", "C2.9"), async ({ client }) => {
    const added = [];
    for (let i = 0; i < 7; i++) added.unshift((await add(client)).id);
    const first = await list(client, "?limit=3");
    expect(first.domains.map(({ id }) => id)).toEqual(added.slice(0, 3));
    await add(client);
    const second = await list(client, `?limit=3&cursor=${first.nextCursor}`);
    expect(second.domains.map(({ id }) => id)).toEqual(added.slice(3, 6));
    const third = await list(client, `?limit=3&cursor=${second.nextCursor}`);
    expect(third.domains.map(({ id }) => id)).toEqual(added.slice(6));
    expect(third.nextCursor).toBeNull();
    expectError(await client.get("/api/domains?cursor=nonsense"), "invalid_request");
  });

  it(says("C4.12"), async ({ client }) => {
    await add(client);
    const { domainId } = await openClaim(client, newName());
    const canceled = await openClaim(client, newName());
    await client.post(`/api/claims/${canceled.id}/cancel`);
    await client.post(`/api/domains/${(await add(client)).id}/archive`);
    const counts = { unclaimed: 1, pending: 1, proved: 0, expired: 0, canceled: 1, archived: 1 };
    expect((await list(client, "?limit=1")).counts).toEqual(counts);
    const pending = await list(client, "?status=pending");
    expect(pending.counts).toEqual(counts);
    expect(pending.domains.map(({ id }) => id)).toEqual([domainId]);
  });

  it(says("C4.10", "C4.11"), async ({ client }) => {
    const kept = await add(client);
    const gone = await add(client);
    await client.post(`/api/domains/${gone.id}/archive`);
    expect(await idsOf(client, "")).toEqual([kept.id]);
    expect(await idsOf(client, "?archived=false")).toEqual([kept.id]);
    expect(await idsOf(client, "?archived=true")).toEqual([gone.id]);
    expect(await idsOf(client, `?name=${gone.name}`)).toEqual([gone.id]);
    expect(
      await idsOf(client, `?name=${encodeURIComponent(`https://WWW.${kept.name}/x`)}`),
    ).toEqual([kept.id]);
    expect(await idsOf(client, `?name=${kept.name.slice(1)}`)).toEqual([]);
    expectError(await client.get("/api/domains?name=-"), "invalid_domain");
  });

  it(says("C4.17"), async ({ client }) => {
    const harbour = await add(client, "north-harbour.example");
    const gone = await add(client, "harbour-old.example");
    await client.post(`/api/domains/${gone.id}/archive`);
    const books = await add(client, "bücher.example");
    await add(await target().signIn(), "harbour-of-another.example");
    for (const [query, found] of [
      ["HARB", [gone.id, harbour.id]],
      ["harb&archived=false", [harbour.id]],
      ["harb&status=proved", []],
      ["h-h", [harbour.id]],
      ["B%C3%BCch", [books.id]],
      ["bcher-kv", [books.id]],
      ["%22", []],
    ] as const)
      expect([query, await idsOf(client, `?q=${query}`)]).toEqual([query, found]);
    const first = await list(client, "?q=example&limit=2");
    expect(first.domains.map(({ id }) => id)).toEqual([books.id, gone.id]);
    await client.delete(`/api/domains/${gone.id}`);
    expect(await idsOf(client, `?q=example&limit=2&cursor=${first.nextCursor}`)).toEqual([
      harbour.id,
    ]);
    expect(await idsOf(client, "?q=harb")).toEqual([harbour.id]);
    for (const q of ["", "a".repeat(254)])
      expectError(await client.get(`/api/domains?q=${q}`), "invalid_request");
  });

  it(says("C4.9"), async ({ client }) => {
    for (const limit of ["0", "101", "-1", "x", "1e1", ""])
      expectError(await client.get(`/api/domains?limit=${limit}`), "invalid_request");
    for (const limit of ["1", "100"])
      expect((await client.get(`/api/domains?limit=${limit}`)).status).toBe(200);
  });
});

describe("archiving, bringing back, erasing", () => {
  it(says("C4.13", "C4.14", "C5.8", "C10.3"), async ({ client }) => {
    const { claim: proved, slug } = await target().publish(client, "acme.com");
    const open = await openClaim(client, known("acme.com"));

    const path = `/api/domains/${proved.domainId}/archive`;
    const archived = shaped(await client.post(path), 200, Domain);
    expect(archived.archived).toBe(true);
    expect(shaped(await client.post(path), 200, Domain)).toEqual(archived);

    const claim = (await client.get(`/api/claims/${open.id}`)).body;
    expect(claim).toMatchObject({ state: "canceled", records: [] });
    const verification = await client.get(`/api/verifications/${open.verificationId}`);
    expect(shaped(verification, 200, Verification).status).toBe("stopped");
    expectError(await target().stranger().get(`/api/proofs/${slug}`), "proof_revoked");
    expect((await client.get(`/api/claims/${proved.id}`)).body).toMatchObject({
      state: "proved",
    });
    expectError(await client.post("/api/claims", { domainId: proved.domainId }), "domain_archived");
    expectError(await client.post(`/api/claims/${proved.id}/proof_links`), "domain_archived");

    const back = `/api/domains/${proved.domainId}/unarchive`;
    expect(shaped(await client.post(back), 200, Domain).archived).toBe(false);
    expect((await client.post(back)).status).toBe(200);
    expectError(await target().stranger().get(`/api/proofs/${slug}`), "proof_revoked");
  });

  it(says("C4.15", "C4.8"), async ({ client }) => {
    const proved = await target().prove(client, "hooli.com");
    const { id: later } = await openClaim(client, known("hooli.com"));
    await client.post(`/api/claims/${later}/cancel`);
    const path = `/api/domains/${proved.domainId}`;
    await client.post(`${path}/archive`);
    await client.post(`${path}/unarchive`);
    const { domains, counts } = await list(client);
    expect(domains[0]).toMatchObject({ status: "proved", claimId: proved.id });
    expect(counts).toMatchObject({ proved: 1, pending: 0 });
    const claims = (await client.get(`/api/claims?domainId=${proved.domainId}`)).body;
    expect(claims).toMatchObject({ claims: [{ id: later }, { id: proved.id }] });
  });

  it(says("C4.16", "C10.11"), async ({ client }) => {
    const { claim, slug } = await target().publish(client, "lantern.example");
    const erased = await client.delete(`/api/domains/${claim.domainId}`);
    expect([erased.status, erased.text]).toEqual([204, ""]);
    expectError(await client.get(`/api/domains/${claim.domainId}`), "domain_not_found");
    expectError(await client.get(`/api/claims/${claim.id}`), "claim_not_found");
    expectError(
      await client.get(`/api/verifications/${claim.verificationId}`),
      "verification_not_found",
    );
    expectError(await target().stranger().get(`/api/proofs/${slug}`), "proof_not_found");
    expect((await target().stranger().get(`/p/${slug}`)).status).toBe(404);
    expect((await client.get("/api/notices")).body).toEqual({ notices: [], nextCursor: null });
    expectError(await client.delete(`/api/domains/${claim.domainId}`), "domain_not_found");
  });
});

describe("claims of a domain", () => {
  it(says("C1.4"), async ({ client }) => {
    const first = await openClaim(client, newName());
    await client.post(`/api/claims/${first.id}/cancel`);
    const again = Claim.parse(
      (await client.post("/api/claims", { domainId: first.domainId })).body,
    );
    expect(again.id).not.toBe(first.id);
    expect((await client.delete(`/api/claims/${first.id}`)).status).toBe(405);
    expect((await client.get("/api/claims")).body).toMatchObject({
      claims: [
        { id: again.id, state: "pending" },
        { id: first.id, state: "canceled" },
      ],
    });
  });
});

describe("references", () => {
  const addFor = async (client: Client, domain: string, reference?: string) =>
    client.post("/api/domains", { domain, reference });

  it(says("C2.12", "C27.1", "C27.2"), async ({ client }) => {
    const name = newName();
    const [named, more] = [
      ["cust_42", "Cust_42", "kundå nr 7"],
      ["خانه‌ها ❤️", "客".repeat(200)],
    ];
    const references = [...named, ...more, undefined];
    const ids = new Set<string>();
    for (const status of [201, 200])
      for (const reference of references) {
        const added = shaped(await addFor(client, name, reference), status, AddedDomain);
        expect(added.reference).toBe(reference ?? null);
        ids.add(added.id);
      }
    expect(ids.size).toBe(references.length);
    for (const reference of [
      ...["", " a", "a ", "a\nb", "a\u202eb", "a".repeat(201), 7, null, ["a"]],
      ...["cust_42\u3164", "cust_42\u2800", "cust_\ufe0f\ufe0f42", "cust_42\ufe0f", "\u{e0041}"],
    ]) {
      const refused = await client.post("/api/domains", { domain: name, reference });
      expectError(refused, "invalid_request");
    }
    const { id } = shaped(await addFor(client, name, "cust_42"), 200, AddedDomain);
    const claim = shaped(await client.post("/api/claims", { domainId: id }), 201, Claim);
    expect(claim.reference).toBe("cust_42");
  });

  it(says("C27.3", "C27.4", "C27.6", "C27.7"), async ({ client }) => {
    const { playground } = target().own;
    const zone = target().zone();
    const [one, two] = await Promise.all(
      ["cust-one", "cust-two"].map(async (reference) => {
        const { id } = AddedDomain.parse((await addFor(client, zone, reference)).body);
        return Claim.parse((await client.post("/api/claims", { domainId: id })).body);
      }),
    );
    if (!one || !two) throw new Error("two claims were opened");
    const run = async ({ verificationId, records }: Claim, isAdded: boolean) => {
      const { name = "", value = "" } = records[0] ?? {};
      if (isAdded) playground.addRecord(zone, txt(name, value));
      playground.flushWitnesses();
      return (await client.post(`/api/verifications/${verificationId}/runs`)).body as Verification;
    };
    expect(await run(one, true)).toMatchObject({ status: "proved" });
    const { diagnosis } = await run(two, false);
    expect(diagnosis).toMatchObject({ code: "foreign_token", observed: { value: one.token } });
    expect(diagnosis?.observed).not.toHaveProperty("domain");
    const shown = async (query: string) => (await list(client, query)).domains;
    expect(await shown("?reference=cust-two")).toMatchObject([
      { status: "pending", lastProvedAt: null, diagnosis, waitEstimate: null },
    ]);
    const proved = (await shown("?reference=cust-one"))[0];
    expect(proved).toMatchObject({ status: "proved", diagnosis: null, waitEstimate: null });
    expect(proved?.lastProvedAt).toBe(proved?.claimEndedAt);
    await client.post("/api/claims", { domainId: one.domainId });
    expect(await shown("?reference=cust-one")).toMatchObject([
      {
        status: "pending",
        lastProvedAt: proved?.lastProvedAt,
        waitEstimate: { reason: "first_check" },
      },
    ]);

    const strange = target().stranger();
    const { slug } = (await client.post(`/api/claims/${one.id}/proof_links`)).body as ProofLink;
    const handoff = (await client.post(`/api/claims/${two.id}/handoff`)).body as { slug: string };
    for (const path of [
      ...["", "/receipt"].map((part) => `/api/proofs/${slug}${part}`),
      `/p/${slug}`,
      `/h/${handoff.slug}`,
    ]) {
      const { status, text } = await strange.get(path);
      expect([path, status, text.includes("cust-")]).toEqual([path, 200, false]);
    }
  });

  it(says("C27.5"), async ({ client }) => {
    const name = newName();
    const added: Record<string, string> = {};
    for (const reference of ["one", "two", "three"])
      added[reference] = AddedDomain.parse((await addFor(client, name, reference)).body).id;
    const other = AddedDomain.parse((await addFor(client, newName(), "one")).body).id;
    await client.post(`/api/domains/${added.two}/archive`);
    for (const [query, found] of [
      ["reference=one", [other, added.one]],
      [`reference=one&name=${name}`, [added.one]],
      ["reference=one&status=unclaimed", [other, added.one]],
      ["reference=two", []],
      ["reference=two&archived=true", [added.two]],
      ["reference=On", []],
    ] as const)
      expect([query, await idsOf(client, `?${query}`)]).toEqual([query, found]);
    const first = await list(client, `?name=${name}&limit=2`);
    expect(first.domains.map(({ id }) => id)).toEqual([added.three, added.two]);
    expect(await idsOf(client, `?name=${name}&limit=2&cursor=${first.nextCursor}`)).toEqual([
      added.one,
    ]);
    expect(await idsOf(client, `?name=${name}&status=proved`)).toEqual([]);
    expectError(await client.get("/api/domains?reference="), "invalid_request");
  });

  it(says("C27.9", "C27.10"), async ({ client }) => {
    const name = newName();
    const typed = ` https://WWW.${name}:443/path `;
    const answer = async (json: object, status = 201) => {
      const { name, normalisations } = shaped(
        await client.post("/api/domains", json),
        status,
        AddedDomain,
      );
      return { name, normalisations };
    };
    const done = ["trimmed", "scheme_removed", "path_removed", "port_removed", "lowercased"];
    expect(await answer({ domain: typed })).toEqual({
      name,
      normalisations: [...done, "www_removed"],
    });
    expect(await answer({ domain: typed, keepWww: true })).toEqual({
      name: `www.${name}`,
      normalisations: done,
    });
    const www = { name: `www.${name}`, normalisations: [] };
    expect(await answer({ domain: `www.${name}`, keepWww: true }, 200)).toEqual(www);
    expect(await answer({ domain: name, keepWww: true }, 200)).toEqual({ ...www, name });
    const found = async (query: string) =>
      (await list(client, `?name=www.${name}${query}`)).domains.map(({ name }) => name);
    expect(await found("")).toEqual([name]);
    expect(await found("&keepWww=false")).toEqual([name]);
    expect(await found("&keepWww=true")).toEqual([`www.${name}`]);
  });
});
