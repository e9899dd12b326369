import { describe, expect, it } from "vitest";
import { accountForEmail, accountForIdentity } from "#app/core/testing/accounts.ts";
import { disableAccount } from "#app/features/admin/accounts.server.ts";
import { accounts, sessions } from "#db/schema.ts";
import { Browser, type TestApp, testApp } from "./testing.ts";

const mailedTo = (app: TestApp) => app.mails.map(({ to }) => to);
const refusals = (app: TestApp) =>
  app.logged.map((line) => JSON.parse(line)).filter(({ msg }) => msg === "sign-in refused");

describe("C12.18: SIGN_UP", () => {
  const EVERYBODY = ["kim@acme.com", "eve@example.org", "kim@sub.acme.com", "old@example.org"];
  it.each<[value: string | undefined, mailed: string[]]>([
    [undefined, EVERYBODY],
    ["open", EVERYBODY],
    ["closed", ["old@example.org"]],
    ["Eve@Example.org", ["eve@example.org", "old@example.org"]],
    [" @ACME.com , @other.example", ["kim@acme.com", "old@example.org"]],
  ])("%s lets in who is on it, and who has an account", async (value, mailed) => {
    const app = testApp(value === undefined ? {} : { SIGN_UP: value });
    const settings = { ...app.settings, signUp: "open" } as const;
    await accountForEmail({ ...app, settings }, "old@example.org");
    for (const email of EVERYBODY) await new Browser(app).ask(email);
    expect([mailedTo(app), refusals(app).length]).toEqual([mailed, 4 - mailed.length]);
  });

  it("tells the operator whom it refused, masked, and the client, once", async () => {
    const app = testApp({ SIGN_UP: "closed" });
    await new Browser(app, "192.0.2.7").ask("eve@example.org");
    expect(refusals(app)).toMatchObject([
      { by: "mail", reason: "sign_up", detail: "e•••@example.org", client: "192.0.2.7" },
    ]);
    expect(app.logged.join()).not.toContain("eve@");
  });

  it("draws on the budgets of a refused address too", async () => {
    const app = testApp({ SIGN_UP: "closed", RATE_LIMIT_MAIL_ADDRESS: "2/900" });
    const browser = new Browser(app);
    for (let each = 0; each < 2; each++) await browser.ask("eve@example.org");
    await expect(browser.ask("eve@example.org")).rejects.toMatchObject({ code: "rate_limited" });
  });

  it("lets an operator named in ADMIN in where it is closed", async () => {
    const app = testApp({ SIGN_UP: "closed", ADMIN: "Root@Example.org" });
    await new Browser(app).ask("root@example.org");
    expect(mailedTo(app)).toEqual(["root@example.org"]);
  });

  it("holds at the identity provider too", async () => {
    const app = testApp({ SIGN_UP: "@acme.com" });
    const by = { issuer: "https://id.example", subject: "1", emailVerified: true };
    const elsewhere = accountForIdentity(app, { ...by, email: "eve@example.org" });
    await expect(elsewhere).rejects.toMatchObject({ reason: "sign_up" });
    const { person } = await accountForIdentity(app, { ...by, email: "kim@acme.com" });
    expect(person.email).toBe("kim@acme.com");
  });

  it("holds when a link mailed while it was open comes back after it was closed", async () => {
    const app = testApp();
    const browser = new Browser(app);
    const mailed = await browser.ask("eve@example.org");
    app.settings.signUp = [];
    await expect(browser.finish(mailed)).rejects.toMatchObject({ code: "invalid_sign_in" });
    expect(app.db.select().from(accounts).all()).toEqual([]);
  });
});

it("a disabled account is signed out at once, and no mail, link or code signs in to it", async () => {
  const app = testApp();
  const browser = new Browser(app);
  const { account } = await browser.signIn("kim@acme.com");
  const before = await browser.ask("kim@acme.com");
  await disableAccount(app, account.id);
  expect(app.db.select().from(sessions).all()).toEqual([]);
  for (const proof of [{ token: before.token }, { email: "kim@acme.com", code: before.code }])
    await expect(browser.finish(proof)).rejects.toMatchObject({ code: "invalid_sign_in" });
  const { length } = app.mails;
  await browser.ask("kim@acme.com");
  expect(app.mails).toHaveLength(length);
  expect(refusals(app)).toContainEqual(expect.objectContaining({ reason: "disabled" }));
});
