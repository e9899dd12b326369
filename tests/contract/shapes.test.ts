/** The shapes of docs/contract.md, without a schema of the product, so that a changed one fails here (C22.3). */

import { describe, expect } from "vitest";
import { ERRORS } from "#app/core/errors.server.ts";
import type { Client } from "../support/deed.ts";
import { openClaim } from "../support/deed.ts";
import { frames } from "../support/stream.ts";
import { isByTestKey, known } from "./by-test-key.ts";
import { contract, expectError, newEmail, newName } from "./kit.ts";
import { SENTENCES, says } from "./sentences.ts";

const { it, target } = contract();

const LABEL = "_service-challenge";
const id = (prefix: string) => expect.stringMatching(new RegExp(`^${prefix}_[0-9A-Za-z]{16,}$`));
const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const token = expect.stringMatching(/^service_v1_[0-9a-f]{40}$/);
const text = expect.stringMatching(/\S/);
const slug = expect.stringMatching(/^[0-9A-Za-z_-]{20,}$/);
const url = (path: string) =>
  expect.stringMatching(new RegExp(`^https?://[^/]+${path}[0-9A-Za-z_-]+$`));
const count = expect.toSatisfy(
  (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0,
);

const domainOf = (name: string) => ({
  id: id("dom"),
  name,
  unicodeName: name,
  reference: null,
  archived: false,
  lastProvedAt: null,
  holds: false,
  createdAt: at,
});

const claimOf = (domain: string) => ({
  id: id("clm"),
  domainId: id("dom"),
  domain,
  unicodeDomain: domain,
  reference: null,
  state: "pending",
  token,
  records: [{ host: LABEL, name: `${LABEL}.${domain}`, type: "TXT", value: token }],
  panel: null,
  verificationId: id("ver"),
  holds: false as boolean,
  watch: null as unknown,
  expiresAt: at,
  endedAt: null as unknown,
  createdAt: at,
});

const verification = {
  id: id("ver"),
  claimId: id("clm"),
  method: "dns_txt",
  status: "checking",
  lastOutcome: null,
  diagnosis: null,
  waitEstimate: { reason: "first_check", secondsRemaining: count },
  registry: null,
  lastRunAt: null,
  nextRunAt: at,
  deadline: at,
  createdAt: at,
};

const proofOf = (domain: string) => ({
  slug,
  url: url("/p/"),
  domain,
  unicodeDomain: domain,
  heldBy: expect.stringMatching(/^.•••@[^@]+$/),
  token,
  challengeHost: `${LABEL}.${domain}`,
  provider: "cloudflare",
  nameservers: { delegated: 2, answered: 2, holding: 2 },
  provedAt: at,
});

const answered = async (client: Client, method: string, path: string, json?: unknown) =>
  (await client.request(method, path, { json })).body as Record<string, unknown>;

describe("on the account", () => {
  it(says("C4.3", "C4.6", "C5.2"), async ({ client }) => {
    const name = newName();
    const domain = await answered(client, "POST", "/api/domains", { domain: name });
    expect(domain).toEqual({ ...domainOf(name), normalisations: [] });
    const none = {
      ...{ claimId: null, verificationId: null, claimStartedAt: null, claimEndedAt: null },
      ...{ watch: null, diagnosis: null, waitEstimate: null },
    };
    expect(await answered(client, "GET", "/api/domains")).toEqual({
      domains: [{ ...domainOf(name), status: "unclaimed", ...none }],
      counts: { unclaimed: 1, pending: 0, proved: 0, expired: 0, canceled: 0, archived: 0 },
      nextCursor: null,
    });

    const claim = await answered(client, "POST", "/api/claims", { domainId: domain.id });
    expect(claim).toEqual(claimOf(name));
    expect(await answered(client, "GET", "/api/claims")).toEqual({
      claims: [{ ...claimOf(name), diagnosis: null, waitEstimate: verification.waitEstimate }],
      nextCursor: null,
    });
    expect(await answered(client, "GET", `/api/claims/${claim.id}`)).toEqual({
      ...claimOf(name),
      coexistence: null,
    });
    expect(await answered(client, "POST", `/api/claims/${claim.id}/cancel`)).toEqual({
      ...claimOf(name),
      state: "canceled",
      records: [],
      endedAt: at,
    });
  });

  it(says("C6.1", "C6.14", "C6.16", "C2.3", "C2.5"), async ({ client }) => {
    const acme = known("acme.com");
    const { id: claimId, verificationId, token: value, name } = await openClaim(client, acme);
    const path = `/api/verifications/${verificationId}`;
    expect(await answered(client, "GET", path)).toEqual(verification);

    target().publishRecord(acme, `${name}.${acme}`, value);
    const diagnosis = {
      code: "domain_appended",
      cause: text,
      fix: text,
      awaits: "claimant",
      observed: { name: `${name}.${acme}` },
    };
    expect(await answered(client, "POST", `${path}/runs`)).toEqual({
      ...verification,
      claimId,
      status: "needs_attention",
      lastOutcome: "absent",
      diagnosis,
      waitEstimate: null,
      lastRunAt: at,
    });
    expect(await answered(client, "GET", `${path}/attempts`)).toEqual({
      attempts: [
        { id: id("att"), trigger: "requested", outcome: "absent", diagnosis, latencyMs: count, at },
      ],
    });
  });

  it(says("C10.4", "C10.10", "C10.18", "C15.1"), async ({ client }) => {
    const proved = await target().prove(client, "globex.com");
    const path = `/api/claims/${proved.id}/proof_links`;
    const proof = { ...proofOf(known("globex.com")), token: proved.token };
    const link = await answered(client, "POST", path);
    const shape = {
      ...proof,
      provider: expect.any(String),
      nameservers: { delegated: count, answered: count, holding: count },
      claimId: proved.id,
      standing: "live",
      issuedAt: at,
      revokedAt: null,
    };
    expect(link).toEqual(shape);
    expect(await answered(client, "GET", path)).toEqual({ links: [shape] });

    const { claimId: _, standing: __, issuedAt: ___, revokedAt: ____, ...published } = shape;
    expect(await answered(target().stranger(), "GET", `/api/proofs/${link.slug}`)).toEqual({
      ...published,
      recency: { type: "latest" },
    });
    const receipt = {
      // C32.6
      about: expect.stringMatching(
        isByTestKey ? /^TEST\. / : /^A signed receipt: .+ Check it at .+\.$/,
      ),
      format: "deed-receipt/2",
      statement: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]{86}$/),
      dnssec: isByTestKey ? null : { chain: expect.stringMatching(/^[\w+/]+=*$/) },
      stamp: null,
    };
    expect(await answered(target().stranger(), "GET", `/api/proofs/${link.slug}/receipt`)).toEqual(
      receipt,
    );
    expect(await answered(client, "GET", `/api/claims/${proved.id}/receipt`)).toEqual(receipt);
    expect(await answered(client, "GET", `/api/claims/${proved.id}/opening`)).toEqual({
      opening: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(await answered(client, "POST", `${path}/${link.slug}/revoke`)).toEqual({
      ...shape,
      standing: "revoked",
      revokedAt: at,
    });
    const { id: claimId, domainId } = proved;
    const notice = {
      id: id("ntc"),
      kind: "proved",
      domainId,
      claimId,
      createdAt: at,
      readAt: null,
    };
    expect(await answered(client, "GET", "/api/notices")).toEqual({
      notices: [notice],
      nextCursor: null,
    });
  });

  it(says("C12.4"), async () => {
    const email = newEmail();
    const client = await target().signIn(email);
    const { session } = await answered(client, "GET", "/api/auth/session");
    expect(session).toEqual({ accountId: id("acc"), email, expiresAt: at });
    const account = { id: id("acc"), email, mailEnabled: true, createdAt: at };
    expect(await answered(client, "GET", "/api/account")).toEqual(account);
    const one = { current: true, createdAt: at, lastUsedAt: at, expiresAt: at };
    expect(await answered(client, "GET", "/api/account/sessions")).toEqual({
      sessions: [{ ...one, id: text, userAgent: expect.any(String) }],
    });
    const { id: claimId } = await openClaim(client, newName());
    expect(await answered(client, "POST", `/api/claims/${claimId}/handoff`)).toEqual({
      slug,
      url: url("/h/"),
      claimId,
      createdAt: at,
      expiresAt: at,
    });
  });
});

describe("in public", () => {
  it(says("C11.3", "C11.5"), async () => {
    const acme = known("acme.com");
    const { text: stream } = await (await target().reader()).get(`/api/zones/${acme}`);
    const domain = { ascii: acme, unicode: acme, normalisations: [], isPublicSuffix: false };
    const delegation = {
      ...{ step: "delegation", name: acme, domain, nameservers: [text, text], observedAt: at },
      ...{ provider: isByTestKey ? "other" : "godaddy", cached: expect.any(Boolean) },
    };
    const publishingMinutes = isByTestKey ? null : 10;
    const publishing = { step: "publishing", publishingMinutes, negativeCacheTtlSeconds: count };
    expect(frames(stream)).toEqual([
      { event: "delegation", id: null, data: delegation },
      { event: "publishing", id: null, data: publishing },
    ]);
  });

  it(says("C1.8", "C22.4"), async () => {
    const headers = { Origin: "https://elsewhere.example", Authorization: "Bearer key" };
    const answer = await target().stranger().request("GET", "/api/domains", { headers });
    expect(answer.status).toBe(401);
    expect([...answer.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual(
      [],
    );
  });

  it(`${says("C1.7")}: the claim's page`, async ({ client }) => {
    const claim = await target().prove(client, "lantern.example");
    const screen = await client.get(`/domains/${claim.domainId}`);
    expect(screen.text).toMatch(/Only <strong[^>]*>lantern\.example<\/strong>, not its subdomains/);
  });

  it(says("C1.7", "C3.8", "C10.15"), async ({ client }) => {
    const claim = await target().prove(client, "lantern.example");
    const link = await answered(client, "POST", `/api/claims/${claim.id}/proof_links`);
    const { text: page } = await target().stranger().get(`/p/${link.slug}`);
    for (const part of [
      "this exact domain. It says nothing about subdomains or other domains",
      known("lantern.example"),
      claim.token,
      "•••@",
      `dateTime="${link.provedAt}"`,
    ])
      expect(page).toContain(part);
  });
});

it(says("C25.12"), async ({ browser: client }) => {
  const json = { name: "CI", scopes: ["domains:read"], addresses: ["203.0.113.0/24"] };
  const limited = (await answered(client, "POST", "/api/keys", json)).key;
  const { key } = await answered(client, "POST", "/api/keys", { ...json, addresses: [] });
  const call = (headers: Record<string, string>, path = "/api/domains", method = "GET") =>
    target().stranger().request(method, path, { headers });
  for (const scheme of ["Bearer", "bearer", "BEARER ", "bEaReR\t"])
    expect((await call({ authorization: `${scheme} ${key}` })).status).toBe(200);
  const mine = await call({ authorization: `Bearer ${key}`, cookie: "session=x" });
  expect(mine.status).toBe(200);
  const wrong = await call({ authorization: "Bearer x", cookie: client.cookie });
  expectError(wrong, "invalid_api_key");
  const basic = Buffer.from(`${key}:`).toString("base64");
  for (const headers of [
    ...[`Basic ${basic}`, `${key}`, `Bearer${key}`].map((authorization) => ({ authorization })),
    ...[{ cookie: `session=${key}` }, { "x-api-key": `${key}` }],
  ] as Record<string, string>[])
    expectError(await call(headers), "unauthenticated");
  expectError(await call({}, `/api/domains?access_token=${key}`), "unauthenticated");
  const from = { "x-forwarded-for": "203.0.113.7", "x-deed-connection": "203.0.113.7" };
  expectError(await call({ authorization: `Bearer ${limited}`, ...from }), "invalid_api_key");
  const asked = {
    origin: "https://evil.example",
    "access-control-request-method": "GET",
    "access-control-request-headers": "authorization",
  };
  const preflight = await call(asked, "/api/domains", "OPTIONS");
  const answer = await call({ authorization: `Bearer ${key}`, origin: "https://evil.example" });
  for (const { headers } of [preflight, answer])
    expect([...headers.keys()].filter((name) => name.startsWith("access-control-"))).toEqual([]);
});

const TABLE = ["C17.1", "C17.3", "C17.4", "C17.5", "C17.8", "C17.9", "C17.12", "C17.13"] as const;
it(says(...TABLE, "C17.17", "C22.2", "C25.13", "C26.15"), () => {
  const statuses = Object.fromEntries(
    Object.entries(ERRORS).map(([code, [status]]) => [code, status]),
  );
  const told: Record<string, number> = {};
  for (const { id, text } of SENTENCES) {
    if (!/^(C17\.\d+|C25\.13|C26\.15)$/.test(id)) continue;
    // A status stands before all of its codes, or after each of them.
    const first = Number(/^\d+(?= for)/.exec(text)?.[0] ?? 0);
    const codes: string[] = [];
    for (const word of text.match(/\w+/g) ?? [])
      if (word in statuses && first) told[word] = first;
      else if (word in statuses) codes.push(word);
      else if (/^[45]\d\d$/.test(word))
        for (const code of codes.splice(0)) told[code] = Number(word);
  }
  const elsewhere = { origin_not_registered: 400, receipt_not_found: 404 };
  expect(statuses).toEqual({ ...told, ...elsewhere });
});
