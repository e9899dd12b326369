import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { call, signedIn } from "#app/api/testing.ts";
import type { Actor } from "#app/core/accounts/accounts.server.ts";
import { accountForEmail, joinAccount, personOf } from "#app/core/testing/accounts.ts";
import { iso, MINUTE } from "#app/core/time.ts";
import { disableAccount, enableAccount } from "#app/features/admin/accounts.server.ts";
import { invite } from "#app/features/people/invitations.server.ts";
import { creationsOf as made, removePerson } from "#app/features/people/people.server.ts";
import { testApp } from "#app/features/sign-in/testing.ts";
import { sendEndMails } from "#app/features/webhooks/deliver.server.ts";
import {
  addWebhook,
  readWebhook,
  rotateSecret,
  updateWebhook,
} from "#app/features/webhooks/webhooks.server.ts";
import { keyOf } from "#app/http/caller/api-key.server.ts";
import { webhooks } from "#db/schema.ts";
import { keyToRevoke, revokeKey } from "./keys.server.ts";
import { type CreatedKey, EVERYTHING, newKeyFor, rotateKey, withKey } from "./testing.ts";

const EMAIL = "mara@acme.com";
type Hook = { id: string; url: string };
let paths = 0;

/** An account with a key, and what its people and programs do with webhooks. */
async function started() {
  const app = testApp();
  const cookie = await signedIn(app, EMAIL);
  const mara = personOf(await accountForEmail(app, EMAIL));
  const { accountId } = mara;
  const callerOf = ({ key }: CreatedKey) => keyOf(app, key, "192.0.2.1");
  const key = await newKeyFor(app, cookie);
  return {
    ...{ app, cookie, mara, accountId, callerOf, key, program: callerOf(key) },
    add: (by: Actor) => addWebhook(app, by, { url: `https://hooks.example/${paths++}` }),
    change: (by: Actor, { id }: Hook, json: object) => updateWebhook(app, by, id, json),
    turn: (by: Actor, { id }: Hook) => rotateSecret(app, by, id),
    revoke: ({ id }: CreatedKey) => revokeKey(app, mara, id),
    because: ({ id }: Hook) => readWebhook(app, accountId, id).disabledBecause,
    async joinedBy(email: string) {
      await invite(app, mara, email, "hash");
      return personOf(await joinAccount(app, "hash"));
    },
  };
}

const named = ({ id, url }: Hook) => ({ id, url });

type Started = Awaited<ReturnType<typeof started>>;
type Then = (mine: Started, hook: Hook, another: Actor) => Promise<unknown>;
const MOVED = { url: "https://elsewhere.example/" };
const OTHER = { events: ["claim.proved"], enabled: true };

describe("C25.8: a revoked key", () => {
  it.each<[what: string, by: "mara" | "program", then: Then | null, ends: boolean]>([
    ["that it added", "program", null, true],
    ["that it moved", "mara", (mine, hook) => mine.change(mine.program, hook, MOVED), true],
    ["of which it saw the secret", "mara", (mine, hook) => mine.turn(mine.program, hook), true],
    [
      "that it changed otherwise",
      "mara",
      (mine, hook) => mine.change(mine.program, hook, { url: hook.url, ...OTHER }),
      false,
    ],
    ["that a person took over", "program", (mine, hook) => mine.turn(mine.mara, hook), false],
    ["that another took over", "program", (mine, hook, other) => mine.turn(other, hook), false],
    [
      "of which it knows a half",
      "program",
      (mine, hook) => mine.change(mine.mara, hook, MOVED),
      true,
    ],
  ])("a webhook %s", async (_, by, then, ends) => {
    const mine = await started();
    const hook = await mine.add(mine[by]);
    await then?.(mine, hook, mine.callerOf(await newKeyFor(mine.app, mine.cookie)));
    const { url } = readWebhook(mine.app, mine.accountId, hook.id);
    expect(await mine.revoke(mine.key)).toEqual(ends ? [{ id: hook.id, url }] : []);
    expect(mine.because(hook)).toBe(ends ? "key_revoked" : null);
  });

  it("disables what both of its secrets set up, and what it set up before it expired", async () => {
    const { app, cookie, callerOf, add, revoke, because } = await started();
    const expiresAt = iso(app.clock() + MINUTE);
    const key = await newKeyFor(app, cookie, { ...EVERYTHING, expiresAt });
    const next = await rotateKey(app, cookie, key);
    const both = [await add(callerOf(key)), await add(callerOf(next))];
    app.pass(MINUTE);
    expect([both.map(because), await revoke(key)]).toEqual([[null, null], both.map(named)]);
  });

  it("names none that were disabled before", async () => {
    const { key, program, add, change, revoke, because } = await started();
    const off = await add(program);
    await change(program, off, { enabled: false });
    expect([await revoke(key), because(off)]).toEqual([[], "holder"]);
  });

  it("has each of its webhooks named in a mail", async () => {
    const { app, mara, key, program, add, revoke } = await started();
    await add(mara);
    const [own] = [await add(program), await add(program)];
    app.mails.length = 0;
    await revoke(key);
    while (await sendEndMails(app));
    const told = { to: EMAIL, subject: "Deed no longer sends events to hooks.example" };
    expect(app.mails).toMatchObject([told, told]);
    const text = app.mails[0]?.text.replace(/\s+/g, " ");
    expect(text).toContain("was set up with an API key that was revoked");
    expect(text).toContain("If you do so within a day, Deed sends what it missed");
    expect(text).toContain(`/account/webhooks/${own?.id}`);
  });

  it("sets up nothing more with a call that was under way", async () => {
    const { app, key, program, add, change, revoke } = await started();
    const hook = await add(program);
    await revoke(key);
    for (const late of [add(program), change(program, hook, { ...MOVED, enabled: true })])
      await expect(late).rejects.toMatchObject({ code: "invalid_api_key" });
    const left = { ...named(hook), disabledBecause: "key_revoked" };
    expect(app.db.select().from(webhooks).all()).toMatchObject([left]);
  });

  it("disables webhooks of test mode, and a real one none there", async () => {
    const { app, cookie, key, program, add, revoke, accountId } = await started();
    const test = await newKeyFor(app, cookie, { ...EVERYTHING, test: true });
    const asked = withKey(test.key, { json: MOVED });
    const tried = (await call(app, "POST", "/api/webhooks", asked)).body as Hook;
    const real = await add(program);
    const world = await app.testWorlds.forKey(accountId, test.id);
    expect(keyToRevoke(app, accountId, test.id, world)).toEqual({
      ending: [tried.url],
      unknown: [],
    });
    const { body } = await call(app, "DELETE", `/api/keys/${test.id}`, { cookie });
    expect(body).toEqual({ disabledWebhooks: [named(tried)] });
    expect(readWebhook(world, accountId, tried.id).disabledBecause).toBe("key_revoked");
    // Its world was erased with it.
    const again = await app.testWorlds.forKey(accountId, test.id);
    expect(() => readWebhook(again, accountId, tried.id)).toThrow();
    expect(await revoke(key)).toEqual([named(real)]);
  });
});

describe("the page that asks first", () => {
  it("names what ends, and what its person set up before webhooks remembered keys", async () => {
    const { app, cookie, mara, key, program, add, revoke, accountId, because } = await started();
    const [own, old, half] = [await add(program), await add(mara), await add(program)];
    await add(mara);
    const forget = (keys: object, { id }: Hook) =>
      app.db.update(webhooks).set(keys).where(eq(webhooks.id, id)).run();
    forget({ urlByKey: null, secretByKey: null }, old);
    forget({ secretByKey: null }, half);
    const asked = (one: CreatedKey) => keyToRevoke(app, accountId, one.id, app);
    expect(asked(key)).toEqual({ ending: [own.url, half.url], unknown: [old.url] });
    const reader = await newKeyFor(app, cookie, { name: "R", scopes: ["domains:read"] });
    expect(asked(reader)).toEqual({ ending: [], unknown: [] });
    expect([await revoke(key), because(old)]).toEqual([[named(own), named(half)], null]);
  });

  it("names no webhook of another person", async () => {
    const { app, joinedBy, add, accountId, key } = await started();
    await add(await joinedBy("kim@acme.com"));
    app.db.update(webhooks).set({ urlByKey: null, secretByKey: null }).run();
    expect(keyToRevoke(app, accountId, key.id, app)).toEqual({ ending: [], unknown: [] });
  });
});

describe("a key's webhooks end with it, however it ends", () => {
  it("with a person who rotated the key that another made", async () => {
    const { app, joinedBy, key, program, add, mara, because } = await started();
    const kim = await joinedBy("kim@acme.com");
    const hook = await add(program);
    await rotateKey(app, await signedIn(app, "kim@acme.com"), key);
    expect(made(app.db, kim.personId, app.clock()).webhooks).toEqual([named(hook)]);
    expect((await removePerson(app, mara, kim.personId)).webhooks).toEqual([named(hook)]);
    expect(because(hook)).toBe("person_left");
  });

  it("with a disabled account, also once that is enabled again", async () => {
    const { app, program, mara, add, accountId, because } = await started();
    const [own, other] = [await add(program), await add(mara)];
    await disableAccount(app, accountId);
    await enableAccount(app, accountId);
    expect([own, other].map(because)).toEqual(["key_revoked", null]);
  });
});

it("whoever enables such a webhook answers for it: a key, until it is revoked too", async () => {
  const { app, cookie, key, program, callerOf, add, change, revoke, because } = await started();
  const other = await newKeyFor(app, cookie);
  const hook = await add(program);
  await revoke(key);
  await change(callerOf(other), hook, { enabled: true });
  expect([because(hook), await revoke(other)]).toEqual([null, [named(hook)]]);
});
