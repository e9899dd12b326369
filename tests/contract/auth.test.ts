import { describe, expect } from "vitest";
import * as z from "zod";
import { type Client, mailTo } from "../support/deed.ts";
import { contract, expectError, newEmail, shaped } from "./kit.ts";
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
    const { account, callbackPath } = shaped(await verify(client, { token }), 200, SignedIn);
    expect(account.email).toBe(email);
    expect(callbackPath).toBe("/domains");
    const { session } = shaped(await client.get("/api/auth/session"), 200, CurrentSession);
    expect(session).toMatchObject({ accountId: account.id, email });
    expect((await client.get("/api/domains")).status).toBe(200);

    for (const body of [{ token }, { token: "x".repeat(43) }, { token: "" }])
      expectError(await verify(target().stranger(), body), "invalid_sign_in");
    await mailed(target().stranger(), email);
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
});

describe("sessions", () => {
  it(says("C12.12"), async ({ stranger }) => {
    expectError(await stranger.get("/api/auth/oidc"), "not_found");
    expectError(await stranger.get("/api/auth/oidc/callback?code=a&state=b"), "not_found");
    expect(target().own.service.output()).not.toContain("code=a");
  });
});
