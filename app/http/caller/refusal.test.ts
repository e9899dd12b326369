import { beforeEach, describe, expect, it } from "vitest";
import { call } from "#app/api/testing.ts";
import { MAX_CODE_TRIES, type MailedCredential } from "#app/features/sign-in/magic-link.server.ts";
import { Browser, mailedSecrets, type TestApp, testApp } from "#app/features/sign-in/testing.ts";

const EMAIL = "ada.lovelace@example.org";
const CLIENT = "198.51.100.7";
const LINE = { level: 40, msg: "sign-in refused" };
const refusal = (by: string, reason: string, client = CLIENT) => ({ ...LINE, client, by, reason });

let app: TestApp;
let browser: Browser;
beforeEach(() => {
  app = testApp();
  browser = new Browser(app, CLIENT);
});

const refusals = () =>
  app.logged
    .map((line) => JSON.parse(line))
    .filter(({ msg }) => msg === "sign-in refused")
    .map(({ time: _, ...fields }) => fields);

const tried = (proof: MailedCredential, who = browser) => who.finish(proof).catch(() => {});

async function mailed() {
  await browser.ask(EMAIL);
  const { token, code } = mailedSecrets(app);
  return { token, code, wrong: code === "000000" ? "111111" : "000000" };
}

describe("a refused sign-in is logged with its client and reason:", () => {
  it("a link that was used, or is too old", async () => {
    const { token } = await mailed();
    await browser.finish({ token });
    await tried({ token });
    const late = await mailed();
    app.pass(16 * 60_000);
    await tried({ token: late.token });
    expect(refusals()).toEqual([refusal("link", "unknown_link"), refusal("link", "expired")]);
  });

  it("a wrong code, one in another browser, and one too many", async () => {
    const { code, wrong } = await mailed();
    for (let i = 0; i < MAX_CODE_TRIES; i++) await tried({ email: EMAIL, code: wrong });
    await tried({ email: EMAIL, code });
    await tried({ email: EMAIL, code }, new Browser(app, "198.51.100.8"));
    expect(refusals()).toEqual([
      ...Array(MAX_CODE_TRIES).fill(refusal("code", "wrong_code")),
      refusal("code", "too_many_tries"),
      refusal("code", "other_browser", "198.51.100.8"),
    ]);
  });

  it("C19.5: a budget that is used up", async () => {
    app = testApp({ RATE_LIMIT_VERIFY: "1/60", RATE_LIMIT_MAIL_IP: "1/60" });
    for (let i = 0; i < 2; i++) {
      await call(app, "POST", "/api/auth/magic-link", { json: { email: EMAIL } });
      await call(app, "POST", "/api/auth/magic-link/verify", { json: { token: "x" } });
    }
    expect(refusals()).toMatchObject([
      { by: "link", reason: "unknown_link" },
      { by: "mail", reason: "rate_limited" },
      { by: "code", reason: "rate_limited" },
    ]);
  });
});
