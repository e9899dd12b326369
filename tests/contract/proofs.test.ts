import { createHash } from "node:crypto";
import { parseAnchor } from "@deed/dns/dnssec/anchors.ts";
import type { Json } from "@deed/receipt/strict-json.ts";
import { verifyReceipt } from "@deed/receipt/verify.ts";
import { describe, expect } from "vitest";
import * as z from "zod";
import { ClaimDetail } from "#app/features/claims/resources.ts";
import { Opening, ProofLink, PublishedProof, Receipt } from "#app/features/proofs/resources.ts";
import type { Client } from "../support/deed.ts";
import { openClaim } from "../support/deed.ts";
import { contract, expectError, newEmail, newName, shaped } from "./kit.ts";
import { says } from "./sentences.ts";

const { it, target } = contract();
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
      heldBy: `${email.charAt(0)}•••@acme.example`,
      provider: "godaddy",
      provedAt: endedAt,
    });
    expect(link.slug).toMatch(/^[0-9a-hjkmnp-tv-z]{26,}$/);
    expect(claim.token).not.toContain(link.slug);
    expect(shaped(await client.post(`${path}/`), 201, ProofLink)).toEqual(link);
  });
});

describe("revoking", () => {
  it(says("C10.6", "C10.7", "C10.8"), async ({ client }) => {
    const { link: first, links: path } = await target().publish(client, "hooli.com");
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
  it(says("C1.2", "C1.7", "C10.11", "C10.14", "C10.15"), async ({ client, stranger }) => {
    const { claim, link, links: path } = await target().publish(client, "lantern.example");
    const proof = shaped(await stranger.get(`/api/proofs/${link.slug}`), 200, PublishedProof);
    const { claimId: _, standing: __, issuedAt: ___, revokedAt: ____, ...shared } = link;
    expect(proof).toEqual({ ...shared, recency: { type: "latest" } });
    const page = await stranger.get(`/p/${link.slug}`);
    expect(page.status).toBe(200);
    const scope = "Nothing about subdomains or other domains";
    const dated = `dateTime="${link.provedAt}"`;
    for (const shown of [link.domain, link.token, link.heldBy, scope, dated])
      expect(page.text).toContain(shown);
    const screen = (await client.get(`/domains/${claim.domainId}`)).text;
    expect(screen).toMatch(/Only <strong[^>]*>lantern\.example<\/strong>, not its subdomains/);
    expect(page.text.match(/<script[^>]*>/g)).toEqual([
      expect.stringMatching(
        /^<script type="module" src="\/build\/_assets\/proof-script-\w+\.js">$/,
      ),
    ]);
    const checked = await stranger.request("POST", `/p/${link.slug}?checked`, {
      headers: { Origin: target().url, "content-type": "application/x-www-form-urlencoded" },
      body: "",
    });
    expect([checked.status, checked.text]).toEqual([
      200,
      expect.stringContaining("This proof is genuine: "),
    ]);
    expect(checked.text).toContain("The server of this site checked it, not your browser.");

    await client.post(`${path}/${link.slug}/revoke`);
    expectError(await stranger.get(`/api/proofs/${link.slug}`), "proof_revoked");
    expectError(await stranger.get(`/api/proofs/${link.slug}/receipt`), "proof_revoked");
    expect((await client.get(`/api/claims/${claim.id}/receipt`)).status).toBe(200);
    expectError(await stranger.get("/api/proofs/neverissued"), "proof_not_found");
    expect((await stranger.get(`/p/${link.slug}`)).status).toBe(410);
    const unknown = await stranger.get("/p/neverissued");
    expect(unknown.status).toBe(404);
    expect(unknown.headers.get("content-type")).toMatch(/^text\/html/);
  });

  it(says("C10.20", "C10.21"), async ({ client }) => {
    const { slug } = await target().publish(client, "acme.com");
    const place = `${target().url}/preview.png`;
    const { text } = await target().stranger().get(`/p/${slug}`);
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
    expect(picture.headers.get("etag")).toMatch(/^(W\/)?"/);
  });
});

describe("a receipt", () => {
  const hash = (...parts: (string | Uint8Array)[]) =>
    createHash("sha256")
      .update(Buffer.concat(parts.map((part) => Buffer.from(part))))
      .digest("base64url");
  const decoded = (part = "") => Buffer.from(part, "base64url");
  const jsonIn = (part?: string): Json => JSON.parse(decoded(part).toString());

  async function published(client: Client, zone: string) {
    const all = await target().publish(client, zone);
    return { ...all, place: `/api/proofs/${all.slug}/receipt` };
  }

  it(says("C23.1", "C23.3", "C23.5", "C23.6", "C23.12", "C24.1"), async () => {
    const { claim, slug, place } = await published(await target().signIn(), "acme.com");
    const answer = await target().stranger().get(place);
    const receipt = shaped(answer, 200, Receipt);
    const [header, statement] = receipt.statement.split(".").slice(0, 2).map(jsonIn);
    const { jwk, kid } = header as { kid: string; jwk: object };
    const proof = (await target().stranger().get(`/api/proofs/${slug}`)).body as PublishedProof;
    expect(statement).toMatchObject({
      iss: target().url,
      sub: "acme.com",
      challengeName: proof.challengeHost,
      token: claim.token,
      provedAt: proof.provedAt,
      heldBy: proof.heldBy,
      dnssec: expect.stringMatching(receipt.dnssec ? /^(secure|insecure)$/ : /^indeterminate$/),
    });
    const name = `acme.com-${proof.provedAt.slice(0, 10)}.deed.json`;
    expect(answer.headers.get("content-disposition")).toBe(`attachment; filename="${name}"`);
    const anchor = parseAnchor(target().own.playground.env.DNS_TRUST_ANCHORS);
    const anchors = anchor ? [anchor] : [];
    const { verdict, parts } = await verifyReceipt(answer.text, { keys: [kid], anchors });
    expect([verdict, parts.find(({ part }) => part === "token")?.code]).toEqual(["good", "bound"]);
    const { keys } = (await target().stranger().get("/.well-known/jwks.json")).body as {
      keys: object[];
    };
    expect(keys).toEqual([
      { ...jwk, kid, use: "sig", alg: "Ed25519", "deed:notBefore": expect.any(String) },
    ]);
    const tag = answer.headers.get("etag") ?? "";
    const again = { headers: { "If-None-Match": tag } };
    expect((await target().stranger().request("GET", place, again)).status).toBe(304);
  });

  it(says("C23.7", "C23.8", "C23.9", "C23.10"), async () => {
    const email = newEmail();
    const client = await target().signIn(email);
    const { claim, place } = await published(client, "hooli.com");
    const file = await client.get(`/api/claims/${claim.id}/receipt`);
    expect(file.headers.get("content-disposition")).toMatch(/^attachment; .*\.deed\.json"$/);
    const shared = shaped(await target().stranger().get(place), 200, Receipt);
    expect(shaped(file, 200, Receipt).statement).toBe(shared.statement);
    const statement = jsonIn(shared.statement.split(".")[1]) as Record<string, unknown>;
    const answer = await client.get(`/api/claims/${claim.id}/opening`);
    const { opening } = shaped(answer, 200, Opening);
    expect(statement.holderCommitment).toBe(hash(decoded(opening), email));
    const evidence = await client.get(`/api/claims/${claim.id}/evidence`);
    expect(statement.evidenceSha256).toBe(hash(evidence.text));
    expect(evidence.headers.get("content-disposition")).toMatch(/^attachment; .*evidence\.json"$/);
    expect(evidence.body).toMatchObject({ domain: "hooli.com", token: claim.token });

    const open = await openClaim(client, newName());
    for (const what of ["receipt", "opening", "evidence"])
      expectError(await client.get(`/api/claims/${open.id}/${what}`), "claim_not_proved");
  });
});
