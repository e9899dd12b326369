import { existsSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { call, errorAnswer } from "#app/api/testing.ts";
import { deleteAccount } from "#app/core/accounts/accounts.server.ts";
import { isTestKey } from "#app/core/ids.server.ts";
import { accountForEmail } from "#app/core/testing/accounts.ts";
import { iso } from "#app/core/time.ts";
import { EVERYTHING, newKeyFor, rotateKey, withKey } from "#app/features/keys/testing.ts";
import { testApp } from "#app/features/sign-in/testing.ts";
import { removeDatabase } from "#db/client.ts";
import { claims, handoffs } from "#db/schema.ts";
import { testFile, worldOf } from "#db/test-file.ts";
import { testDatabase } from "#db/testing.ts";
import { DAY, startedWorld } from "./testing.ts";

it("C32.1: a test key has a form of its own, also once it is rotated", async () => {
  const { app, cookie, key } = await startedWorld();
  expect(key.key).toMatch(/^deed_test_[0-9a-hjkmnp-tv-z]{25}_[0-9a-hjkmnp-tv-z]{39}$/);
  expect(isTestKey(key.id)).toBe(true);
  expect((await rotateKey(app, cookie, key)).key).toMatch(/^deed_test_/);
});

describe("a test world", () => {
  it("C32.1: sends nothing more on an event stream whose key has ended, and ends it", async () => {
    const { app, cookie, key, accountId, prove } = await startedWorld();
    const world = await app.testWorlds.forKey(accountId, key.id);
    const query = app.db.$client.prepare<[string], { hash: string }>(
      "select secret_hash as hash from api_keys where id = ?",
    );
    const sent: string[] = [];
    let isOpen = true;
    const close = () => {
      isOpen = false;
      stream.onEnd();
    };
    const sink = { send: (text: string | Uint8Array) => void sent.push(String(text)), close };
    const credential = `${key.id} ${query.get(key.id)?.hash}`;
    const stream = world.streams.subscribe(accountId, { sink, credential, lastEventId: null });
    await prove("proved.test");
    await expect.poll(() => sent.length).toBeGreaterThan(1);
    expect(isOpen).toBe(true);
    await call(app, "DELETE", `/api/keys/${key.id}`, { cookie });
    const before = sent.length;
    stream.onBeat();
    expect(isOpen).toBe(false);
    expect(sent.length).toBe(before);
  });

  it("C4.5: lists the newest first, although its clock stands still", async () => {
    const { ok } = await startedWorld();
    const ids: unknown[] = [];
    for (const reference of ["a", "b", "c", "d", "e"])
      ids.unshift((await ok("POST", "/api/domains", { domain: "proved.test", reference })).id);
    const { domains } = await ok<{ domains: { id: string }[] }>("GET", "/api/domains");
    expect(domains.map(({ id }) => id)).toEqual(ids);
  });

  it("C32.8: is erased with its file, also while it is open", async () => {
    const { app, accountId, key, prove, test } = await startedWorld();
    await prove("proved.test", { handoff: {} });
    const world = await app.testWorlds.forKey(accountId, key.id);
    const path = testFile(app.env.DATABASE_PATH, worldOf(key.id));
    expect(existsSync(path)).toBe(true);
    const page = `/api/handoffs/${world.db.select().from(handoffs).get()?.slug}`;
    expect(await call(app, "GET", page)).toMatchObject({ status: 200 });
    removeDatabase(path);
    expect(existsSync(path)).toBe(false);
    expect(await call(app, "GET", page)).toMatchObject(errorAnswer("handoff_not_found"));
    expect((await test("GET", "/api/domains")).body).toMatchObject({ domains: [] });
    await deleteAccount(app, accountId);
    const nobodys = app.testWorlds.forKey("acc_0123456789abcdefghjkmnpqr", "test_1");
    await expect(nobodys).rejects.toMatchObject({ code: "invalid_api_key" });
  });

  it("is as it was after the service started again", async () => {
    const { app, accountId, key, prove, move } = await startedWorld();
    const { claim } = await prove("proved.test");
    const moved = await move(60);
    const again = { ...app, testWorlds: app.testWorlds };
    const { createTestWorlds } = await import("#app/test-worlds.server.ts");
    const world = await createTestWorlds(() => again).forKey(accountId, key.id);
    expect(iso(world.clock())).toBe(moved.now);
    const stored = world.db.select().from(claims).get();
    expect(stored).toMatchObject({ id: claim.id, state: "proved" });
  });

  it("C32.1: is one key's alone, and is emptied when asked", async () => {
    const { app, cookie, prove, move, ok, test } = await startedWorld();
    const other = await newKeyFor(app, cookie, { ...EVERYTHING, test: true });
    const ask = (path: string) => call(app, "GET", path, withKey(other.key));
    await prove("proved.test", { handoff: { returnUrl: "http://localhost:3000/back" } });
    await move(DAY);
    expect((await ask("/api/domains")).body).toMatchObject({ domains: [] });
    const asked = withKey(other.key, { json: { seconds: 0 } });
    const clock = await call(app, "POST", "/api/test/clock", asked);
    expect(clock.body).toMatchObject({ now: iso(app.clock()) });
    expect((await test("POST", "/api/test/reset")).status).toBe(204);
    expect(await ok("GET", "/api/domains")).toMatchObject({ domains: [] });
    expect((await move(0)).now).toBe(iso(app.clock()));
  });

  it("C32.1: ends the old key of a rotation by its clock", async () => {
    const { app, cookie, key, move } = await startedWorld();
    const next = await rotateKey(app, cookie, key);
    const status = async (text: string) =>
      (await call(app, "GET", "/api/domains", withKey(text))).status;
    app.pass(2 * DAY * 1_000);
    await move(DAY - 1);
    expect([await status(key.key), await status(next.key)]).toEqual([200, 200]);
    await move(1).catch(() => {});
    expect([await status(key.key), await status(next.key)]).toEqual([401, 200]);
  });

  it("C32.8: begins anew once it has grown past 8 MiB", async () => {
    const { app, key, prove, test } = await startedWorld();
    await prove("proved.test");
    const path = testFile(app.env.DATABASE_PATH, worldOf(key.id));
    const names = async () =>
      ((await test("GET", "/api/domains")).body as { domains: { name: string }[] }).domains;
    truncateSync(path, 8_388_608);
    expect(await names()).toMatchObject([{ name: "proved.test" }]);
    truncateSync(path, 8_388_609);
    expect(await names()).toEqual([]);
    expect(statSync(path).size).toBeLessThan(1_000_000);
  });

  it("is closed once a hundred others were used after it", async () => {
    const app = testApp();
    const ids: string[] = [];
    for (let i = 0; i < 101; i += 1)
      ids.push((await accountForEmail(app, `holder${i}@example.net`)).id);
    const empty = testDatabase().$client.serialize();
    for (const id of ids) writeFileSync(testFile(app.env.DATABASE_PATH, worldOf(id)), empty);
    const worldOfNth = (i: number) => app.testWorlds.forKey(ids[i] ?? "", ids[i] ?? "");
    const worlds = [];
    for (let i = 0; i < 100; i += 1) worlds.push(await worldOfNth(i));
    expect(await worldOfNth(0)).toBe(worlds[0]);
    await worldOfNth(100);
    expect(await worldOfNth(0)).toBe(worlds[0]);
    expect(await worldOfNth(1)).not.toBe(worlds[1]);
  });

  it("C32.3: ends a move of its clock after ten seconds, and goes on from there", async () => {
    const { prove, ok } = await startedWorld();
    await prove("expired.test");
    const move = (seconds: number) => ok<{ now: string }>("POST", "/api/test/clock", { seconds });
    const { now: began } = await move(0);
    const timeouts = vi.spyOn(AbortSignal, "timeout");
    const ended = new AbortController();
    timeouts.mockReturnValueOnce(ended.signal);
    const moving = move(8 * DAY);
    await expect.poll(() => timeouts.mock.calls).toEqual([[10_000]]);
    ended.abort();
    const { now } = await moving;
    expect(Date.parse(now) - Date.parse(began)).toBeLessThan(8 * DAY * 1_000);
    const rest = await move(60);
    expect(Date.parse(rest.now) - Date.parse(now)).toBe(60_000);
  });

  it("C32.3: lets others in after 20 ms of work, and moves for one call at a time", async () => {
    const { app, prove, ok, move, test } = await startedWorld();
    const other = await startedWorld(app, "kim@example.net");
    const claims: string[] = [];
    for (let i = 0; i < 16; i += 1)
      claims.push((await prove("proved.test", { reference: `r${i}` })).claim.id);
    await move(120);
    for (const id of claims) await ok("PUT", `/api/claims/${id}/watch`);
    // On this clock each piece of work takes 20 ms.
    let now = performance.now();
    const time = vi.spyOn(performance, "now").mockImplementation(() => {
      now += 20;
      return now;
    });
    onTestFinished(() => time.mockRestore());
    let turns = 0;
    const count = () => {
      turns += 1;
      next = setImmediate(count);
    };
    let next = setImmediate(count);
    onTestFinished(() => clearImmediate(next));
    const moving = ok("POST", "/api/test/clock", { seconds: 0 });
    expect(await test("POST", "/api/test/clock", { seconds: 0 })).toMatchObject({
      ...errorAnswer("rate_limited"),
      headers: expect.toSatisfy((headers: Headers) => headers.get("Retry-After") === "1"),
    });
    await other.ok("POST", "/api/test/clock", { seconds: 0 });
    await moving;
    // Four records are read at a time.
    expect(turns).toBeGreaterThan(4);
    await ok("POST", "/api/test/clock", { seconds: 0 });
  });
});
