import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { call, errorAnswer, signedIn } from "#app/api/testing.ts";
import { accountForEmail, joinAccount, personOf } from "#app/core/testing/accounts.ts";
import { disableAccount, enableAccount } from "#app/features/admin/accounts.server.ts";
import { invite } from "#app/features/people/invitations.server.ts";
import { creationsOf as made, removePerson } from "#app/features/people/people.server.ts";
import { testApp } from "#app/features/sign-in/testing.ts";
import { sendEndMails } from "#app/features/webhooks/deliver.server.ts";
import { addWebhook, readWebhook, updateWebhook } from "#app/features/webhooks/webhooks.server.ts";
import { keyOf } from "#app/http/caller/api-key.server.ts";
import { webhooks } from "#db/schema.ts";
import { keyToRevoke } from "./keys.server.ts";
import { type CreatedKey, EVERYTHING, newKeyFor, rotateKey, withKey } from "./testing.ts";

const EMAIL = "mara@acme.com";
type Hook = { id: string; url: string };
let paths = 0;

/** An account with a key, and calls about webhooks by its people and programs. */
async function started() {
  const app = testApp();
  const cookie = await signedIn(app, EMAIL);
  const key = await newKeyFor(app, cookie);
  const program = (one: CreatedKey) => withKey(one.key);
  const person = { cookie };
  type Who = { cookie: string } | ReturnType<typeof program>;
  const ask = async <T>(who: Who, method: string, path: string, json?: unknown) => {
    const { status, body } = await call(app, method, path, { ...who, ...(json ? { json } : {}) });
    expect([method, path, status]).toEqual([method, path, expect.toSatisfy((one) => one < 300)]);
    return body as T;
  };
  const add = (who: Who) =>
    ask<Hook>(who, "POST", "/api/webhooks", { url: `https://hooks.example/${paths++}` });
  const rotate = (who: Who, { id }: Hook) => ask(who, "POST", `/api/webhooks/${id}/rotate`);
  const change = (who: Who, { id }: Hook, json: object) =>
    ask(who, "PATCH", `/api/webhooks/${id}`, json);
  const revoke = async (one: CreatedKey) =>
    (await ask<{ disabledWebhooks: Hook[] }>(person, "DELETE", `/api/keys/${one.id}`))
      .disabledWebhooks;
  /** Adds a webhook as one caller, then changes it, or its secret, as another. */
  const changed = async (one: Who, other: Who, json: object) => {
    const hook = await add(one);
    await change(other, hook, { url: hook.url, ...json });
    return hook;
  };
  const turned = async (one: Who, other: Who) => {
    const hook = await add(one);
    await rotate(other, hook);
    return hook;
  };
  const { id: accountId, ...account } = await accountForEmail(app, EMAIL);
  const because = ({ id }: Hook) => readWebhook(app, accountId, id).disabledBecause;
  const mara = personOf({ id: accountId, ...account });
  const service = { app, cookie, accountId, mara, key, program, person };
  return { ...service, add, change, changed, turned, revoke, because };
}

const named = ({ id, url }: Hook) => ({ id, url });

type Started = Awaited<ReturnType<typeof started>>;
const MOVED = { url: "https://elsewhere.example/" };
const OTHER = { events: ["claim.proved"], enabled: true };
const byKey = ({ program, key }: Started) => program(key);

describe("C25.8: a revoked key", () => {
  it.each<[what: string, made: (mine: Started, other: CreatedKey) => Promise<Hook>, ends: boolean]>(
    [
      ["that it added", (mine) => mine.add(byKey(mine)), true],
      ["that it moved", (mine) => mine.changed(mine.person, byKey(mine), MOVED), true],
      ["of which it saw the secret", (mine) => mine.turned(mine.person, byKey(mine)), true],
      ["that it changed otherwise", (mine) => mine.changed(mine.person, byKey(mine), OTHER), false],
      ["that a person took over", (mine) => mine.turned(byKey(mine), mine.person), false],
      ["that another took over", (mine, { key }) => mine.turned(byKey(mine), withKey(key)), false],
      ["of which it knows a half", (mine) => mine.changed(byKey(mine), mine.person, MOVED), true],
    ],
  )("a webhook %s", async (_, made, ends) => {
    const mine = await started();
    const other = await newKeyFor(mine.app, mine.cookie);
    const hook = await made(mine, other);
    const { url } = readWebhook(mine.app, mine.accountId, hook.id);
    expect(await mine.revoke(mine.key)).toEqual(ends ? [{ id: hook.id, url }] : []);
    expect(mine.because(hook)).toBe(ends ? "key_revoked" : null);
  });

  it("disables what both of its secrets set up, and what it set up before it expired", async () => {
    const { app, cookie, program, add, revoke, because } = await started();
    const expiresAt = new Date(app.clock() + 60_000).toISOString();
    const key = await newKeyFor(app, cookie, { ...EVERYTHING, expiresAt });
    const next = await rotateKey(app, cookie, key);
    const both = [await add(program(key)), await add(program(next))];
    app.pass(60_000);
    expect([both.map(because), await revoke(key)]).toEqual([[null, null], both.map(named)]);
  });

  it("names none that were disabled before", async () => {
    const { key, program, add, change, revoke, because } = await started();
    const off = await add(program(key));
    await change(program(key), off, { enabled: false });
    expect([await revoke(key), because(off)]).toEqual([[], "holder"]);
  });

  it("has each of its webhooks named in a mail", async () => {
    const { app, key, program, person, add, revoke } = await started();
    await add(person);
    const [own] = [await add(program(key)), await add(program(key))];
    app.mails.length = 0;
    await revoke(key);
    while (await sendEndMails(app));
    const told = { to: EMAIL, subject: "Deed no longer sends events to hooks.example" };
    expect(app.mails).toMatchObject([told, told]);
    const text = app.mails[0]?.text.replace(/\s+/g, " ");
    expect(text).toContain("was set up with an API key that was revoked");
    expect(text).toContain("Within a day, Deed then sends what it missed");
    expect(text).toContain(`/account/webhooks/${own?.id}`);
  });

  it("sets up nothing more with a call that was under way", async () => {
    const { app, key, program, add, revoke, accountId } = await started();
    const hook = await add(program(key));
    const bearer = keyOf(app, key.key, "192.0.2.1");
    await revoke(key);
    const url = "https://late.example/";
    const refused = { code: "invalid_api_key" };
    const late = addWebhook(app, bearer, { url, events: ["claim.proved"] });
    await expect(late).rejects.toMatchObject(refused);
    const moved = updateWebhook(app, bearer, hook.id, { url, enabled: true });
    await expect(moved).rejects.toMatchObject(refused);
    expect(app.db.select().from(webhooks).where(eq(webhooks.accountId, accountId)).all()).toEqual([
      expect.objectContaining({ id: hook.id, url: hook.url, disabledBecause: "key_revoked" }),
    ]);
  });

  it("disables webhooks of test mode, and a real one none there", async () => {
    const { app, cookie, key, program, add, revoke, accountId } = await started();
    const test = await newKeyFor(app, cookie, { ...EVERYTHING, test: true });
    const [real, tried] = [await add(program(key)), await add(program(test))];
    const world = await app.testWorlds.forKey(accountId, test.id);
    expect(keyToRevoke(app, accountId, test.id, world)).toEqual({ ending: tried.url, unknown: "" });
    expect(await revoke(test)).toEqual([named(tried)]);
    expect(readWebhook(world, accountId, tried.id).disabledBecause).toBe("key_revoked");
    // Its world was erased with it.
    const again = await app.testWorlds.forKey(accountId, test.id);
    expect(() => readWebhook(again, accountId, tried.id)).toThrow();
    expect(await revoke(key)).toEqual([named(real)]);
  });
});

describe("the page that asks first", () => {
  it("names what ends, and what its person set up before webhooks remembered keys", async () => {
    const { app, cookie, key, program, person, add, revoke, accountId, because } = await started();
    const [own, old, half] = [await add(program(key)), await add(person), await add(program(key))];
    await add(person);
    const forget = (keys: object, { id }: Hook) =>
      app.db.update(webhooks).set(keys).where(eq(webhooks.id, id)).run();
    forget({ urlByKey: null, secretByKey: null }, old);
    forget({ secretByKey: null }, half);
    const asked = (one: CreatedKey) => keyToRevoke(app, accountId, one.id, app);
    expect(asked(key)).toEqual({ ending: `${own.url}, ${half.url}`, unknown: old.url });
    const reader = await newKeyFor(app, cookie, { name: "R", scopes: ["domains:read"] });
    expect(asked(reader)).toEqual({ ending: "", unknown: "" });
    expect([await revoke(key), because(old)]).toEqual([[named(own), named(half)], null]);
  });

  it("names no webhook of another person, or of another account", async () => {
    const { app, cookie, mara, accountId, key } = await started();
    await invite(app, mara, "kim@acme.com", "hash");
    const kim = personOf(await joinAccount(app, "hash"));
    await addWebhook(app, kim, { url: "https://kims.example/", events: ["claim.proved"] });
    app.db.update(webhooks).set({ urlByKey: null, secretByKey: null }).run();
    expect(keyToRevoke(app, accountId, key.id, app)).toEqual({ ending: "", unknown: "" });
    const noor = await signedIn(app, "noor@hooli.com");
    const refused = await call(app, "DELETE", `/api/keys/${key.id}`, { cookie: noor });
    expect(refused).toMatchObject(errorAnswer("key_not_found"));
    const { body } = await call(app, "GET", "/api/keys", { cookie });
    expect(body).toMatchObject({ keys: [{ id: key.id }] });
  });
});

describe("a key's webhooks end with it, however it ends", () => {
  it("with a person who rotated the key that another made", async () => {
    const { app, key, program, add, mara, because } = await started();
    await invite(app, mara, "kim@acme.com", "hash");
    const kim = personOf(await joinAccount(app, "hash"));
    const hook = await add(program(key));
    await rotateKey(app, await signedIn(app, "kim@acme.com"), key);
    expect(made(app.db, kim.personId, app.clock()).webhooks).toEqual([named(hook)]);
    expect((await removePerson(app, mara, kim.personId)).webhooks).toEqual([named(hook)]);
    expect(because(hook)).toBe("person_left");
  });

  it("with a disabled account, also once that is enabled again", async () => {
    const { app, key, program, person, add, accountId, because } = await started();
    const [own, other] = [await add(program(key)), await add(person)];
    await disableAccount(app, accountId);
    await enableAccount(app, accountId);
    expect([own, other].map(because)).toEqual(["key_revoked", null]);
  });
});

it("whoever enables such a webhook answers for it: a key, until it is revoked too", async () => {
  const { app, cookie, key, program, add, change, revoke, because } = await started();
  const other = await newKeyFor(app, cookie);
  const hook = await add(program(key));
  await revoke(key);
  await change(program(other), hook, { enabled: true });
  expect([because(hook), await revoke(other)]).toEqual([null, [named(hook)]]);
});
