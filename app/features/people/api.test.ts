import { beforeEach, describe, expect, it } from "vitest";
import { call, errorAnswer, signedIn } from "#app/api/testing.ts";
import { accountLog } from "#app/core/accounts/accounts.server.ts";
import { accountForEmail } from "#app/core/testing/accounts.ts";
import { DAY } from "#app/core/time.ts";
import { disableAccount } from "#app/features/admin/accounts.server.ts";
import { addDomain } from "#app/features/domains/domains.server.ts";
import { Browser, requestTo, type TestApp, testApp } from "#app/features/sign-in/testing.ts";
import { connectionOf, connections } from "#app/http/connection.server.ts";
import { loader as deletePage, action as sendDeletion } from "#app/routes/account.delete.tsx";
import { action as sendRemoval } from "#app/routes/account.people.$id.tsx";
import { loader as noticesPage } from "#app/routes/notices.tsx";
import { loader as signInPage } from "#app/routes/sign-in._index.tsx";
import { loader as invitationPage } from "#app/routes/sign-in.invitation.tsx";
import { accounts, invitations, people, sessions } from "#db/schema.ts";
import type { PeopleList } from "./resources.ts";

const MARA = "mara@acme.com";
const KIM = "kim@example.org";

let app: TestApp;
let mara: string;
beforeEach(async () => {
  app = testApp();
  mara = await signedIn(app, MARA);
});

const ask = (cookie: string, method: string, path: string, json?: object) =>
  call(app, method, `/api/${path}`, { cookie, json });
const invite = (email: string, cookie = mara) => ask(cookie, "POST", "people", { email });
const invitedToken = () =>
  /\/sign-in\/invitation\?token=([\w-]{43})\n/.exec(app.mails.at(-1)?.text ?? "")?.[1] ?? "";
const accept = (token: string) => ask("", "POST", "auth/invitations/accept", { token });
const decline = (token: string) => ask("", "POST", "auth/invitations/decline", { token });
const remove = (id = "", cookie = mara) => ask(cookie, "DELETE", `people/${id}`);
const erase = (email: string, cookie: string) => ask(cookie, "DELETE", "account", { email });
/** 401 once the session is over. */
const statusOf = async (cookie: string) => (await ask(cookie, "GET", "people")).status;
const cookieOf = ({ headers }: { headers: Headers }) =>
  /session=[\w-]+/.exec(headers.get("Set-Cookie") ?? "")?.[0] ?? "";
const listed = async (cookie = mara) => (await ask(cookie, "GET", "people")).body as PeopleList;
const refused = (code: Parameters<typeof errorAnswer>[0]) =>
  expect.objectContaining(errorAnswer(code));

async function join(email: string): Promise<string> {
  await invite(email);
  return cookieOf(await accept(invitedToken()));
}

describe("C13.6, C13.7, C13.8: an invitation", () => {
  it("is mailed with the inviter's address, lets its address in once, and both are in one account", async () => {
    const sent = await invite(" Kim@Example.org");
    expect(sent).toMatchObject({ status: 201, body: { email: KIM, invitedBy: MARA } });
    expect(app.mails.map(({ to }) => to)).toEqual([KIM]);
    const invites = "mara@acme.com invites you to the account of m•••@acme.com";
    expect(app.mails[0]?.text).toContain(invites);
    const token = invitedToken();
    const accepted = await accept(token);
    const [{ id = "" } = {}] = app.db.select().from(accounts).all();
    expect([accepted.status, accepted.body]).toEqual([200, { account: { id, email: MARA } }]);
    const [own, other] = [
      { email: MARA, isFirst: true, isYou: true },
      { email: KIM, isFirst: false, isYou: false },
    ];
    expect(await listed()).toMatchObject({ people: [own, other], invitations: [] });
    const kim = cookieOf(accepted);
    const { body } = await ask(kim, "GET", "auth/session");
    expect(body).toMatchObject({ session: { accountId: id, email: KIM } });
    expect((await ask(kim, "GET", "account")).body).toMatchObject({ id, email: MARA });
    expect(await accept(token)).toEqual(refused("invitation_not_found"));
    const { events } = accountLog(app, id, 9);
    expect(events.map(({ kind, email, subject }) => [kind, email, subject])).toEqual([
      ["signed_in_by_link", KIM, null],
      ["person_joined", KIM, null],
      ["person_invited", MARA, KIM],
      ["signed_in_by_link", MARA, null],
    ]);
  });

  it("by another person names them, and the account by its mask", async () => {
    await invite("lee@example.org", await join(KIM));
    const text = app.mails.at(-1)?.text.replaceAll("\n", " ");
    expect(text).toContain("kim@example.org invites you to the account of m•••@acme.com on Deed.");
    expect(text).not.toContain(MARA);
  });

  it("signs the address in by mail from then on, also where sign-up is closed", async () => {
    app.settings.signUp = [];
    await join(KIM);
    const { account } = await new Browser(app).signIn(KIM);
    expect(account).toMatchObject({ email: MARA, person: { email: KIM } });
  });

  it("does not work once expired, declined, taken back, or if it never was one", async () => {
    await invite(KIM);
    const expired = invitedToken();
    app.pass(7 * DAY);
    expect(await accept(expired)).toEqual(refused("invitation_not_found"));
    expect((await listed()).invitations).toEqual([]);
    await invite(KIM);
    const first = invitedToken();
    await invite(KIM);
    expect(await accept(first)).toEqual(refused("invitation_not_found"));
    const second = invitedToken();
    expect((await decline(second)).status).toBe(204);
    expect(await accept(second)).toEqual(refused("invitation_not_found"));
    expect(await decline(second)).toEqual(refused("invitation_not_found"));
    await invite(KIM);
    const [{ id = "" } = {}] = (await listed()).invitations;
    expect((await ask(mara, "DELETE", `invitations/${id}`)).status).toBe(204);
    expect(await accept(invitedToken())).toEqual(refused("invitation_not_found"));
    expect(await accept("x")).toEqual(refused("invitation_not_found"));
    expect(app.db.select().from(people).all()).toHaveLength(1);
  });

  it("is void once the account is disabled", async () => {
    await invite(KIM);
    const [{ id: account = "" } = {}] = app.db.select().from(accounts).all();
    await disableAccount(app, account);
    expect(await accept(invitedToken())).toEqual(refused("invitation_not_found"));
  });

  it("goes to no more than twenty, to nobody who is in, and to mail addresses only", async () => {
    const [{ id: accountId = "" } = {}] = app.db.select().from(accounts).all();
    for (let n = 0; n < 20; n++) {
      const row = { id: `per_${n}`, accountId, email: `${n}@x.example`, createdAt: 1 };
      app.db.insert(people).values(row).run();
    }
    expect(await invite(KIM)).toEqual(refused("too_many_people"));
    expect(await invite("3@x.example")).toEqual(refused("already_in_account"));
    expect(await invite(MARA)).toEqual(refused("already_in_account"));
    expect(await invite("kim@@x")).toEqual(refused("invalid_request"));
    expect(app.db.select().from(invitations).all()).toEqual([]);
  });

  it("draws on the budgets of mail to its address", async () => {
    app = testApp({ RATE_LIMIT_MAILBOX: "2/900" });
    mara = await signedIn(app, MARA);
    await new Browser(app).ask(KIM);
    expect((await invite(KIM)).status).toBe(201);
    expect(await invite("kim+1@example.org")).toEqual(refused("rate_limited"));
  });
});

describe("C13.9: an address with an account of its own", () => {
  it("is refused while that has a domain, and comes in once it is deleted", async () => {
    const own = await accountForEmail(app, KIM);
    await addDomain(app, own.id, "kim.example");
    await invite(KIM);
    const token = invitedToken();
    expect(await accept(token)).toEqual(refused("address_has_account"));
    expect((await listed()).invitations).toHaveLength(1);
    await erase(KIM, await signedIn(app, KIM));
    expect((await accept(token)).status).toBe(200);
  });

  it("is refused while others are in it, or it is disabled", async () => {
    await join("lea@example.org");
    await invite("lea@example.org", await signedIn(app, "eve@example.org"));
    expect(await accept(invitedToken())).toEqual(refused("address_has_account"));
    const own = await accountForEmail(app, KIM);
    await disableAccount(app, own.id);
    await invite(KIM);
    const message = "This address has a disabled account. Ask the operator to enable it.";
    expect(await accept(invitedToken())).toMatchObject(errorAnswer("address_has_account", message));
  });

  it("comes in where that account is empty: as the page says, it makes way, with its sessions", async () => {
    await invite(KIM);
    const page = async () => {
      const request = requestTo(app, "/sign-in/invitation");
      const connection = { ...connectionOf(request), signInToken: invitedToken() };
      const load = () => invitationPage({ request, params: {}, context: {} });
      return (await connections.run(connection, load)).json();
    };
    expect(await page()).toMatchObject({ hasOwn: false });
    const before = await signedIn(app, KIM);
    expect(await page()).toMatchObject({ hasOwn: true });
    const kim = cookieOf(await accept(invitedToken()));
    expect(await statusOf(before)).toBe(401);
    expect(app.db.select().from(accounts).all()).toHaveLength(1);
    expect((await listed(kim)).people).toHaveLength(2);
  });
});

describe("C13.10: removing somebody", () => {
  it("ends their sessions and event streams at once, and nobody else's", async () => {
    const kim = await join(KIM);
    const [first, second] = (await listed()).people;
    const streams = new Map<string, boolean>();
    for (const { id, personId } of app.db.select().from(sessions).all()) {
      const email = personId === second?.id ? KIM : MARA;
      streams.set(email, true);
      const sink = { send: () => {}, close: () => void streams.set(email, false) };
      const accountId = app.db.select().from(accounts).get()?.id ?? "";
      app.streams.subscribe(accountId, { sink, credential: id, lastEventId: null });
    }
    expect(await remove(first?.id, kim)).toEqual(refused("first_address_stays"));
    expect(await remove("per_none")).toEqual(refused("person_not_found"));
    expect((await remove(second?.id)).status).toBe(204);
    expect(Object.fromEntries(streams)).toEqual({ [MARA]: true, [KIM]: false });
    expect(await statusOf(kim)).toBe(401);
    expect((await listed()).people).toHaveLength(1);
    // The address can be used again.
    expect((await accountForEmail(app, KIM)).email).toBe(KIM);
  });

  it("shows who takes over a webhook its new secret, but for a chat none (C26.22)", async () => {
    const kim = await join(KIM);
    const origin = new URL(app.settings.baseUrl).origin;
    const [deed, chat] = ["https://hooks.example.org/deed", "https://hooks.slack.com/services/x"];
    const body = new URLSearchParams();
    for (const url of [deed, chat]) {
      const made = await ask(kim, "POST", "webhooks", { url });
      body.append("keep", (made.body as { id: string }).id);
    }
    const { id = "" } = (await listed(kim)).people.find(({ isYou }) => isYou) ?? {};
    const init = { method: "POST", body, headers: { Origin: origin }, cookie: mara };
    const request = requestTo(app, `/account/people/${id}`, init);
    const sent = (await sendRemoval({ request, params: { id }, context: {} })) as Response;
    expect((await sent.json()).webhooks.map(({ url }: { url: string }) => url)).toEqual([deed]);
    const { webhooks } = (await ask(mara, "GET", "webhooks")).body as { webhooks: object[] };
    expect(webhooks).toMatchObject([{ disabledBecause: null }, { disabledBecause: null }]);
  });

  it("is leaving where it is oneself; the last one, whose account it is, cannot", async () => {
    const kim = await join(KIM);
    const [first, second] = (await listed()).people;
    const left = await remove(second?.id, kim);
    expect(left.status).toBe(204);
    expect(left.headers.get("Set-Cookie")).toMatch(/^session=;/);
    expect(await remove(first?.id)).toEqual(refused("first_address_stays"));
  });
});

describe("C13.2, C13.5, C13.11, C17.17: each person", () => {
  it("has their own sessions, sign-out everywhere and mail switch", async () => {
    const kim = await join(KIM);
    const alone = { sessions: [{ current: true }] };
    for (const cookie of [kim, mara])
      expect((await ask(cookie, "GET", "account/sessions")).body).toMatchObject(alone);
    await ask(kim, "PATCH", "account", { mailEnabled: false });
    expect((await ask(mara, "GET", "account")).body).toMatchObject({ mailEnabled: true });
    const noticesOf = (cookie: string) =>
      noticesPage({ request: requestTo(app, "/notices", { cookie }), params: {}, context: {} });
    expect(await noticesOf(kim)).toMatchObject({ isMailed: false });
    expect(await noticesOf(mara)).toMatchObject({ isMailed: true });
    await ask(kim, "POST", "auth/sign-out-everywhere");
    expect([await statusOf(kim), await statusOf(mara)]).toEqual([401, 200]);
  });

  it("learns on the page for signing in that the account is deleted", async () => {
    const body = new URLSearchParams({ email: MARA });
    const headers = { Origin: new URL(app.settings.baseUrl).origin };
    const init = { method: "POST", body, headers, cookie: mara };
    const args = { params: {}, context: {} };
    const sent = await sendDeletion({ ...args, request: requestTo(app, "/account/delete", init) });
    const next = (sent as Response).headers.get("Location") ?? "";
    const page = await signInPage({ ...args, request: requestTo(app, next) });
    expect(page.why).toBe("The account has been deleted. ");
  });

  it("but the first address cannot delete the account; it erases everybody", async () => {
    const kim = await join(KIM);
    for (const email of [KIM, MARA])
      expect(await erase(email, kim)).toEqual(refused("not_first_address"));
    const request = requestTo(app, "/account/delete", { cookie: kim });
    const page = deletePage({ request, params: {}, context: {} });
    await expect(page).rejects.toHaveProperty("status", 303);
    expect((await erase(MARA, mara)).status).toBe(204);
    expect([app.db.select().from(people).all(), await statusOf(kim)]).toEqual([[], 401]);
  });
});
