import { describe, expect, it } from "vitest";
import * as z from "zod";
import { ClaimDetail, ProofLink, PublishedProof } from "#app/services/resources.ts";
import { openClaim } from "../support/deed.ts";
import { expectError, newEmail, newName, shaped, targetService } from "./kit.ts";
import { says } from "./sentences.ts";

const target = targetService();
const LinkList = z.strictObject({ links: z.array(ProofLink) });

describe("publishing", () => {
  it(says("C10.1", "C10.5", "C10.16"), async () => {
    const email = newEmail();
    const client = await target().signIn(email);
    const claim = await target().prove(client, "acme.com");
    const { endedAt } = ClaimDetail.parse((await client.get(`/api/claims/${claim.id}`)).body);
    const path = `/api/claims/${claim.id}/proof_links`;
    const link = shaped(await client.post(path), 201, ProofLink);
    expect(link).toMatchObject({
      url: `${target().url}/p/${link.slug}`,
      claimId: claim.id,
      domain: "acme.com",
      unicodeDomain: "acme.com",
      heldBy: `${email.charAt(0)}•••@acme.example`,
      token: claim.token,
      provider: "godaddy",
      provedAt: endedAt,
      standing: "live",
      revokedAt: null,
    });
    expect(link.slug).toMatch(/^[0-9a-hjkmnp-tv-z]{26,}$/);
    expect(claim.token).not.toContain(link.slug);
    expect(shaped(await client.post(`${path}/`), 201, ProofLink)).toEqual(link);
  });

  it(says("C10.2"), async () => {
    const client = await target().signIn();
    const { id } = await openClaim(client, newName());
    expectError(await client.post(`/api/claims/${id}/proof_links`), "claim_not_proved");
    await client.post(`/api/claims/${id}/cancel`);
    expectError(await client.post(`/api/claims/${id}/proof_links`), "claim_not_proved");
    expect((await client.get(`/api/claims/${id}/proof_links`)).body).toEqual({ links: [] });
  });
});

describe("revoking", () => {
  it(says("C10.6", "C10.7", "C10.8"), async () => {
    const client = await target().signIn();
    const claim = await target().prove(client, "hooli.com");
    const path = `/api/claims/${claim.id}/proof_links`;
    const first = shaped(await client.post(path), 201, ProofLink);
    const revoked = shaped(await client.post(`${path}/${first.slug}/revoke`), 200, ProofLink);
    expect(revoked).toEqual({ ...first, standing: "revoked", revokedAt: revoked.revokedAt });
    expect(revoked.revokedAt).not.toBeNull();
    expectError(await client.post(`${path}/${first.slug}/revoke`), "proof_link_not_found");
    expectError(await client.post(`${path}/nothing/revoke`), "proof_link_not_found");

    const second = shaped(await client.post(path), 201, ProofLink);
    expect(second.slug).not.toBe(first.slug);
    expect(second.provedAt).toBe(first.provedAt);
    const { links } = shaped(await client.get(path), 200, LinkList);
    expect(links).toEqual([second, revoked]);
    expect((await target().stranger().get(`/api/proofs/${second.slug}`)).status).toBe(200);
  });
});

describe("the public read", () => {
  it(says("C10.11", "C1.2", "C10.14"), async () => {
    const client = await target().signIn();
    const stranger = target().stranger();
    const claim = await target().prove(client, "lantern.example");
    const path = `/api/claims/${claim.id}/proof_links`;
    const link = shaped(await client.post(path), 201, ProofLink);
    const proof = shaped(await stranger.get(`/api/proofs/${link.slug}`), 200, PublishedProof);
    const { claimId: _, standing: __, issuedAt: ___, revokedAt: ____, ...shared } = link;
    expect(proof).toEqual({ ...shared, recency: { type: "latest" } });
    const page = await stranger.get(`/p/${link.slug}`);
    expect(page.status).toBe(200);
    for (const shown of [link.domain, link.token, link.heldBy]) expect(page.text).toContain(shown);
    expect(page.text).not.toMatch(/<script[^>]+src=/);

    await client.post(`${path}/${link.slug}/revoke`);
    expectError(await stranger.get(`/api/proofs/${link.slug}`), "proof_revoked");
    expectError(await stranger.get("/api/proofs/neverissued"), "proof_not_found");
    expect((await stranger.get(`/p/${link.slug}`)).status).toBe(410);
    const unknown = await stranger.get("/p/neverissued");
    expect(unknown.status).toBe(404);
    expect(unknown.headers.get("content-type")).toMatch(/^text\/html/);
  });

  it(says("C10.20", "C10.21"), async () => {
    const client = await target().signIn();
    const claim = await target().prove(client, "acme.com");
    const path = `/api/claims/${claim.id}/proof_links`;
    const link = shaped(await client.post(path), 201, ProofLink);
    const place = `${target().url}/p/${link.slug}/picture.png`;
    const { text } = await target().stranger().get(`/p/${link.slug}`);
    for (const [name, content] of [
      ["og:title", "Proof of control of acme.com"],
      ["og:image", place],
      ["twitter:card", "summary_large_image"],
    ])
      expect(text).toMatch(new RegExp(`(property|name)="${name}" content="${content}"`));

    const picture = await fetch(place);
    const png = Buffer.from(await picture.arrayBuffer());
    expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/png"]);
    expect(png.subarray(1, 4).toString()).toBe("PNG");
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 630]);
    const tag = picture.headers.get("etag") ?? "";
    expect((await fetch(place, { headers: { "If-None-Match": tag } })).status).toBe(304);
    expect(Buffer.from(await (await fetch(place)).arrayBuffer()).equals(png)).toBe(true);

    await client.post(`${path}/${link.slug}/revoke`);
    expect((await fetch(place, { headers: { "If-None-Match": tag } })).status).toBe(410);
    expect((await fetch(`${target().url}/p/neverissued/picture.png`)).status).toBe(404);
  });

  it(says("C10.13"), async () => {
    const client = await target().signIn();
    const claim = await target().prove(client, "globex.com");
    const { slug } = ProofLink.parse(
      (await client.post(`/api/claims/${claim.id}/proof_links`)).body,
    );
    const before = target().own.playground.received();
    await target().stranger().get(`/api/proofs/${slug}`);
    await target().stranger().get(`/p/${slug}`);
    expect(target().own.playground.received()).toBe(before);
  });

  it(says("C10.17"), async () => {
    const client = await target().signIn();
    const stranger = target().stranger();
    const shown = async (zone: string) => {
      const { id } = await target().prove(client, zone);
      const link = shaped(await client.post(`/api/claims/${id}/proof_links`), 201, ProofLink);
      const answer = await stranger.get(`/api/proofs/${link.slug}`);
      const { nameservers } = shaped(answer, 200, PublishedProof);
      expect(link.nameservers).toEqual(nameservers);
      return { nameservers, page: (await stranger.get(`/p/${link.slug}`)).text };
    };
    const whole = await shown("xn--bcher-kva.example");
    expect(whole.nameservers).toEqual({ delegated: 2, answered: 2, holding: 2 });
    expect(whole.page).toContain("2 of 2 answered, 2 had the record");

    target().own.playground.setServerFault("ns2.hosting.example", "silent");
    const half = await shown("xn--bcher-kva.example");
    target().own.playground.setServerFault("ns2.hosting.example", null);
    expect(half.nameservers).toEqual({ delegated: 2, answered: 1, holding: 1 });
    expect(half.page).toContain("1 of 2 answered, 1 had the record");
  });

  it(says("C10.12"), async () => {
    const [mara, noor] = [await target().signIn(), await target().signIn()];
    const first = await target().prove(mara, "orchard.example");
    const { slug } = ProofLink.parse((await mara.post(`/api/claims/${first.id}/proof_links`)).body);
    const recency = async () =>
      PublishedProof.parse((await target().stranger().get(`/api/proofs/${slug}`)).body).recency;
    expect(await recency()).toEqual({ type: "latest" });
    const later = await target().prove(noor, "orchard.example");
    const { endedAt } = ClaimDetail.parse((await noor.get(`/api/claims/${later.id}`)).body);
    expect(await recency()).toEqual({ type: "earlier", latestProvedAt: endedAt });
  });
});
