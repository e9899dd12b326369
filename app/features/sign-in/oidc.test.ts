import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { call, errorAnswer } from "#app/api/testing.ts";
import { accountLog } from "#app/core/accounts/accounts.server.ts";
import { accountForEmail } from "#app/core/testing/accounts.ts";
import { SIGN_IN_STATE_LIFETIME_MS } from "#app/http/caller/cookies.server.ts";
import { sessionOf } from "#app/http/caller/session.server.ts";
import { people, sessions } from "#db/schema.ts";
import { finishOidc, identityProviderLabel, startOidc } from "./oidc.server.ts";
import { type Person, reissue, startProvider, type TestProvider } from "./testing.oidc.ts";
import { Browser, requestTo, type TestApp, testApp } from "./testing.ts";

const BASE = "http://localhost:3000";
const ADA: Person = { sub: "ada", email: "Ada@Example.org", email_verified: true };
const CLIENT_ADDRESS = "192.0.2.1";
const refused = { code: "invalid_sign_in" };

let provider: TestProvider;
let app: TestApp;

beforeAll(async () => {
  provider = await startProvider(`${BASE}/api/auth/oidc/callback`);
});
afterAll(() => provider.stop());

const environment = () => ({ BASE_URL: BASE, ...provider.env, RATE_LIMIT_MAIL_IP: "1000/60" });

beforeEach(() => {
  app = testApp(environment());
  Object.assign(provider, { person: ADA, tamper: null, down: false });
});

const begin = () => startOidc(app, CLIENT_ADDRESS, requestTo(app, "/"), "/claims/clm_1");
const finish = (url: URL, cookie?: string) =>
  finishOidc(app, CLIENT_ADDRESS, requestTo(app, url.pathname + url.search, { cookie }), url);

/** Runs the flow up to the callback that the browser is about to open. */
async function returning() {
  const { location, cookie } = await begin();
  return { url: await provider.signIn(location), cookie };
}
async function signIn() {
  const { url, cookie } = await returning();
  return finish(url, cookie);
}

describe("C12.13: signing in at the identity provider", () => {
  it("requests a code with PKCE, state and nonce, bound to this browser", async () => {
    const { location, cookie } = await begin();
    expect(location).toMatch(`${provider.issuer}/auth?`);
    const long = expect.stringMatching(/^.{31,}$/);
    expect(Object.fromEntries(new URL(location).searchParams)).toMatchObject({
      ...{ response_type: "code", redirect_uri: `${BASE}/api/auth/oidc/callback` },
      ...{ code_challenge_method: "S256", state: long, nonce: long, code_challenge: long },
    });
    expect(cookie).toMatch(/^sign-in=\S+; Max-Age=900; Path=\/; HttpOnly; SameSite=Lax$/);
  });

  it("creates the account, starts a session and redirects to the requested path", async () => {
    const arrival = await signIn();
    const account = { email: "ada@example.org" };
    expect(arrival).toMatchObject({ account, callbackPath: "/claims/clm_1" });
    const session = await sessionOf(requestTo(app, "/", { cookie: arrival.cookies[0] }));
    expect(session?.accountId).toBe(arrival.account.id);
    expect(arrival.cookies[1]).toMatch(/^sign-in=; .*Expires=Thu, 01 Jan 1970/);
  });

  it("accepts the callback with and without a trailing slash", async () => {
    const { url, cookie } = await returning();
    const slashed = new URL(`${url.pathname}/${url.search}`, BASE);
    expect((await finish(slashed, cookie)).account.email).toBe("ada@example.org");
    await expect(finish(new URL("/api/auth/oidc/callback/", BASE))).rejects.toMatchObject(refused);
  });

  it("voids mailed links and codes, and is in the account's log", async () => {
    const { account } = await signIn();
    const browser = new Browser(app);
    const { token } = await browser.ask("ada@example.org");
    await signIn();
    await expect(browser.finish({ token })).rejects.toMatchObject(refused);
    const kind = "signed_in_by_provider";
    expect(accountLog(app, account.id, 10).events).toMatchObject([{ kind }, { kind }]);
  });

  it("takes the address from the ID token if it is there", async () => {
    const eve = { email: "eve@example.org", email_verified: true };
    provider.tamper = reissue((claims) => ({ ...claims, ...eve }));
    expect((await signIn()).account.email).toBe("eve@example.org");
  });

  it("has the configured label, and none unless configured", async () => {
    expect(identityProviderLabel(app)).toBe(new URL(provider.issuer).host);
    expect(identityProviderLabel(testApp({ ...environment(), OIDC_LABEL: "Work" }))).toBe("Work");
    app = testApp();
    expect(identityProviderLabel(app)).toBeNull();
    // C12.12
    for (const path of ["/api/auth/oidc", "/api/auth/oidc/callback?code=a&state=b"])
      expect(await call(app, "GET", path)).toMatchObject(errorAnswer("not_found"));
  });

  it("reports an unreachable provider, and retries on the next sign-in", async () => {
    provider.down = true;
    const both = await Promise.allSettled([begin(), begin()]);
    const reason = { code: "unavailable", details: { retryAfter: 10 } };
    expect(both).toMatchObject([{ reason }, { reason }]);
    provider.down = false;
    await expect(begin()).resolves.toMatchObject({ location: expect.any(String) });
  });
});

describe("a tampered callback", () => {
  const changed = (change: (query: URLSearchParams) => void) => async () => {
    const { url, cookie } = await returning();
    change(url.searchParams);
    return finish(url, cookie);
  };
  const tampered = (tamper: TestProvider["tamper"]) => () => {
    provider.tamper = tamper;
    return signIn();
  };
  /** Signs in with an ID token that has these claims in place of the provider's. */
  const claiming = (claims: () => object) =>
    tampered(reissue((given) => ({ ...given, ...claims() })));
  const signed = (how: Parameters<typeof reissue>[1]) => tampered(reissue((claims) => claims, how));
  const as = (person: Person) => () => {
    provider.person = person;
    return signIn();
  };
  const ago = (seconds: number) => Math.floor(Date.now() / 1000) - seconds;

  const CASES: Record<string, () => Promise<unknown>> = {
    "with another state": changed((query) => query.set("state", "x".repeat(43))),
    "without a state": changed((query) => query.delete("state")),
    "with two states": changed((query) => query.append("state", "x")),
    "without a code": changed((query) => query.delete("code")),
    "with a made-up code": changed((query) => query.set("code", "x".repeat(43))),
    "from another issuer": changed((query) => query.set("iss", "https://evil.example")),
    "that hides its issuer": changed((query) => query.delete("iss")),
    "that is an error": changed((query) => {
      query.delete("code");
      query.set("error", "access_denied");
    }),
    "with an ID token in the URL": changed((query) => query.set("id_token", "x.y.z")),
    "without the cookie": async () => finish((await returning()).url),
    "with the cookie of another start": async () =>
      finish((await returning()).url, (await begin()).cookie),
    "with a cookie whose signature is wrong": async () => {
      const { url, cookie } = await returning();
      return finish(url, cookie.replace(/^sign-in=e/, "sign-in=f"));
    },
    "with the code of somebody else's start": async () => {
      const [mine, theirs] = [await returning(), await returning()];
      mine.url.searchParams.set("code", theirs.url.searchParams.get("code") ?? "");
      return finish(mine.url, mine.cookie);
    },
    "after the time a start has": async () => {
      const { url, cookie } = await returning();
      app.pass(SIGN_IN_STATE_LIFETIME_MS + 1);
      return finish(url, cookie);
    },
    "whose ID token is for another nonce": claiming(() => ({ nonce: "another" })),
    "whose ID token has no nonce": claiming(() => ({ nonce: undefined })),
    "whose ID token is another issuer's": claiming(() => ({ iss: "https://evil.example" })),
    "whose ID token is for another audience": claiming(() => ({ aud: "somebody else" })),
    "whose ID token has expired": claiming(() => ({ iat: ago(7_200), exp: ago(3_600) })),
    "whose ID token is signed with another key": signed("another key"),
    "whose ID token is not signed": signed("none"),
    "whose ID token is signed with the client's secret": signed("client secret"),
    "whose ID token was changed after it was signed": tampered((tokens) => {
      const [head = "", , tail = ""] = String(tokens.id_token).split(".");
      const { id_token } = reissue((claims) => ({ ...claims, sub: "root" }))(tokens);
      return { ...tokens, id_token: [head, String(id_token).split(".")[1], tail].join(".") };
    }),
    "without an ID token": tampered(({ id_token: _, ...tokens }) => tokens),
    "of another subject than its ID token's": claiming(() => ({ sub: "root" })),
    "of an address that is not verified": as({ ...ADA, email_verified: false }),
    "of another that is not": as({ ...ADA, email: "x@example.org", email_verified: false }),
    "of an address called verified in words": as({ ...ADA, email_verified: "true" }),
    "without an address": as({ sub: "ada", email_verified: true }),
    "of an address that is none": as({ ...ADA, email: "ada@example.org\r\nBcc: eve@example.org" }),
  };

  it.each(Object.entries(CASES))("%s signs nobody in", async (_, attempt) => {
    await accountForEmail(app, "ada@example.org");
    await expect(attempt()).rejects.toMatchObject(refused);
    expect(app.db.select().from(sessions).all()).toEqual([]);
    expect(app.db.select().from(people).all()).toMatchObject([{ oidcSubject: null }]);
  });

  it("cannot be replayed", async () => {
    const { url, cookie } = await returning();
    await finish(url, cookie);
    await expect(finish(url, cookie)).rejects.toMatchObject(refused);
    expect(app.db.select().from(sessions).all()).toHaveLength(1);
  });

  it("leaves neither code nor token in the log", async () => {
    const { url, cookie } = await returning();
    provider.tamper = reissue((claims) => claims, "another key");
    await finish(url, cookie).catch(() => {});
    const logs = app.logged.join("");
    expect(logs).toContain("JWT signature verification failed");
    expect(logs).not.toContain(url.searchParams.get("code"));
    expect(logs).not.toMatch(/eyJ[\w-]+\./);
  });
});
