import { describe, expect } from "vitest";
import { Claim, ClaimDetail, ClaimList, Verification } from "#app/features/claims/resources.ts";
import { AddedDomain } from "#app/features/domains/resources.ts";
import { openClaim } from "../support/deed.ts";
import { contract, expectError, newName, shaped } from "./kit.ts";
import { says } from "./sentences.ts";

const { it } = contract();
const WEEK_MS = 7 * 24 * 3_600_000;

describe("opening", () => {
  it(says("C5.1", "C5.7", "C5.10"), async ({ client }) => {
    const json = { domain: newName() };
    const domain = await client.expect<AddedDomain>(201, "POST", "/api/domains", json);
    const claim = shaped(await client.post("/api/claims", { domainId: domain.id }), 201, Claim);
    expect(claim).toMatchObject({
      domainId: domain.id,
      domain: domain.name,
      unicodeDomain: domain.unicodeName,
      state: "pending",
      endedAt: null,
    });
    expect(Date.parse(claim.expiresAt) - Date.parse(claim.createdAt)).toBe(WEEK_MS);
    expect(shaped(await client.get(`/api/claims/${claim.id}`), 200, ClaimDetail)).toEqual({
      ...claim,
      coexistence: null,
    });
    const verification = await client.get(`/api/verifications/${claim.verificationId}`);
    expect(shaped(verification, 200, Verification)).toMatchObject({
      claimId: claim.id,
      method: "dns_txt",
      deadline: claim.expiresAt,
    });
  });

  it(says("C5.3", "C5.4"), async ({ client }) => {
    const name = newName();
    const { id, token } = await openClaim(client, name);
    expect(token).toMatch(/^service_v1_[0-9a-f]{40}$/);
    const claim = shaped(await client.get(`/api/claims/${id}`), 200, ClaimDetail);
    expect(claim.records).toEqual([
      { host: "_service-challenge", name: `_service-challenge.${name}`, type: "TXT", value: token },
    ]);
    await client.post(`/api/claims/${id}/cancel`);
    expect((await client.get(`/api/claims/${id}`)).body).toMatchObject({ token });
  });

  it(says("C5.7"), async ({ client }) => {
    const { id, domainId } = await openClaim(client, newName());
    const held = (await client.get(`/api/claims/${id}`)).body;
    const again = await client.post("/api/claims", { domainId });
    expectError(again, "already_claimed", { claim: held });
    // C5.17
    const keyed = await client.request("POST", "/api/claims", {
      json: { domainId },
      headers: { "Idempotency-Key": "one" },
    });
    expectError(keyed, "already_claimed", { claim: held });
    expect(shaped(await client.get("/api/claims"), 200, ClaimList).claims).toHaveLength(1);
  });
});

describe("listing and reading", () => {
  it(says("C27.8"), async ({ client }) => {
    const name = newName();
    const made: string[] = [];
    for (const reference of ["one", "two"]) {
      const added = await client.post("/api/domains", { domain: name, reference });
      const { id: domainId } = AddedDomain.parse(added.body);
      for (let at = 0; at < 2; at++) {
        const { id } = Claim.parse((await client.post("/api/claims", { domainId })).body);
        made.unshift(id);
        await client.post(`/api/claims/${id}/cancel`);
      }
    }
    const page = async (query: string) => {
      const answer = shaped(await client.get(`/api/claims${query}`), 200, ClaimList);
      return { ids: answer.claims.map(({ id }) => id), next: answer.nextCursor };
    };
    expect(await page("")).toEqual({ ids: made, next: null });
    const first = await page("?limit=3");
    expect(first.ids).toEqual(made.slice(0, 3));
    const rest = { ids: made.slice(3), next: null };
    expect(await page(`?limit=3&cursor=${first.next}`)).toEqual(rest);
    expect(await page(`?cursor=${first.next}`)).toEqual(rest);
    expect(await page("?reference=one")).toEqual({ ids: made.slice(2), next: null });
    expect((await page("?reference=two&limit=1")).ids).toEqual(made.slice(0, 1));
    expect((await page("?reference=three")).ids).toEqual([]);
    for (const query of ["limit=0", "limit=101", "cursor=x", "reference=", "domain=x"])
      expectError(await client.get(`/api/claims?${query}`), "invalid_request");
  });
});
