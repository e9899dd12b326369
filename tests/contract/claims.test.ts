import { expect } from "vitest";
import { Claim, ClaimDetail, ClaimList, Verification } from "#app/features/claims/resources.ts";
import type { AddedDomain } from "#app/features/domains/resources.ts";
import { openClaim } from "../support/deed.ts";
import { contract, expectError, newName, shaped } from "./kit.ts";
import { says } from "./sentences.ts";

const { it } = contract();
const WEEK_MS = 7 * 24 * 3_600_000;

it(says("C5.1", "C5.3", "C5.4", "C5.10"), async ({ client }) => {
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
  const { token } = claim;
  expect(token).toMatch(/^service_v1_[0-9a-f]{40}$/);
  const host = "_service-challenge";
  expect(claim.records).toEqual([
    { host, name: `${host}.${domain.name}`, type: "TXT", value: token },
  ]);
  const verification = await client.get(`/api/verifications/${claim.verificationId}`);
  expect(shaped(verification, 200, Verification)).toMatchObject({
    claimId: claim.id,
    method: "dns_txt",
    deadline: claim.expiresAt,
  });
});

it(says("C5.7", "C5.17"), async ({ client }) => {
  const { id, domainId } = await openClaim(client, newName());
  const held = (await client.get(`/api/claims/${id}`)).body;
  const keyed = await client.request("POST", "/api/claims", {
    json: { domainId },
    headers: { "Idempotency-Key": "one" },
  });
  expectError(keyed, "already_claimed", { claim: held });
  expect(shaped(await client.get("/api/claims"), 200, ClaimList).claims).toHaveLength(1);
});
