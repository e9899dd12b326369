/** The shapes of docs/contract.md, without a schema of the product, so that a changed one fails here (C22.3). */

import { describe, expect } from "vitest";
import { ERRORS } from "#app/core/errors.server.ts";
import type { Client } from "../support/deed.ts";
import { openClaim } from "../support/deed.ts";
import { frames } from "../support/stream.ts";
import { isByTestKey, known } from "./by-test-key.ts";
import { contract, expectError, newEmail, newName } from "./kit.ts";
import { says } from "./sentences.ts";

const { it, target } = contract();

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
  records: [
    {
      host: "_service-challenge",
      name: `_service-challenge.${domain}`,
      type: "TXT",
      value: token,
    },
  ],
  panel: null,
  verificationId: id("ver"),
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
  challengeHost: `_service-challenge.${domain}`,
  provider: "cloudflare",
  nameservers: { delegated: 2, answered: 2, holding: 2 },
  provedAt: at,
});

async function answered(client: Client, method: string, path: string, json?: unknown) {
  const options = json === undefined ? {} : { json };
  const { body } = await client.request(method, path, options);
  return body as Record<string, unknown>;
}

describe("on the account", () => {
  it(says("C4.3", "C4.6", "C5.2"), async ({ client }) => {
    const name = newName();
    const domain = await answered(client, "POST", "/api/domains", { domain: name });
    expect(domain).toEqual({ ...domainOf(name), normalisations: [] });
    const none = {
      claimId: null,
      verificationId: null,
      claimStartedAt: null,
      claimEndedAt: null,
      diagnosis: null,
      waitEstimate: null,
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
    expect(await answered(client, "GET", "/api/notices")).toEqual({
      notices: [
        {
          id: id("ntc"),
          kind: "proved",
          domainId: proved.domainId,
          claimId: proved.id,
          createdAt: at,
          readAt: null,
        },
      ],
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
    expect(frames(stream)).toEqual([
      {
        event: "delegation",
        id: null,
        data: {
          step: "delegation",
          name: acme,
          domain: {
            ascii: acme,
            unicode: acme,
            normalisations: [],
            isPublicSuffix: false,
          },
          nameservers: [text, text],
          provider: isByTestKey ? "other" : "godaddy",
          observedAt: at,
          cached: expect.any(Boolean),
        },
      },
      {
        event: "publishing",
        id: null,
        data: {
          step: "publishing",
          publishingMinutes: isByTestKey ? null : 10,
          negativeCacheTtlSeconds: count,
        },
      },
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
  const elsewhere: Record<string, string>[] = [
    { cookie: `session=${key}` },
    { authorization: `Basic ${basic}` },
    { authorization: `${key}` },
    { authorization: `Bearer${key}` },
    { "x-api-key": `${key}` },
    { "proxy-authorization": `Bearer ${key}` },
  ];
  for (const headers of elsewhere) expectError(await call(headers), "unauthenticated");
  for (const name of ["key", "api_key", "access_token"])
    expectError(await call({}, `/api/domains?${name}=${key}`), "unauthenticated");
  for (const headers of [
    { "x-forwarded-for": "203.0.113.7" },
    { forwarded: "for=203.0.113.7" },
    { "x-real-ip": "203.0.113.7" },
    { "x-deed-connection": "203.0.113.7" },
  ])
    expectError(
      await call({ authorization: `Bearer ${limited}`, ...(headers as object) }),
      "invalid_api_key",
    );
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

/** Every code, by its status. */
const CODES: Record<number, string> = {
  400: "invalid_domain invalid_request origin_not_registered",
  401: "invalid_api_key invalid_sign_in unauthenticated",
  403: "cross_origin insufficient_scope not_first_address",
  404: `claim_not_found claim_not_proved delivery_not_found domain_not_found
    handoff_not_found invitation_not_found key_not_found no_delegation not_found
    not_watched notice_not_found person_not_found proof_link_not_found
    proof_not_found receipt_not_found session_not_found verification_not_found
    webhook_not_found`,
  405: "method_not_allowed",
  409: `address_has_account already_claimed already_in_account claim_ended
    domain_archived first_address_stays too_many_claims
    too_many_domains too_many_keys too_many_people too_many_webhooks verification_not_running webhook_disabled`,
  410: "handoff_ended proof_revoked",
  413: "payload_too_large",
  415: "unsupported_media_type",
  429: "rate_limited",
  500: "internal",
  502: "unresolvable",
  503: "unavailable",
};

const TABLE = ["C17.1", "C17.3", "C17.4", "C17.5", "C17.8", "C17.9", "C17.12", "C17.13"] as const;
it(says(...TABLE, "C17.17", "C22.2", "C25.13", "C26.15"), () => {
  const statuses = Object.entries(ERRORS).map(([code, [status]]) => `${status} ${code}`);
  const told = Object.entries(CODES).flatMap(([status, codes]) =>
    codes.split(/\s+/).map((code) => `${status} ${code}`),
  );
  expect(statuses.sort()).toEqual(told.sort());
});
