import { createHash } from "node:crypto";
import { parseAnchor } from "@deed/dns/dnssec/anchors.ts";
import { verifyReceipt } from "@deed/receipt/verify.ts";
import { expect } from "vitest";
import * as z from "zod";
import { ClaimDetail } from "#app/features/claims/resources.ts";
import { Opening, ProofLink, PublishedProof, Receipt } from "#app/features/proofs/resources.ts";
import { contract, expectError, newEmail, shaped } from "./kit.ts";
import { says } from "./sentences.ts";

const { it, target } = contract();
const LinkList = z.strictObject({ links: z.array(ProofLink) });

it(says("C10.1", "C10.5", "C10.6", "C10.7", "C10.8", "C10.16"), async ({ stranger }) => {
  const email = newEmail();
  const client = await target().signIn(email);
  const claim = await target().prove(client, "acme.com");
  const { endedAt } = ClaimDetail.parse((await client.get(`/api/claims/${claim.id}`)).body);
  const path = `/api/claims/${claim.id}/proof_links`;
  const first = shaped(await client.post(path), 201, ProofLink);
  expect(first).toMatchObject({
    url: `${target().url}/p/${first.slug}`,
    claimId: claim.id,
    domain: "acme.com",
    heldBy: `${email.charAt(0)}•••@acme.example`,
    provider: "godaddy",
    provedAt: endedAt,
  });
  expect(first.slug).toMatch(/^[0-9a-hjkmnp-tv-z]{26,}$/);
  expect(shaped(await client.post(`${path}/`), 201, ProofLink)).toEqual(first);

  const revoked = shaped(await client.post(`${path}/${first.slug}/revoke`), 200, ProofLink);
  expect(revoked).toEqual({ ...first, standing: "revoked", revokedAt: expect.any(String) });
  for (const slug of [first.slug, "nothing"])
    expectError(await client.post(`${path}/${slug}/revoke`), "proof_link_not_found");
  const second = shaped(await client.post(path), 201, ProofLink);
  expect(second.slug).not.toBe(first.slug);
  expect(second.provedAt).toBe(first.provedAt);
  expect(shaped(await client.get(path), 200, LinkList).links).toEqual([second, revoked]);
  expect((await stranger.get(`/api/proofs/${second.slug}`)).status).toBe(200);
});

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
  expect(screen).toMatch(
    /A proof is for <bdi[^>]*>lantern\.<wbr\/>example<\/bdi> only, not its subdomains/,
  );
  const script = /^<script type="module" src="\/build\/_assets\/proof-script-\w+\.js">$/;
  expect(page.text.match(/<script[^>]*>/g)).toEqual([expect.stringMatching(script)]);
  const checked = await stranger.submit(`/p/${link.slug}?checked`);
  expect(checked.status).toBe(200);
  expect(checked.text).toContain("This proof is genuine: ");
  expect(checked.text).toContain("The server of this site checked it, not your browser.");

  await client.post(`${path}/${link.slug}/revoke`);
  for (const what of ["", "/receipt"])
    expectError(await stranger.get(`/api/proofs/${link.slug}${what}`), "proof_revoked");
  expect((await client.get(`/api/claims/${claim.id}/receipt`)).status).toBe(200);
  expectError(await stranger.get("/api/proofs/neverissued"), "proof_not_found");
  expect((await stranger.get(`/p/${link.slug}`)).status).toBe(410);
  const unknown = await stranger.get("/p/neverissued");
  expect(unknown.status).toBe(404);
  expect(unknown.headers.get("content-type")).toMatch(/^text\/html/);
});

it(says("C10.20", "C10.21"), async ({ client, stranger }) => {
  const { slug } = await target().publish(client, "acme.com");
  const place = `${target().url}/preview.png`;
  const { text } = await stranger.get(`/p/${slug}`);
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

const RECEIPT = ["C23.1", "C23.3", "C23.5", "C23.6", "C23.7", "C23.8", "C23.9", "C23.10"] as const;
it(says(...RECEIPT, "C23.12", "C24.1"), async ({ stranger }) => {
  const hash = (...parts: (string | Uint8Array)[]) =>
    createHash("sha256")
      .update(Buffer.concat(parts.map((part) => Buffer.from(part))))
      .digest("base64url");
  const decoded = (part = "") => Buffer.from(part, "base64url");

  const email = newEmail();
  const client = await target().signIn(email);
  const { claim, slug } = await target().publish(client, "acme.com");
  const place = `/api/proofs/${slug}/receipt`;
  const answer = await stranger.get(place);
  const receipt = shaped(answer, 200, Receipt);
  const [header, statement] = receipt.statement
    .split(".", 2)
    .map((part) => JSON.parse(decoded(part).toString()));
  const { jwk, kid } = header as { kid: string; jwk: object };
  const proof = (await stranger.get(`/api/proofs/${slug}`)).body as PublishedProof;
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
  const disposition = `attachment; filename="${name}"`;
  expect(answer.headers.get("content-disposition")).toBe(disposition);
  const anchor = parseAnchor(target().own.playground.env.DNS_TRUST_ANCHORS);
  const anchors = anchor ? [anchor] : [];
  const { verdict, parts } = await verifyReceipt(answer.text, { keys: [kid], anchors });
  expect([verdict, parts.find(({ part }) => part === "token")?.code]).toEqual(["good", "bound"]);
  const { keys } = (await stranger.get("/.well-known/jwks.json")).body as { keys: object[] };
  expect(keys).toEqual([
    { ...jwk, kid, use: "sig", alg: "Ed25519", "deed:notBefore": expect.any(String) },
  ]);
  const again = { headers: { "If-None-Match": answer.headers.get("etag") ?? "" } };
  expect((await stranger.request("GET", place, again)).status).toBe(304);

  const file = await client.get(`/api/claims/${claim.id}/receipt`);
  expect(file.headers.get("content-disposition")).toBe(disposition);
  expect(shaped(file, 200, Receipt).statement).toBe(receipt.statement);
  const { opening } = shaped(await client.get(`/api/claims/${claim.id}/opening`), 200, Opening);
  expect(statement.holderCommitment).toBe(hash(decoded(opening), email));
  const evidence = await client.get(`/api/claims/${claim.id}/evidence`);
  expect(statement.evidenceSha256).toBe(hash(evidence.text));
  expect(evidence.headers.get("content-disposition")).toMatch(/^attachment; .*evidence\.json"$/);
  expect(evidence.body).toMatchObject({ domain: "acme.com", token: claim.token });
});
