import { describe, expect, test } from "vitest";
import { addAccount } from "#app/core/accounts/accounts.server.ts";
import { accountForIdentity } from "#app/core/testing/accounts.ts";
import { people, signInLinks } from "#db/schema.ts";
import { HOME_PATH, issueLink, readLink } from "./magic-link.server.ts";
import { Browser, type TestApp, testApp } from "./testing.ts";

const EMAIL = "kim@example.org";

/** Prints a link like `deed users link`. */
const printed = async (app: TestApp, email = EMAIL) =>
  (await issueLink(app, { email, callbackPath: HOME_PATH, browserHash: null })).token;

const refused = { code: "invalid_sign_in" };
const EVE = { email: "eve@example.org", emailVerified: true };
const IDENTITY = { issuer: "https://id.example", subject: "1", ...EVE };

describe("C12.21: the link that opens the first account", () => {
  test("signs its address in where sign-up is closed, once, and notes that nobody confirmed it", async () => {
    const app = testApp({ SIGN_UP: "closed" });
    const token = await printed(app);
    const { account } = await new Browser(app).finish({ token });
    expect(account.email).toBe(EMAIL);
    expect(app.db.select().from(people).all()).toMatchObject([{ mailProvedAt: null }]);
    await expect(new Browser(app).finish({ token })).rejects.toMatchObject(refused);
  });

  test.each<[string, (app: TestApp) => Promise<unknown>]>([
    [
      "by another such link",
      async (app) => new Browser(app).finish({ token: await printed(app, "root@example.org") }),
    ],
    ["by the operator, for the same address", (app) => addAccount(app, EMAIL)],
    ["by mail", (app) => new Browser(app).signIn("eve@example.org")],
    ["at the identity provider", (app) => accountForIdentity(app, IDENTITY)],
  ])("is dead once there is an account, opened %s", async (_, open) => {
    const app = testApp();
    const token = await printed(app);
    await open(app);
    expect(readLink(app, token)).toBeNull();
    await expect(new Browser(app).finish({ token })).rejects.toMatchObject(refused);
    expect(app.db.select().from(people).all()).toHaveLength(1);
  });

  test("opens nothing if an account was opened while it was made", async () => {
    const app = testApp();
    await addAccount(app, "root@example.org");
    const opened = new Browser(app).finish({ token: await printed(app) });
    await expect(opened).rejects.toMatchObject(refused);
    expect(app.db.select().from(people).all()).toHaveLength(1);
  });
});

test("C12.21: a link that the operator printed confirms no address; a mail that is answered does", async () => {
  const app = testApp();
  await addAccount(app, EMAIL);
  const other = await printed(app);
  await addAccount(app, "root@example.org");
  await new Browser(app).finish({ token: other });
  const provedAt = () => app.db.select({ at: people.mailProvedAt }).from(people).all()[0]?.at;
  expect(provedAt()).toBeNull();
  await new Browser(app).signIn(EMAIL);
  expect(provedAt()).toBe(app.clock());
  const links = app.db.select().from(signInLinks).all();
  expect(links.every(({ consumedAt }) => consumedAt)).toBe(true);
});
