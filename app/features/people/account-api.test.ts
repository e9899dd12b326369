import { beforeEach, describe, expect, it } from "vitest";
import { call, errorAnswer, signedIn } from "#app/api/testing.ts";
import {
  Browser,
  mailedSecrets,
  setCookies,
  type TestApp,
  testApp,
} from "#app/features/sign-in/testing.ts";

const EMAIL = "ada@example.org";
let app: TestApp;
let cookie: string;

beforeEach(async () => {
  app = testApp();
  cookie = await signedIn(app, EMAIL);
});

it("the account is erased with its sessions, and the next sign-in creates a new one", async () => {
  const elsewhere = await signedIn(app, EMAIL);
  const before = (await call(app, "GET", "/api/account", { cookie })).text;
  const json = { email: " ADA@example.org" };
  const answer = await call(app, "DELETE", "/api/account", { cookie, json });
  expect(answer).toMatchObject({ status: 204, text: "" });
  expect(setCookies(answer.headers)).toEqual([
    expect.stringMatching(/^session=; .*Max-Age=0/),
    expect.stringMatching(/^known=; .*Max-Age=0/),
  ]);
  expect(answer.headers.get("Clear-Site-Data")).toBe('"storage"');
  for (const held of [cookie, elsewhere]) {
    expect(await call(app, "GET", "/api/account", { cookie: held })).toMatchObject(
      errorAnswer("unauthenticated"),
    );
  }
  const again = await call(app, "GET", "/api/account", { cookie: await signedIn(app, EMAIL) });
  expect(again.text).not.toBe(before);
});

describe("erasing the account", () => {
  it("keeps the browser known for its other addresses", async () => {
    const browser = new Browser(app);
    const signInTo = async (email: string) => {
      await browser.ask(email);
      await browser.finish({ token: mailedSecrets(app).token });
    };
    await signInTo("eve@example.org");
    await signInTo(EMAIL);
    const headers = { Cookie: browser.cookie };
    const json = { email: EMAIL };
    const answer = await call(app, "DELETE", "/api/account", { headers, json });
    expect(setCookies(answer.headers)[1]).toMatch(/^known=[\w-]{59}; .*Max-Age=31536000/);
  });

  it("voids the links and codes mailed to its address", async () => {
    const browser = new Browser(app);
    await browser.ask(EMAIL);
    const { token, code } = mailedSecrets(app);
    await call(app, "DELETE", "/api/account", { cookie, json: { email: EMAIL } });
    for (const proof of [{ token }, { email: EMAIL, code }])
      await expect(browser.finish(proof)).rejects.toMatchObject({ code: "invalid_sign_in" });
  });
});

describe("the account's sessions", () => {
  type Listed = { sessions: { id: string; current: boolean }[] };
  const list = async (held = cookie) =>
    (await call(app, "GET", "/api/account/sessions", { cookie: held })).body as Listed;

  it("are listed, last used first, with the current one marked", async () => {
    app.pass(1_000);
    await signedIn(app, EMAIL);
    await signedIn(app, "eve@example.org");
    expect(await list()).toEqual({
      sessions: [
        expect.objectContaining({ current: false, lastUsedAt: "2026-03-12T14:03:23.000Z" }),
        {
          id: expect.stringMatching(/^ses_/),
          current: true,
          userAgent: "",
          createdAt: "2026-03-12T14:03:22.000Z",
          lastUsedAt: "2026-03-12T14:03:22.000Z",
          expiresAt: "2026-04-11T14:03:22.000Z",
        },
      ],
    });
  });
});
