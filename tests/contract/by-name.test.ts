import { expect } from "vitest";
import { DomainAndClaim } from "#app/features/by-name/resources.ts";
import { ClaimList } from "#app/features/claims/resources.ts";
import { SharedRecord } from "#app/features/handoffs/resources.ts";
import type { Client } from "../support/deed.ts";
import { contract, expectError, newName, shaped } from "./kit.ts";
import { says } from "./sentences.ts";

const { it, target } = contract();
const at = (name: string, query = "") => `/api/domains/by-name/${encodeURIComponent(name)}${query}`;
const put = (client: Client, name: string, json: object = {}) =>
  client.request("PUT", at(name), { json });
const made = async (client: Client, name: string, json: object = {}) =>
  shaped(await put(client, name, json), 201, DomainAndClaim);
const found = async (client: Client, name: string, json: object = {}) =>
  shaped(await put(client, name, json), 200, DomainAndClaim);
const read = async (client: Client, name: string, query = "") =>
  shaped(await client.get(at(name, query)), 200, DomainAndClaim);
/** Without seconds, which pass between two answers. */
const still = ({ waitEstimate: _, ...answer }: DomainAndClaim) => answer;
const claimsOf = async (client: Client) =>
  shaped(await client.get("/api/claims"), 200, ClaimList).claims.map(({ id }) => id);

it(says("C31.1", "C31.2", "C31.3"), async ({ client }) => {
  const name = newName();
  const first = await made(client, `https://${name.toUpperCase()}/x`, { reference: "cust_1" });
  expect(first).toMatchObject({
    domain: { name, reference: "cust_1", archived: false, lastProvedAt: null },
    claim: { domain: name, reference: "cust_1", state: "pending", panel: null },
    diagnosis: null,
    waitEstimate: { reason: "first_check" },
    handoff: null,
  });
  expect(first.domain.normalisations).toEqual(["scheme_removed", "path_removed", "lowercased"]);
  expect(first.record).toEqual({ ...first.claim.records[0], panel: null });
  const again = await found(client, name, { reference: "cust_1" });
  const { normalisations: _, ...domain } = first.domain;
  expect(still(again)).toEqual({
    ...still(first),
    domain: { ...domain, normalisations: [] },
  });
  const other = await made(client, name, { reference: "cust_2" });
  expect(await claimsOf(client)).toEqual([other.claim.id, first.claim.id]);
});

it(says("C31.3"), async ({ client }) => {
  const name = newName();
  const answers = await Promise.all(Array.from({ length: 8 }, () => put(client, name)));
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array(7).fill(200), 201]);
  const ids = new Set(answers.map(({ body }) => DomainAndClaim.parse(body).claim.id));
  expect(await claimsOf(client)).toEqual([...ids]);
});

it(says("C31.5"), async ({ client, stranger }) => {
  const name = newName();
  const { handoff, claim } = await made(client, name, { handoff: { title: "Connect it" } });
  expect(handoff?.url).toBe(`${target().url}/h/${handoff?.slug}`);
  const page = async () =>
    shaped(await stranger.get(`/api/handoffs/${handoff?.slug}`), 200, SharedRecord);
  expect(await page()).toMatchObject({ domain: name, title: "Connect it" });
  expect((await found(client, name)).handoff).toEqual(handoff);
  const returnUrl = "https://listed.example/done";
  expect((await found(client, name, { handoff: { title: null, returnUrl } })).handoff).toEqual(
    handoff,
  );
  expect(await page()).toMatchObject({ title: null, back: { host: "listed.example" } });
  await client.post(`/api/claims/${claim.id}/handoff/revoke`);
  expect((await read(client, name)).handoff).toBeNull();
  const next = (await found(client, name, { handoff: {} })).handoff;
  expect(next?.slug).not.toBe(handoff?.slug);
});

it(says("C31.6", "C31.7"), async ({ client }) => {
  const name = newName();
  for (const json of [{ handoff: true }, { again: "" }, { reference: " x" }, { domain: name }])
    expectError(await put(client, name, json), "invalid_request");
  expectError(await client.get(at(name)), "domain_not_found");
  await client.post("/api/domains", { domain: name });
  expectError(await client.get(at(name)), "claim_not_found");
  expect(await claimsOf(client)).toEqual([]);
  const answer = await made(client, name, { reference: "Zoë & Söhne" });
  const query = new URLSearchParams({ reference: "Zoë & Söhne" });
  expect(still(await read(client, name, `?${query}`))).toEqual(still(answer));
  expectError(await (await target().signIn()).get(at(name)), "domain_not_found");
  await client.post(`/api/domains/${(await made(client, name)).domain.id}/archive`);
  expectError(await put(client, name), "domain_archived");
  expectError(await client.get(at(name)), "domain_archived");
});
