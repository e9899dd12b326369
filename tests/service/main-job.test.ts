import { txt } from "@deed/playground/records.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Client } from "../support/client.ts";
import { type Deed, openClaim, poll, signIn, startDeed } from "../support/deed.ts";

let deed: Deed;
beforeAll(async () => {
  deed = await startDeed({ FIRST_READ_SECONDS: "5" });
});
afterAll(() => deed.stop());

describe("the main job over the API", () => {
  // C1.1
  it("leads from a name to a shared proof without a forced run", async () => {
    const client = await signIn(deed.service, "main@holder.example");
    const claim = await openClaim(client, "acme.com");
    deed.playground.addRecord("acme.com", txt(claim.name, claim.token));

    const proved = await poll(
      client,
      `/api/claims/${claim.id}`,
      (body) => body.state !== "pending",
      60,
    );
    expect(proved).toMatchObject({ state: "proved", records: [], coexistence: null });
    const { attempts } = (await client.get(`/api/verifications/${claim.verificationId}/attempts`))
      .body as { attempts: unknown[] };
    expect(attempts).toHaveLength(1);
    expect(attempts[0]).toMatchObject({
      trigger: "first_check",
      outcome: "found",
      diagnosis: null,
    });

    const published = await client.post(`/api/claims/${claim.id}/proof_links`);
    expect(published.status).toBe(201);
    const { slug } = published.body as { slug: string };

    const stranger = new Client(deed.service.url);
    const before = deed.playground.received();
    const proof = await stranger.get(`/api/proofs/${slug}`);
    expect(proof.status).toBe(200);
    expect(proof.body).toMatchObject({
      slug,
      url: `${deed.service.url}/p/${slug}`,
      domain: "acme.com",
      heldBy: "m•••@holder.example",
      token: claim.token,
      challengeHost: "_service-challenge.acme.com",
      provider: "godaddy",
      provedAt: proved.endedAt,
      recency: { type: "latest" },
    });
    const page = await stranger.get(`/p/${slug}`);
    expect(page.status).toBe(200);
    expect(page.text).toContain(claim.token);
    expect(deed.playground.received()).toBe(before);

    expect((await client.post(`/api/claims/${claim.id}/proof_links/${slug}/revoke`)).status).toBe(
      200,
    );
    expect((await stranger.get(`/api/proofs/${slug}`)).body).toMatchObject({
      error: { code: "proof_revoked" },
    });
    expect((await stranger.get(`/p/${slug}`)).status).toBe(410);
    expect((await stranger.get("/p/neverissued")).status).toBe(404);
  });

  it("does not prove a claim while one of two nameservers lacks the record", async () => {
    const client = await signIn(deed.service, "partial@holder.example");
    const claim = await openClaim(client, "initech.com");
    deed.playground.addRecord("initech.com", txt(claim.name, claim.token), "ns-101.awsdns-12.com");

    const run = await client.post(`/api/verifications/${claim.verificationId}/runs`);
    expect(run.status).toBe(200);
    expect(run.body).toMatchObject({
      status: "propagating",
      lastOutcome: "absent",
      diagnosis: null,
      waitEstimate: { reason: "nameserver_sync" },
    });
    expect((await client.get(`/api/claims/${claim.id}`)).body).toMatchObject({ state: "pending" });
  });

  it("names the mistake when the panel appended the domain", async () => {
    const client = await signIn(deed.service, "appended@holder.example");
    const claim = await openClaim(client, "hooli.com");
    deed.playground.addRecord("hooli.com", txt(`${claim.name}.hooli.com`, claim.token));

    const run = await client.post(`/api/verifications/${claim.verificationId}/runs`);
    expect(run.body).toMatchObject({
      status: "needs_attention",
      diagnosis: {
        code: "domain_appended",
        awaits: "claimant",
        observed: { name: "_service-challenge.hooli.com.hooli.com" },
      },
      waitEstimate: null,
    });
  });
});
