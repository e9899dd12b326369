import { beforeEach, describe, expect, it } from "vitest";
import { call, errorAnswer, signedIn } from "#app/api/testing.ts";
import { Browser, setCookies, type TestApp, testApp } from "#app/features/sign-in/testing.ts";

const EMAIL = "ada@example.org";
let app: TestApp;
let cookie: string;

beforeEach(async () => {
  app = testApp();
  cookie = await signedIn(app, EMAIL);
});

it("C13.3: the account is erased with its sessions; the next sign-in creates another", async () => {
  const elsewhere = await signedIn(app, EMAIL);
  const before = (await call(app, "GET", "/api/account", { cookie })).text;
  const erase = (json?: object) => call(app, "DELETE", "/api/account", { cookie, json });
  for (const wrong of [undefined, {}, { email: "eve@example.org" }])
    expect(await erase(wrong)).toMatchObject(errorAnswer("invalid_request"));
  const answer = await erase({ email: " ADA@example.org" });
  expect(answer).toMatchObject({ status: 204, text: "" });
  const ended = ["session", "known"].map((name) => new RegExp(`^${name}=; .*Max-Age=0`));
  expect(setCookies(answer.headers)).toEqual(ended.map((one) => expect.stringMatching(one)));
  expect(answer.headers.get("Clear-Site-Data")).toBe('"storage"');
  for (const held of [cookie, elsewhere]) {
    const refused = await call(app, "GET", "/api/account", { cookie: held });
    expect(refused).toMatchObject(errorAnswer("unauthenticated"));
  }
  const again = await call(app, "GET", "/api/account", { cookie: await signedIn(app, EMAIL) });
  expect(again.text).not.toBe(before);
});

describe("erasing the account", () => {
  it("keeps the browser known for its other addresses", async () => {
    const browser = new Browser(app);
    await browser.signIn("eve@example.org");
    await browser.signIn(EMAIL);
    const headers = { Cookie: browser.cookie };
    const json = { email: EMAIL };
    const answer = await call(app, "DELETE", "/api/account", { headers, json });
    expect(setCookies(answer.headers)[1]).toMatch(/^known=[\w-]{59}; .*Max-Age=31536000/);
  });

  it("voids the links and codes mailed to its address", async () => {
    const browser = new Browser(app);
    const { token, code } = await browser.ask(EMAIL);
    await call(app, "DELETE", "/api/account", { cookie, json: { email: EMAIL } });
    for (const proof of [{ token }, { email: EMAIL, code }])
      await expect(browser.finish(proof)).rejects.toMatchObject({ code: "invalid_sign_in" });
  });
});

it("C13.1: the account's sessions are listed, last used first, the current marked", async () => {
  app.pass(1_000);
  await signedIn(app, EMAIL);
  await signedIn(app, "eve@example.org");
  const [at, until] = ["2026-03-12T14:03:22.000Z", "2026-04-11T14:03:22.000Z"];
  const own = { current: true, userAgent: "", createdAt: at, lastUsedAt: at, expiresAt: until };
  expect((await call(app, "GET", "/api/account/sessions", { cookie })).body).toEqual({
    sessions: [
      expect.objectContaining({ current: false, lastUsedAt: "2026-03-12T14:03:23.000Z" }),
      { id: expect.stringMatching(/^ses_/), ...own },
    ],
  });
});
