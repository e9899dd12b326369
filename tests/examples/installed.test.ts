import { createServer } from "node:http";
import { expect, it, onTestFinished } from "vitest";
import type { Claim } from "#app/features/claims/resources.ts";
import { newName, targetService } from "../contract/kit.ts";
import { freePort, listening } from "../support/service.ts";
import {
  browserAt,
  copyOut,
  type Holder,
  holderAt,
  type Said,
  say,
  start,
  testerAt,
} from "./kit.ts";

/** The examples with packages that this repository does not have: `npm run test:examples`. */

const target = targetService({});

type Json = Record<string, unknown>;
type Asked = { records: { name: string; value: string }[] };

/** Publishes the record that an example asked for, and reads its claim. */
async function publish(holder: Holder, name: string, { records: [record] }: Asked): Promise<void> {
  const { claims } = await holder.call<{ claims: Claim[] }>("GET", "/claims");
  const claim = claims.find(({ token }) => token === record?.value);
  expect(claim?.records).toMatchObject([record]);
  if (claim) await holder.publish(name, claim);
}

it("express-gate opens the feature for the customer who proved the domain, and for nobody else", async () => {
  const holder = await holderAt(target());
  const { url } = await start(copyOut("express-gate"), holder.env);
  const as = (customer: string) => (method: string, path: string, json?: unknown) =>
    say<Json>(method, url + path, json, { "X-Customer-Key": `key-of-${customer}` });
  const [ada, ben] = [as("ada"), as("ben")];
  const mail = "/domains/WWW.acme.com/mails";

  expect((await ada("POST", mail)).status).toBe(403);
  const asked = (await ada("POST", "/domains", { domain: "acme.com" })) as unknown as Said<Asked>;
  expect(asked).toMatchObject({ status: 201, body: { domain: "acme.com" } });
  expect((await ada("POST", "/domains", { domain: "acme.com" })).body).toEqual(asked.body);
  const bens = (await ben("POST", "/domains", { domain: "acme.com" })) as unknown as Said<Asked>;
  expect(bens.body.records).not.toEqual(asked.body.records);
  expect((await ada("POST", mail)).status).toBe(403);

  await publish(holder, "acme.com", asked.body);
  expect(await ada("POST", mail)).toMatchObject({ status: 202, body: { from: "hello@acme.com" } });
  expect((await ben("POST", mail)).status).toBe(403);
  // Proving it again does not close the sign-up.
  await ada("POST", "/domains", { domain: "acme.com" });
  expect((await ada("POST", mail)).status).toBe(202);
  expect((await ada("GET", "/domains/acme.com")).body).toMatchObject({ proved: true });

  expect(await ada("POST", "/domains", { domain: "not a name" })).toMatchObject({
    status: 400,
    body: { error: expect.stringMatching(/\S/) },
  });
  expect((await say("POST", url + mail)).status).toBe(401);
});

it("express-gate in test mode closes with the read that finds the record lapsed, and opens with the next proof", async () => {
  const { env, move, call } = await testerAt(target());
  const { url } = await start(copyOut("express-gate"), env);
  const ada = (method: string, path: string, json?: unknown) =>
    say<Json>(method, url + path, json, { "X-Customer-Key": "key-of-ada" });
  const isOpen = async () => (await ada("POST", "/domains/lapsed.test/mails")).status === 202;
  const watch = async () => {
    const { body } = await call("GET", "/domains/by-name/lapsed.test?reference=customer-1");
    return (body.watch as { state: string } | null)?.state;
  };
  expect((await ada("POST", "/domains", { domain: "lapsed.test" })).status).toBe(201);
  expect(await isOpen()).toBe(false);
  await move(60);
  expect(await isOpen()).toBe(true);
  const seen = new Set<string | undefined>();
  for (let hours = 0; hours < 12 * 24; hours += 6) {
    await move(6 * 3600);
    const state = await watch();
    seen.add(state);
    expect(await isOpen(), state).toBe(state !== "lapsed");
  }
  expect([...seen]).toEqual(["published", "missing", "lapsed"]);
  await ada("POST", "/domains", { domain: "lapsed.test" });
  await move(60);
  expect(await isOpen()).toBe(true);
});

/** An identity provider that signs everybody in as kim@hooli.com at once. */
const identityProvider = createServer(async (request, response) => {
  for await (const _ of request);
  const email = "kim@hooli.com";
  const json =
    request.url === "/token"
      ? { access_token: "token", token_type: "Bearer" }
      : { sub: email, email, email_verified: true, name: email };
  response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(json));
});

it("better-auth-sso leads people to their organisation's provider, only after its domain is proved", async () => {
  const idp = await listening(identityProvider);
  onTestFinished(() => void identityProvider.close());
  const password = "correct horse battery";
  const holder = await holderAt(target());
  const PORT = String(await freePort());
  const BASE_URL = `http://127.0.0.1:${PORT}`;
  await start(copyOut("better-auth-sso"), {
    ...holder.env,
    ...{ PORT, BASE_URL, AUTH_SECRET: "0123456789abcdef0123456789abcdef" },
    BETTER_AUTH_TRUSTED_ORIGINS: idp,
    // Without better-auth's limit of three sign-ins in ten seconds.
    NODE_ENV: "test",
  });
  const domain = "hooli.com";

  const organisation = async (slug: string) => {
    const admin = browserAt(BASE_URL);
    const json = { email: `admin@${slug}.example`, password, name: slug };
    expect((await admin("POST", "/sign-up/email", json)).status).toBe(200);
    const { body } = await admin("POST", "/organization/create", { name: slug, slug });
    const register = async (providerId: string, domain: string) => {
      const registered = await admin("POST", "/sso/register", {
        ...{ providerId, domain, issuer: idp, organizationId: body.id },
        oidcConfig: {
          ...{ clientId: "example", clientSecret: "secret", skipDiscovery: true },
          authorizationEndpoint: `${idp}/authorize`,
          tokenEndpoint: `${idp}/token`,
          userInfoEndpoint: `${idp}/me`,
          jwksEndpoint: `${idp}/keys`,
        },
      });
      expect(registered, JSON.stringify(registered.body)).toMatchObject({ status: 200 });
    };
    return { admin, register };
  };
  const { admin: mallory, register: registerMallory } = await organisation("mallory");
  const { admin: hooli, register: registerHooli } = await organisation("hooli");
  // Registered first, and never proved: it must not block the other.
  await registerMallory("mallory", domain);
  await registerHooli("hooli", domain);
  const email = `kim@${domain}`;
  const signIn = (json: Json) =>
    browserAt(BASE_URL)("POST", "/sign-in/sso", { callbackURL: "/", ...json });

  expect((await signIn({ email })).status).toBe(401);
  expect((await mallory("POST", "/sso/deed/request", { providerId: "hooli" })).status).toBe(403);
  const asked = await hooli("POST", "/sso/deed/request", { providerId: "hooli" });
  expect(asked.status).toBe(200);
  const confirm = (admin: typeof hooli, providerId: string) =>
    admin("POST", "/sso/deed/confirm", { providerId });
  expect((await confirm(hooli, "hooli")).body).toEqual({
    domainVerified: false,
    lastProvedAt: null,
  });
  expect((await hooli("POST", "/confirm-proofs")).status).toBe(404);
  expect((await hooli("POST", "/sso/verify-domain", { providerId: "hooli" })).status).toBe(404);
  expect((await signIn({ email })).status).toBe(401);

  await publish(holder, domain, asked.body as Asked);
  expect((await confirm(hooli, "hooli")).body).toMatchObject({ domainVerified: true });
  expect((await confirm(mallory, "mallory")).body).toMatchObject({ domainVerified: false });

  const through = async (providerId: string, json: Json) => {
    const browser = browserAt(BASE_URL);
    const led = await browser("POST", "/sign-in/sso", { ...json, callbackURL: "/" });
    expect(led.status).toBe(200);
    const authorize = new URL(String(led.body.url));
    expect(authorize.origin).toBe(idp);
    const callback = `/sso/callback/${providerId}`;
    expect(authorize.searchParams.get("redirect_uri")).toBe(`${BASE_URL}/api/auth${callback}`);
    const state = authorize.searchParams.get("state");
    return { browser, back: await browser("GET", `${callback}?code=x&state=${state}`) };
  };
  // The provider of another proved domain claims to have signed in somebody of this domain.
  const other = "initech.com";
  await registerMallory("initech", other);
  const theirs = await mallory("POST", "/sso/deed/request", { providerId: "initech" });
  await publish(holder, other, theirs.body as Asked);
  expect((await confirm(mallory, "initech")).body).toMatchObject({ domainVerified: true });
  const forged = await through("initech", { email: `mallory@${other}` });
  expect((await forged.browser("GET", "/get-session")).body).toBeNull();

  const { browser: kim, back } = await through("hooli", { email });
  expect(back).toMatchObject({ status: 302, location: "/" });
  expect((await kim("GET", "/get-session")).body).toMatchObject({ user: { email } });

  for (const address of [`lee@${domain}`, "Lee@HOOLI.com"]) {
    const json = { email: address, password, name: "Lee" };
    expect(await browserAt(BASE_URL)("POST", "/sign-up/email", json)).toMatchObject({
      status: 403,
      body: { code: "SSO_REQUIRED" },
    });
  }
  expect((await signIn({ email: `kim@sub.${domain}` })).status).not.toBe(200);
  expect((await signIn({ email: `kim@${newName()}` })).status).toBe(404);

  // The second organisation with a proof does not take over the domain.
  const second = await mallory("POST", "/sso/deed/request", { providerId: "mallory" });
  await publish(holder, domain, second.body as Asked);
  expect((await confirm(mallory, "mallory")).status).toBe(409);
});
