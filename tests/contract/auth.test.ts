import { describe, expect } from "vitest";
import * as z from "zod";
import { type Client, mailTo } from "../support/deed.ts";
import { contract, expectError, newEmail, newName, shaped } from "./kit.ts";
import { says } from "./sentences.ts";

const { it, target } = contract();
const CurrentSession = z.strictObject({
  session: z
    .strictObject({
      accountId: z.string(),
      email: z.string(),
      expiresAt: z.iso.datetime({ precision: 3 }),
    })
    .nullable(),
});
const SignedIn = z.strictObject({
  account: z.strictObject({ id: z.string(), email: z.string() }),
  callbackPath: z.string(),
});

const mailed = (client: Client, email: string, callbackPath = "/domains") =>
  mailTo({ outbox: target().mails }, client, email, callbackPath);

const verify = (client: Client, body: object) => client.post("/api/auth/magic-link/verify", body);

describe("the magic link", () => {
  it(says("C12.1", "C12.5", "C12.7", "C12.10"), async ({ stranger: client }) => {
    const email = newEmail();
    expect((await client.get("/api/auth/session")).body).toEqual({ session: null });
    const { token } = await mailed(client, email);
    const answer = await verify(client, { token });
    const { account, callbackPath } = shaped(answer, 200, SignedIn);
    expect(account.email).toBe(email);
    expect(callbackPath).toBe("/domains");
    const cookie = answer.headers.getSetCookie().join();
    expect(cookie).toMatch(
      /^session=[A-Za-z0-9_-]{40,}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax/,
    );
    const { session } = shaped(await client.get("/api/auth/session"), 200, CurrentSession);
    expect(session).toMatchObject({ accountId: account.id, email });
    expect((await client.get("/api/domains")).status).toBe(200);

    for (const body of [{ token }, { token: "x".repeat(43) }, { token: "" }])
      expectError(await verify(target().stranger(), body), "invalid_sign_in");
    await mailed(target().stranger(), email);
  });

  it(says("C12.6"), async () => {
    const email = newEmail();
    const asker = target().stranger();
    const { code } = await mailed(asker, email);
    expect(code).toMatch(/^\d{6}$/);
    for (let i = 0; i < 6; i++)
      expectError(await verify(target().stranger(), { email, code }), "invalid_sign_in");
    expect((await verify(asker, { email, code })).status).toBe(200);
    expectError(await verify(asker, { email, code }), "invalid_sign_in");

    const other = await mailed(asker, email);
    const wrong = other.code === "000000" ? "111111" : "000000";
    for (let i = 0; i < 5; i++)
      expectError(await verify(asker, { email, code: wrong }), "invalid_sign_in");
    expectError(await verify(asker, { email, code: other.code }), "invalid_sign_in");
  });

  it(says("C12.3"), async ({ stranger: client }) => {
    const { token } = await mailed(client, newEmail());
    for (const method of ["HEAD", "GET"]) {
      const page = await client.request(method, `/sign-in/confirm?token=${token}`);
      expect(page.status).toBe(200);
      expect(page.headers.getSetCookie().join()).not.toMatch(/(^|,)\s*(__Host-)?session=[^;]/);
    }
    expect((await client.get("/api/auth/session")).body).toEqual({ session: null });
    expect(target().own.service.output()).not.toContain(token);
    expect((await verify(client, { token })).status).toBe(200);
  });

  it(says("C12.2"), async ({ stranger: client }) => {
    const elsewhere = ["https://evil.example", "//evil.example", "/\\evil.example", "javascript:1"];
    for (const path of elsewhere) {
      const client = target().stranger();
      const { token } = await mailed(client, newEmail(), path);
      expect((await verify(client, { token })).body).toMatchObject({ callbackPath: "/domains" });
    }
    const { token } = await mailed(client, newEmail(), "/claims/x?y=1");
    expect((await verify(client, { token })).body).toMatchObject({ callbackPath: "/claims/x?y=1" });
  });

  it(says("C12.19"), async ({ client }) => {
    for (const email of ["\u212aim@a.example", "kim@\u017fhop.example", "kim@\u0131nbox.example"]) {
      const refused = await client.post("/api/auth/magic-link", { email });
      expectError(refused, "invalid_request");
      expectError(await client.post("/api/people", { email }), "invalid_request");
    }
    const { status } = await client.post("/api/auth/magic-link", {
      email: "kim@xn--nbox-kza.example",
    });
    expect(status).toBe(202);
  });
});

describe("sessions", () => {
  it(says("C12.11"), async ({ browser: client }) => {
    const { cookie } = client;
    const out = await client.post("/api/auth/sign-out");
    expect([out.status, out.text]).toEqual([204, ""]);
    expect(client.cookie).toBe("");
    client.cookie = cookie;
    expectError(await client.get("/api/domains"), "unauthenticated");
    expect((await target().stranger().post("/api/auth/sign-out")).status).toBe(204);
  });

  it(says("C12.14"), async ({ browser: client }) => {
    const domain = newName();
    const post = (headers: Record<string, string>) =>
      client.request("POST", "/api/domains", { json: { domain }, headers });
    // tests/security/cross-site.test.ts tries every write, with every such header.
    expectError(await post({ Origin: "https://evil.example" }), "cross_origin");
    const { domains } = (await client.get("/api/domains")).body as { domains: unknown[] };
    expect(domains).toEqual([]);
    expect((await post({ Origin: target().url, "Sec-Fetch-Site": "same-origin" })).status).toBe(
      201,
    );
    expect((await post({})).status).toBe(200);
    expect((await client.submit("/sign-out", {}, { Origin: "https://evil.example" })).status).toBe(
      403,
    );
    expect((await client.get("/api/domains")).status).toBe(200);
  });

  it(says("C12.17"), async ({ browser: client }) => {
    const hidden = { Origin: "null", "Sec-Fetch-Site": "same-origin" };
    const json = { domain: newName() };
    expect((await client.request("POST", "/api/domains", { json, headers: hidden })).status).toBe(
      201,
    );
    expect((await client.submit("/sign-out", {}, { Origin: "null" })).status).toBe(403);
    expect((await client.submit("/sign-out", {}, hidden)).status).toBe(303);
    expectError(await client.get("/api/domains"), "unauthenticated");
  });

  it(says("C12.12"), async ({ stranger }) => {
    expectError(await stranger.get("/api/auth/oidc"), "not_found");
    expectError(await stranger.get("/api/auth/oidc/callback?code=a&state=b"), "not_found");
    expect(target().own.service.output()).not.toContain("code=a");
  });
});
