import { expect } from "vitest";
import { Verification } from "#app/features/claims/resources.ts";
import { AddedDomain, Domain, DomainList } from "#app/features/domains/resources.ts";
import type { Client } from "../support/deed.ts";
import { openClaim } from "../support/deed.ts";
import { contract, expectError, newName, shaped } from "./kit.ts";
import { says } from "./sentences.ts";

const { it, target } = contract();
/** A domain as all answers have it, except that to `POST`. */
const add = async (client: Client, domain = newName()): Promise<Domain> => {
  const { body } = await client.post("/api/domains", { domain });
  const { normalisations: _, ...added } = AddedDomain.parse(body);
  return added;
};
const list = async (client: Client, query = "") =>
  shaped(await client.get(`/api/domains/${query}`), 200, DomainList);
const idsOf = async (client: Client, query: string) =>
  (await list(client, query)).domains.map(({ id }) => id);

it(says("C1.3", "C2.4", "C2.8", "C4.1", "C4.2", "C4.4"), async ({ client }) => {
  const name = newName();
  const created = shaped(await client.post("/api/domains", { domain: name }), 201, AddedDomain);
  expect(created).toMatchObject({
    ...{ name, unicodeName: name, archived: false },
    id: expect.stringMatching(/^dom_[0-9a-z]{20,}$/),
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  });
  expect((await add(client)).id > created.id).toBe(true);
  const typed = { domain: `https://${name.toUpperCase()}/x` };
  const found = shaped(await client.post("/api/domains", typed), 200, AddedDomain);
  expect(found).toEqual({ ...created, normalisations: expect.any(Array) });
  const { normalisations: _, ...domain } = created;
  expect(shaped(await client.get(`/api/domains/${created.id}`), 200, Domain)).toEqual(domain);
});

it(says("C4.10", "C4.12"), async ({ client }) => {
  await add(client);
  const { domainId } = await openClaim(client, newName());
  const gone = await add(client);
  await client.post(`/api/domains/${gone.id}/archive`);
  expect(await idsOf(client, "?archived=true")).toEqual([gone.id]);
  const counts = { unclaimed: 1, pending: 1, proved: 0, expired: 0, canceled: 0, archived: 1 };
  const pending = await list(client, "?status=pending");
  expect(pending.counts).toEqual(counts);
  expect(pending.domains.map(({ id }) => id)).toEqual([domainId]);
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
  await client.delete(`/api/domains/${gone.id}`);
  const rest = await idsOf(client, `?q=example&limit=2&cursor=${first.nextCursor}`);
  expect(rest).toEqual([harbour.id]);
  for (const q of ["", "a".repeat(254)])
    expectError(await client.get(`/api/domains?q=${q}`), "invalid_request");
});

it(says("C4.13", "C4.14", "C4.15", "C4.16", "C5.8", "C10.3", "C10.11"), async ({ client }) => {
  const { claim: proved, slug } = await target().publish(client, "acme.com");
  const open = await openClaim(client, "acme.com");

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
  expect((await client.delete(`/api/domains/${proved.domainId}`)).status).toBe(204);
  expectError(await target().stranger().get(`/api/proofs/${slug}`), "proof_not_found");
});
