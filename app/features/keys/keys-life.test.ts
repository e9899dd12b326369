import { crc32 } from "node:zlib";
import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { callEndpoint, dispatch } from "#app/api/dispatch.server.ts";
import { type CallFields, call, errorAnswer, signedIn } from "#app/api/testing.ts";
import { accountLog, deleteAccount } from "#app/core/accounts/accounts.server.ts";
import { accountForEmail, joinAccount, personOf } from "#app/core/testing/accounts.ts";
import { HOUR, iso } from "#app/core/time.ts";
import { disableAccount, enableAccount } from "#app/features/admin/accounts.server.ts";
import { domainEndpoints } from "#app/features/domains/api.server.ts";
import { invite } from "#app/features/people/invitations.server.ts";
import { removePerson } from "#app/features/people/people.server.ts";
import { requestTo, type TestApp, testApp } from "#app/features/sign-in/testing.ts";
import { activeCredentials, credentialOf, keyOf } from "#app/http/caller/api-key.server.ts";
import { apiKeys } from "#db/schema.ts";
import { endingKeys, lastRevokedKey } from "./keys.server.ts";
import {
  type CreatedKey,
  EVERYTHING,
  newKeyFor,
  postKey,
  rotateKey,
  SCOPES,
  withKey,
} from "./testing.ts";

type Json = Record<string, unknown>;

const statusOf = async (app: TestApp, key: string) =>
  (await call(app, "GET", "/api/domains", withKey(key))).status;
const listed = async (app: TestApp, cookie: string) =>
  ((await call(app, "GET", "/api/keys", { cookie })).body as { keys: Json[] }).keys;
async function started(env?: Record<string, string>) {
  const app = testApp(env);
  return { app, cookie: await signedIn(app) };
}
async function keyed(json?: Json, env?: Record<string, string>) {
  const { app, cookie } = await started(env);
  return { app, cookie, ...(await newKeyFor(app, cookie, json)) };
}
/** A use is written after the answer. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("a new key", () => {
  it("C25.2, C25.5, C25.6: is shown once, in a form that scanners find", async () => {
    const { app, cookie } = await started();
    const answer = await postKey(app, cookie, { ...EVERYTHING, name: " خانه‌ها ❤️ " });
    const { key, ...resource } = answer.body as CreatedKey;
    expect(answer.status).toBe(201);
    expect(resource).toEqual({
      id: expect.stringMatching(/^key_[0-9a-hjkmnp-tv-z]{25}$/),
      ...{ name: "خانه‌ها ❤️", scopes: SCOPES, addresses: [], createdBy: "mara@acme.com" },
      ...{ createdAt: iso(app.clock()), rotatedAt: null, previousUntil: null },
      ...{ expiresAt: null, lastUsedAt: null, lastUsedFrom: null },
    });
    expect(key).toMatch(/^deed_key_[0-9a-hjkmnp-tv-z]{25}_[0-9a-hjkmnp-tv-z]{39}$/);
    expect(key.startsWith(`deed_${resource.id}_`)).toBe(true);
    const digits = "0123456789abcdefghjkmnpqrstvwxyz";
    const check = [...key.slice(-7)].reduce((sum, one) => sum * 32 + digits.indexOf(one), 0);
    expect(check).toBe(crc32(key.slice(0, -7)));
    expect(await listed(app, cookie)).toEqual([resource]);
  });

  it("C25.15: is stored as a keyed hash, and named in no log", async () => {
    const { app, cookie, id, key } = await keyed();
    const next = await rotateKey(app, cookie, { id });
    await call(app, "GET", `/api/domains/${key}?key=${key}`, withKey(key));
    await statusOf(app, `${key}0`);
    const stored = app.db.$client.serialize().toString("latin1");
    for (const text of [key, next.key].map((one) => one.slice(-39, -7)))
      expect(stored + app.logged.join("")).not.toContain(text);
    expect(app.logged.join("")).toContain(id);
  });

  it("C2.12, C25.16: is refused with a mistake in its fields", async () => {
    const { app, cookie } = await started();
    const mistakes: Json[] = [
      ...[{ name: undefined }, { scopes: undefined }],
      ...["", "  ", "a".repeat(81), "a\u202eb", "a\nb", "a\u3164"].map((name) => ({ name })),
      ...[[], ["all"], ["domains:read", "domains:read"]].map((scopes) => ({ scopes })),
      ...["tomorrow", "2026-03-12T14:03:22.000Z", "9999-12-31T23:59:59-14:00"].map((expiresAt) => ({
        expiresAt,
      })),
      ...`acme.com 203.0.113.7/33 1.2.3 ::ffff:203.0.113.7 ::ffff:0:0/96 203.0.113.007 203.0.113.7/
      203.0.113.7/024 203.0.113.7/24/24 fe80::1%eth0 2001:db8::/129`
        .split(/\s+/)
        .map((address) => ({ addresses: [address] })),
      { addresses: Array.from({ length: 21 }, (_, at) => `203.0.113.${at}`) },
    ];
    for (const json of mistakes) {
      const answer = await postKey(app, cookie, { ...EVERYTHING, ...json });
      expect([json, answer]).toMatchObject([json, errorAnswer("invalid_request")]);
    }
    expect(await listed(app, cookie)).toEqual([]);
  });

  it("C25.13: is the twentieth at most", async () => {
    const { app, cookie } = await started();
    for (let each = 0; each < 20; each += 1) await postKey(app, cookie);
    expect(await postKey(app, cookie)).toMatchObject(errorAnswer("too_many_keys"));
    const [{ id } = {}] = await listed(app, cookie);
    expect((await call(app, "DELETE", `/api/keys/${id}`, { cookie })).status).toBe(200);
    expect((await postKey(app, cookie)).status).toBe(201);
  });
});

it("C25.17: an account creates forty keys an hour at most, whatever it revokes", async () => {
  const { app, cookie } = await started();
  for (let each = 0; each < 40; each += 1) {
    const { id } = await newKeyFor(app, cookie);
    await call(app, "DELETE", `/api/keys/${id}`, { cookie });
    app.pass(1_000);
  }
  const refused = await postKey(app, cookie);
  expect(refused).toMatchObject(
    errorAnswer("rate_limited", expect.stringContaining("the maximum")),
  );
  expect(refused.headers.get("Retry-After")).toBe("3560");
  expect((await postKey(app, await signedIn(app, "noor@hooli.com"))).status).toBe(201);
  app.pass(3_560_000);
  expect((await postKey(app, cookie)).status).toBe(201);
});

describe("a call by key", () => {
  it("C25.12: reads no cookie, and needs no Origin", async () => {
    const app = testApp();
    const [mara, noor] = [await signedIn(app), await signedIn(app, "noor@hooli.com")];
    const { key } = await newKeyFor(app, noor, { name: "CI", scopes: ["domains:write"] });
    const headers = { Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" };
    const asked = withKey(key, { cookie: mara, headers, json: { domain: "acme.com" } });
    expect((await call(app, "POST", "/api/domains", asked)).status).toBe(201);
    const domains = (asked: CallFields) => call(app, "GET", "/api/domains", asked);
    expect((await domains({ cookie: mara })).body).toMatchObject({ domains: [] });
    const own = { domains: [{ name: "acme.com" }] };
    expect((await domains({ cookie: noor })).body).toMatchObject(own);
    expect(await domains(withKey(key, { cookie: noor }))).toMatchObject(
      errorAnswer("insufficient_scope", "This API key needs the scope domains:read for this."),
    );
    const strange = await domains(withKey("x", { cookie: noor }));
    expect(strange).toMatchObject(errorAnswer("invalid_api_key"));
    const withoutKey = { cookie: mara, headers, json: { domain: "acme.com" } };
    const crossed = await call(app, "POST", "/api/domains", withoutKey);
    expect(crossed).toMatchObject(errorAnswer("cross_origin"));
    const basic = { cookie: noor, headers: { Authorization: "Basic bWFyYTp4" } };
    expect((await domains(basic)).status).toBe(200);
    for (const scheme of ["bearer", "BEARER ", "bEaReR\t"])
      expect((await domains({ headers: { Authorization: `${scheme} ${key}` } })).status).toBe(403);
    const forms = [`Basic ${btoa(`${key}:`)}`, key, `Bearer${key}`];
    const others: Record<string, string>[] = [{ Cookie: `session=${key}` }, { "X-Api-Key": key }];
    for (const headers of [...forms.map((Authorization) => ({ Authorization })), ...others])
      expect(await domains({ headers })).toMatchObject(errorAnswer("unauthenticated"));
  });

  it("is no way into a form of a page", async () => {
    const { app, key } = await keyed();
    const headers = { Authorization: `Bearer ${key}` };
    const request = requestTo(app, "/domains", { headers });
    const body = { domain: "acme.com" };
    const sent = callEndpoint(domainEndpoints.createDomain, request, { body });
    await expect(sent).rejects.toMatchObject({ code: "unauthenticated" });
  });

  it("C25.10: is refused with the challenge of RFC 6750", async () => {
    const { app, key } = await keyed({ name: "CI", scopes: ["zones:read"] });
    const challenge = async (path: string, asked?: CallFields) =>
      (await call(app, "GET", path, asked)).headers.get("WWW-Authenticate");
    const realm = 'Bearer realm="Deed"';
    const scope = `${realm}, error="insufficient_scope"`;
    expect(await challenge("/api/domains")).toBe(realm);
    const mistyped = await challenge("/api/domains", withKey(`${key}0`));
    expect(mistyped).toBe(`${realm}, error="invalid_token"`);
    const refused = await challenge("/api/domains", withKey(key));
    expect(refused).toBe(`${scope}, scope="domains:read"`);
    expect(await challenge("/api/keys", withKey(key))).toBe(scope);
    expect(await challenge("/api/keys")).toBeNull();
  });

  it("C25.11: draws on the key's budget only, and says what is left", async () => {
    const tight = { RATE_LIMIT_API: "2/60", RATE_LIMIT_ZONES: "1/60" };
    const budgets = { ...tight, RATE_LIMIT_KEY: "3/60,5/3600" };
    const { app, cookie, key } = await keyed(undefined, budgets);
    const fields = async (path: string) => {
      const { status, headers } = await call(app, "GET", path, withKey(key));
      const left = headers.get("RateLimit")?.replace(/t=\d+/g, "t=…");
      return [status, left, headers.get("Retry-After")];
    };
    const first = [200, '"key-60";r=2;t=…, "key-3600";r=4;t=…', null];
    expect(await fields("/api/domains")).toEqual(first);
    expect((await fields("/api/zones/acme.com"))[1]).toContain('"key-60";r=1;');
    expect(await fields("/api/keys")).toEqual([403, '"key-60";r=0;t=…, "key-3600";r=2;t=…', null]);
    const [status, left, wait] = await fields("/api/domains/dom_1");
    expect([status, left]).toEqual([429, '"key-60";r=0;t=…, "key-3600";r=2;t=…']);
    expect(Number(wait)).toBeGreaterThan(50);
    const { headers } = await call(app, "GET", "/api/domains", withKey(key));
    expect(headers.get("RateLimit-Policy")).toBe('"key-60";q=3;w=60, "key-3600";q=5;w=3600');
    expect((await call(app, "GET", "/api/keys", { cookie })).status).toBe(200);
    expect((await call(app, "GET", "/api/zones/acme.com")).status).not.toBe(429);
    const other = await keyed();
    const answer = await call(other.app, "GET", "/api/domains", withKey(other.key));
    expect(answer.headers.get("RateLimit-Policy")).toBe('"key";q=600;w=60');
    expect(answer.headers.get("RateLimit")).toMatch(/^"key";r=599;t=(59|60)$/);
  });

  it("C25.14: is noted to the hour, and to the minute from another address", async () => {
    const { app, cookie, key } = await keyed();
    const use = async (address: string, later: number) => {
      app.pass(later);
      keyOf(app, key, address);
      await turn();
      const [{ lastUsedAt, lastUsedFrom } = {}] = await listed(app, cookie);
      return [lastUsedAt, lastUsedFrom];
    };
    const start = app.clock();
    expect(await use("203.0.113.7", 0)).toEqual([iso(start), "203.0.113.7"]);
    expect(await use("203.0.113.7", HOUR - 1)).toEqual([iso(start), "203.0.113.7"]);
    expect(await use("203.0.113.7", 1)).toEqual([iso(start + HOUR), "203.0.113.7"]);
    expect(await use("2001:db8::1", 59_999)).toEqual([iso(start + HOUR), "203.0.113.7"]);
    expect(await use("2001:db8::1", 1)).toEqual([iso(start + HOUR + 60_000), "2001:db8::1"]);
  });

  it("C25.16: comes from an address on the key's list, if it has one", async () => {
    const addresses = ["203.0.113.77/24", "2001:DB8::/32", "198.51.100.7", "198.51.100.7/32"];
    const { app, cookie, key } = await keyed({ ...EVERYTHING, addresses });
    const [only] = await listed(app, cookie);
    expect(only?.addresses).toEqual(["203.0.113.0/24", "2001:db8::/32", "198.51.100.7"]);
    for (const address of ["203.0.113.1", "2001:db8:1::1", "198.51.100.7"])
      expect(keyOf(app, key, address)).toMatchObject({ scopes: SCOPES });
    const strangers = ["203.0.114.1", "2001:db9::1", "198.51.100.8", "::", "::203.0.113.1"];
    for (const address of [...strangers, "::ffff:203.0.113.1", "64:ff9b::203.0.113.1", "?", ""])
      expect(() => keyOf(app, key, address)).toThrow("may not be used from the address");
  });

  it("keeps working while SESSION_SECRET is rotated, if it is used meanwhile", async () => {
    const { app, key } = await keyed(undefined, { SESSION_SECRET: "a".repeat(32) });
    const secrets = (...of: string[]) =>
      Object.defineProperty(app, "secrets", { value: of.map((one) => one.repeat(32)) });
    secrets("b", "a");
    expect(keyOf(app, key, "203.0.113.7")).toBeTruthy();
    await turn();
    secrets("b");
    expect(keyOf(app, key, "203.0.113.7")).toBeTruthy();
    secrets("c");
    expect(() => keyOf(app, key, "203.0.113.7")).toThrow(/not valid/);
  });
});

describe("the end of a key", () => {
  const credential = (app: TestApp, key: string) => credentialOf(keyOf(app, key, "203.0.113.7"));

  it("C25.7, C25.8: ends its event streams, and an old secret's once that is over", async () => {
    const { app, cookie, id, key } = await keyed();
    /** Opens a stream; the result tells whether it is still open. */
    const stream = async (it: string) => {
      const asked = requestTo(app, "/api/events", { headers: { Authorization: `Bearer ${it}` } });
      const reader = (await dispatch(asked)).body?.getReader();
      let isOpen = reader !== undefined;
      void (async () => {
        while (isOpen) isOpen = !(await reader?.read())?.done;
      })();
      return () => turn().then(() => isOpen);
    };
    const old = await stream(key);
    expect(await old()).toBe(true);
    const before = credential(app, key);
    const next = await rotateKey(app, cookie, { id });
    expect(next).toMatchObject({ id, previousUntil: iso(app.clock() + 24 * HOUR) });
    expect(await old()).toBe(true);
    const after = credential(app, next.key);
    const active = activeCredentials(app, [before, after, "ses_x"]);
    expect([...active].sort()).toEqual([before, after].sort());
    app.pass(24 * HOUR);
    expect([...activeCredentials(app, [before, after])]).toEqual([after]);
    const newest = await stream(next.key);
    expect(await newest()).toBe(true);
    await call(app, "DELETE", `/api/keys/${id}`, { cookie });
    expect([await newest(), await statusOf(app, next.key)]).toEqual([false, 401]);
  });

  it("C25.9: comes with the account's: disabled or erased", async () => {
    const { app, key } = await keyed();
    const { id } = await accountForEmail(app, "mara@acme.com");
    for (const act of [disableAccount, enableAccount]) {
      await act(app, id);
      expect(await statusOf(app, key)).toBe(401);
    }
    const second = await newKeyFor(app, await signedIn(app));
    expect(await statusOf(app, second.key)).toBe(200);
    await deleteAccount(app, id);
    expect(await statusOf(app, second.key)).toBe(401);
    expect(app.db.select().from(apiKeys).all()).toEqual([]);
  });

  it("C25.6, C25.9: comes with the person who created it or rotated it last", async () => {
    const { app, cookie } = await started();
    const mara = personOf(await accountForEmail(app, "mara@acme.com"));
    await invite(app, mara, "kim@acme.com", "hash");
    const kim = personOf(await joinAccount(app, "hash"));
    const kims = await signedIn(app, "kim@acme.com");
    const own = await newKeyFor(app, kims, { ...EVERYTHING, name: "Kim's" });
    app.pass(1);
    const handed = await newKeyFor(app, kims, { ...EVERYTHING, name: "Handed over" });
    const taken = await rotateKey(app, cookie, handed);
    expect(await listed(app, kims)).toMatchObject([
      { name: "Handed over", createdBy: "mara@acme.com" },
      { name: "Kim's", createdBy: "kim@acme.com" },
    ]);
    expect(await statusOf(app, handed.key)).toBe(200);
    // C26.18: each secret acts for the person who saw it.
    const actsFor = ({ key }: CreatedKey) => keyOf(app, key, "203.0.113.7").personId;
    const persons = [kim, kim, mara].map(({ personId }) => personId);
    expect([own, handed, taken].map(actsFor)).toEqual(persons);
    await removePerson(app, mara, kim.personId);
    const statuses = [own, handed, taken].map(({ key }) => statusOf(app, key));
    expect(await Promise.all(statuses)).toEqual([401, 401, 200]);
  });

  it("is pointed out for the 14 days before it", async () => {
    const { app, cookie } = await started();
    const { id: accountId } = await accountForEmail(app, "mara@acme.com");
    const ends = { later: 15, second: 14, first: 13 };
    await postKey(app, cookie, { ...EVERYTHING, name: "never" });
    const dateIn = (days: number) => iso(app.clock() + days * 24 * HOUR);
    for (const [name, days] of Object.entries(ends))
      await postKey(app, cookie, { ...EVERYTHING, name, expiresAt: dateIn(days) });
    const ending = () => endingKeys(app, accountId).map(({ name }) => name);
    expect(ending()).toEqual(["first", "second"]);
    app.pass(14 * 24 * HOUR);
    expect(ending()).toEqual(["later"]);
  });

  it("cannot be put off: an expired key is not rotated", async () => {
    const { app, cookie } = await started();
    const expiresAt = iso(app.clock() + HOUR);
    const { id, key } = await newKeyFor(app, cookie, { ...EVERYTHING, expiresAt });
    const next = await rotateKey(app, cookie, { id });
    expect(next).toMatchObject({ expiresAt, previousUntil: expiresAt });
    app.pass(HOUR);
    const expired = errorAnswer("invalid_api_key", `This API key expired on ${expiresAt}.`);
    expect(await call(app, "GET", "/api/domains", withKey(next.key))).toMatchObject(expired);
    expect(await statusOf(app, key)).toBe(401);
    const rotated = await call(app, "POST", `/api/keys/${id}/rotate`, { cookie });
    expect(rotated).toMatchObject(errorAnswer("key_not_found"));
    expect((await listed(app, cookie)).length).toBe(1);
  });

  it("is told in the account's log, as are its start and each rotation", async () => {
    const { app, cookie, id } = await keyed();
    await rotateKey(app, cookie, { id });
    await call(app, "DELETE", `/api/keys/${id}`, { cookie });
    const account = await accountForEmail(app, "mara@acme.com");
    const told = { email: "mara@acme.com", subject: "CI" };
    expect(accountLog(app, account.id, 3).events).toMatchObject(
      ["key_revoked", "key_rotated", "key_created"].map((kind) => ({ kind, ...told })),
    );
    expect(lastRevokedKey(app, account.id)).toBe("CI");
    expect(app.db.select().from(apiKeys).where(eq(apiKeys.id, id)).all()).toEqual([]);
  });
});
