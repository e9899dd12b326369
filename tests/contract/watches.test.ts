import { expect } from "vitest";
import { ClaimDetail } from "#app/features/claims/resources.ts";
import { ProofWatch, Watch } from "#app/features/claims/watch.ts";
import type { Client } from "../support/deed.ts";
import { poll } from "../support/deed.ts";
import { contract, expectError, shaped } from "./kit.ts";
import { says } from "./sentences.ts";

const { it, target } = contract();
const put = (client: Client, id: string) => client.request("PUT", `/api/claims/${id}/watch`);

async function published(client: Client) {
  const { claim, slug } = await target().publish(client, target().zone());
  return { claim, slug, watch: `/api/claims/${claim.id}/watch` };
}

it(says("C29.1", "C29.2", "C29.10"), async ({ client, stranger }) => {
  const { claim, slug, watch } = await published(client);
  const proof = await stranger.get(`/api/proofs/${slug}`);
  const before = shaped(await client.get(`/api/claims/${claim.id}`), 200, ClaimDetail);
  expectError(await client.get(watch), "not_watched");
  expectError(await stranger.get(`/api/proofs/${slug}/watch`), "not_watched");
  expect((await stranger.get(`/p/${slug}`)).text).not.toContain("last seen");

  const started = shaped(await put(client, claim.id), 200, Watch);
  expect(started).toMatchObject({ claimId: claim.id, state: "published", missingSince: null });
  expect(started.seenAt).toBe(before.endedAt);
  const isRead = ({ checkedAt, registration }: Record<string, unknown>) =>
    checkedAt !== null && registration !== null;
  const read = Watch.parse(await poll(client, watch, isRead));
  expect(read).toMatchObject({ state: "published", seenAt: read.checkedAt });
  expect(read.startedAt).toBe(started.startedAt);
  expect(shaped(await client.get(watch), 200, Watch)).toEqual(read);
  const { claimId: _, startedAt: __, ...rest } = read;
  const shown = shaped(await stranger.get(`/api/proofs/${slug}/watch`), 200, ProofWatch);
  expect(shown).toEqual({ domain: before.domain, ...rest });
  expect((await stranger.get(`/p/${slug}`)).text).toMatch(
    new RegExp(`was last seen on.*${read.seenAt}`),
  );

  expect((await client.get(`/api/claims/${claim.id}`)).body).toEqual({ ...before, watch: read });
  expect((await stranger.get(`/api/proofs/${slug}`)).body).toEqual(proof.body);
  expect((await client.delete(watch)).status).toBe(204);
  expectError(await client.get(watch), "not_watched");
  expectError(await stranger.get("/api/proofs/neverissued/watch"), "proof_not_found");
  await client.post(`/api/claims/${claim.id}/proof_links/${slug}/revoke`);
  expectError(await stranger.get(`/api/proofs/${slug}/watch`), "proof_revoked");

  await client.post(`/api/domains/${claim.domainId}/archive`);
  expectError(await put(client, claim.id), "domain_archived");
});

it("switches on and off on the claim's page, without script", async ({ client }) => {
  const { claim } = await published(client);
  const page = `/domains/${claim.domainId}`;
  const [keep, remove] = ["Keep the TXT record", "You can delete the TXT record"];
  for (const [intent, says, form = page] of [
    ["watch", keep],
    ["unwatch", `${remove} now`],
    ["watch", keep],
    // C31.8: an open claim on a watched domain keeps its record too, until that claim is canceled.
    ["claim", `${keep} after the proof`],
    ["let-go", `${remove} after the proof`],
    ["keep", `${keep} after the proof`],
    ["cancel", keep],
    ["prove", `${keep} after the proof`, "/domains/selected"],
  ] as const) {
    const fields: Record<string, string> = { intent };
    if (intent === "claim") fields.claim = claim.id;
    if (intent === "prove") fields.id = claim.domainId;
    await client.submit(form, fields);
    expect([intent, (await client.get(page)).text]).toEqual([
      ...[intent, expect.stringContaining(says)],
    ]);
  }
});
