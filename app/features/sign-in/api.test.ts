import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { call, errorAnswer, signedIn } from "#app/api/testing.ts";
import { accountForEmail } from "#app/core/testing/accounts.ts";
import { startProvider, type TestProvider } from "./testing.oidc.ts";
import { mailedSecrets, setCookies, type TestApp, testApp } from "./testing.ts";

const EMAIL = "ada@example.org";
const json = { email: EMAIL, callbackPath: "/claims/clm_1" };

it("C12.1: POST /api/auth/magic-link answers known and unknown addresses alike", async () => {
  const app = testApp();
  const unknown = await call(app, "POST", "/api/auth/magic-link", { json });
  await accountForEmail(app, EMAIL);
  const known = await call(app, "POST", "/api/auth/magic-link", { json });
  expect(unknown).toMatchObject({ status: 202, body: { sent: true } });
  // The cookie's secret differs each time; everything else must be identical.
  const told = ({ status, text, headers }: typeof known) => [
    status,
    text,
    [...headers].map(([name, value]) => [name, value.replace(/^sign-in=[^;]+;/, "sign-in=…;")]),
  ];
  expect(told(known)).toEqual(told(unknown));
  expect(setCookies(known.headers)).toEqual([
    expect.stringMatching(/^sign-in=\S+; Max-Age=900; Path=\/; HttpOnly; SameSite=Lax$/),
  ]);
  expect(app.mails).toHaveLength(2);
  // C12.15
  const evil = "evil.example";
  const headers = { Host: evil, "X-Forwarded-Host": evil, Forwarded: `host=${evil}` };
  await call(app, "POST", "/api/auth/magic-link", { json, headers });
  const origins = app.mails.at(-1)?.text.match(/https?:\/\/[^/\s]+/g);
  expect(new Set(origins)).toEqual(new Set([app.env.BASE_URL]));
});

const mailed = async (app = testApp()) => {
  await call(app, "POST", "/api/auth/magic-link", { json });
  return { app, ...mailedSecrets(app) };
};
const verify = (app: TestApp, json: unknown) =>
  call(app, "POST", "/api/auth/magic-link/verify", { json });

it("C12.4: POST /api/auth/magic-link/verify answers wrong credentials alike", async () => {
  const { app, token } = await mailed();
  const account = { id: expect.stringMatching(/^acc_/), email: EMAIL };
  const body = { account, callbackPath: json.callbackPath };
  expect(await verify(app, { token })).toMatchObject({ status: 200, body });
  const answers = [];
  for (const body of [
    ...[token, "", "x".repeat(10_000)].map((token) => ({ token })),
    ...[EMAIL, "nobody@example.org", "no address"].map((email) => ({ email, code: "000000" })),
    { email: EMAIL, code: "" },
  ]) {
    const answer = await verify(app, body);
    expect(answer).toMatchObject(errorAnswer("invalid_sign_in"));
    expect(setCookies(answer.headers)).toEqual([]);
    answers.push(answer.text);
  }
  expect(new Set(answers).size).toBe(1);
  expect(answers[0]).not.toContain(token);
});

describe("C12.10, C12.11: signing out", () => {
  it("ends this session, and answers the same without one", async () => {
    const app = testApp();
    const [mine, other] = [await signedIn(app), await signedIn(app)];
    for (const cookie of [mine, mine, undefined]) {
      const answer = await call(app, "POST", "/api/auth/sign-out", { cookie });
      expect(answer).toMatchObject({ status: 204, text: "" });
      expect(setCookies(answer.headers)).toEqual([expect.stringMatching(/^session=; .*Max-Age=0/)]);
      expect(answer.headers.get("Clear-Site-Data")).toBe('"storage"');
    }
    const session = async (cookie: string) =>
      (await call(app, "GET", "/api/auth/session", { cookie })).body;
    expect(await session(mine)).toEqual({ session: null });
    expect(await session(other)).not.toEqual({ session: null });
  });

  it("clears the cookie when it ends the current session, and keeps it when it ends another", async () => {
    const app = testApp();
    const [mine] = [await signedIn(app), await signedIn(app)];
    const { sessions } = (await call(app, "GET", "/api/account/sessions", { cookie: mine }))
      .body as { sessions: { id: string; current: boolean }[] };
    for (const current of [false, true]) {
      const id = sessions.find((one) => one.current === current)?.id;
      const answer = await call(app, "DELETE", `/api/account/sessions/${id}`, { cookie: mine });
      expect(answer.status).toBe(204);
      const gone = [expect.stringMatching(/^session=; .*Max-Age=0/)];
      expect(setCookies(answer.headers)).toEqual(current ? gone : []);
      expect(answer.headers.get("Clear-Site-Data")).toBe(current ? '"storage"' : null);
    }
  });
});

describe("GET /api/auth/oidc", () => {
  let provider: TestProvider;
  beforeAll(async () => {
    provider = await startProvider("http://localhost:3000/api/auth/oidc/callback");
  });
  afterAll(() => provider.stop());
  const withProvider = (environment: Record<string, string> = {}) =>
    testApp({ ...environment, ...provider.env });
  const HTML = { Accept: "text/html,application/xhtml+xml" };
  const START = "/api/auth/oidc";
  const arrive = async (app: TestApp, sub: string, path = START, headers = {}) => {
    provider.person = { sub, email: EMAIL, email_verified: true };
    const start = await call(app, "GET", path);
    const back = await provider.signIn(start.headers.get("Location") ?? "");
    const [cookie] = setCookies(start.headers);
    return call(app, "GET", back.pathname + back.search, { cookie, headers });
  };

  it("redirects to the sign-in page when opened from another site", async () => {
    const app = withProvider();
    const path = `${START}?callbackPath=/notices`;
    for (const site of ["cross-site", "same-site", "same-origin", "none"]) {
      const { headers } = await call(app, "GET", path, { headers: { "Sec-Fetch-Site": site } });
      const isAsked = site.endsWith("-site");
      const place = isAsked ? "/sign-in?next=%2Fnotices" : provider.issuer;
      const leads = headers.get("Location")?.startsWith(place);
      expect([site, leads, setCookies(headers).length]).toEqual([site, true, isAsked ? 0 : 1]);
    }
  });

  it("draws on the client's mail budget, at the start and at the callback", async () => {
    for (const path of [START, `${START}/callback?code=1&state=2`]) {
      const app = withProvider({ RATE_LIMIT_MAIL_IP: "3/3600" });
      await call(app, "POST", "/api/auth/magic-link", { json });
      for (let each = 0; each < 2; each++) {
        const { status } = await call(app, "GET", path);
        expect([path, status]).toEqual([path, path === START ? 302 : 401]);
      }
      const over = await call(app, "GET", path);
      expect(over).toMatchObject(errorAnswer("rate_limited"));
      expect(Number(over.headers.get("Retry-After"))).toBeGreaterThan(3_000);
      const page = await call(app, "GET", path, { headers: HTML });
      expect([page.status, page.headers.get("Location")]).toEqual([302, "/sign-in/failed"]);
    }
  });

  it("started for another site leads home, signed in; a second identity of that address to a page that explains it", async () => {
    const app = withProvider();
    const done = await arrive(app, "1", `${START}?callbackPath=//evil.example`);
    expect([done.status, done.headers.get("Location")]).toEqual([302, "/domains"]);
    const [cookie] = setCookies(done.headers);
    expect((await call(app, "GET", "/api/account", { cookie })).status).toBe(200);
    const told = await arrive(app, "2");
    expect(told).toMatchObject(
      errorAnswer("invalid_sign_in", expect.stringContaining("another identity")),
    );
    const page = await arrive(app, "2", START, HTML);
    expect(page.headers.get("Location")).toBe("/sign-in/failed?reason=identity");
    for (const answer of [told, page]) expect(setCookies(answer.headers)).toEqual([]);
    expect((await arrive(app, "1")).headers.get("Location")).toBe("/domains");
  });

  it("keeps a code that this browser requested earlier valid", async () => {
    const app = withProvider();
    const asked = await call(app, "POST", "/api/auth/magic-link", { json });
    const { code } = mailedSecrets(app);
    const [first] = setCookies(asked.headers);
    const start = await call(app, "GET", START, { cookie: first });
    const [cookie] = setCookies(start.headers);
    const body = { email: EMAIL, code };
    const done = await call(app, "POST", "/api/auth/magic-link/verify", { json: body, cookie });
    expect(done.status).toBe(200);
  });
});
