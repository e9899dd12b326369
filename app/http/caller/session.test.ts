import { beforeEach, describe, expect, it } from "vitest";
import type { Account, Person } from "#app/core/accounts/accounts.server.ts";
import { accountForEmail, personOf } from "#app/core/testing/accounts.ts";
import { requestTo, type TestApp, testApp } from "#app/features/sign-in/testing.ts";
import { sessions } from "#db/schema.ts";
import { SESSION_LIFETIME_MS, sessionOf, startSession } from "./session.server.ts";
import { listSessions } from "./session-end.server.ts";

const HOUR = 3_600_000;
let app: TestApp;
let account: Account;
let ada: Person;

beforeEach(async () => {
  app = testApp();
  account = await accountForEmail(app, "ada@example.org");
  ada = personOf(account);
});

const start = async (init = {}) =>
  (await startSession(app, requestTo(app, "/", init), "link", () => ({ account }))).cookies[0] ??
  "";
const who = (cookie: string) => sessionOf(requestTo(app, "/", { cookie }));
const rows = () => app.db.select().from(sessions).all();

describe("a session", () => {
  // C12.7
  it("uses a cookie that scripts and other sites cannot use", async () => {
    const plain = /^session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/;
    expect(await start()).toMatch(plain);
    app = testApp({ BASE_URL: "https://deed.example.org" });
    account = await accountForEmail(app, "ada@example.org");
    const cookie = await start();
    expect(cookie).toMatch(
      /^__Host-session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect(await who(cookie)).not.toBeNull();
    expect(await who(cookie.replace("__Host-", ""))).toBeNull();
  });

  it("works, is extended and can be started when the clock is a day behind", async () => {
    const cookie = await start();
    app.pass(-24 * HOUR);
    expect(await who(cookie)).not.toBeNull();
    expect(await who(await start())).not.toBeNull();
  });

  it("C12.16: is stored as a hash, without its token", async () => {
    const token = (await start()).slice("session=".length, "session=".length + 43);
    expect(JSON.stringify(rows())).not.toContain(token);
  });

  it("is not what other cookies stand for", async () => {
    const unknown = `session=${"A".repeat(43)}`;
    for (const Cookie of ["", "session=", "session=x", "other=1; sessionx=1", unknown, "%%%"])
      expect(await sessionOf(requestTo(app, "/", { headers: { Cookie } }))).toBeNull();
  });

  it("lasts 30 days from its last use, which is written once an hour, and then goes when another starts", async () => {
    const cookie = await start();
    const written = () => rows()[0]?.lastUsedAt;
    const begun = app.clock();
    app.pass(HOUR - 1);
    expect((await who(cookie))?.expiresAt).toBe(begun + SESSION_LIFETIME_MS);
    expect(written()).toBe(begun);
    app.pass(1);
    expect((await who(cookie))?.expiresAt).toBe(app.clock() + SESSION_LIFETIME_MS);
    expect(written()).toBe(app.clock());
    app.pass(SESSION_LIFETIME_MS - 1);
    expect(await who(cookie)).not.toBeNull();
    app.pass(SESSION_LIFETIME_MS);
    expect(await who(cookie)).toBeNull();
    await start();
    expect(rows()).toHaveLength(1);
  });

  it("is valid on a read-only database", async () => {
    const cookie = await start();
    app.pass(2 * HOUR);
    app.db.$client.pragma("query_only = ON");
    expect(await who(cookie)).not.toBeNull();
    expect(app.logged.join()).toContain("could not be written");
  });

  it("is rotated at sign-in: the browser's previous one ends", async () => {
    const before = await start();
    const after = await start({ cookie: before });
    expect(after).not.toBe(before);
    expect(await who(before)).toBeNull();
    expect(await who(after)).not.toBeNull();
    expect(rows()).toHaveLength(1);
  });

  it("is listed with its browser, in at most 200 visible characters", async () => {
    await start({ headers: { "User-Agent": `Old\u00e9 ${"x".repeat(500)}` } });
    const [old] = listSessions(app, ada.personId, "");
    expect(old?.userAgent).toMatch(/^Old x{196}$/);
  });
});
