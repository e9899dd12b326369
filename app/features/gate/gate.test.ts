import { setImmediate as loopTurn } from "node:timers/promises";
import { eq } from "drizzle-orm";
import { describe, expect, it, vi } from "vitest";
import { call, errorAnswer, signedIn } from "#app/api/testing.ts";
import { commit } from "#app/core/commit.server.ts";
import type { Context } from "#app/core/context.server.ts";
import { accountForEmail } from "#app/core/testing/accounts.ts";
import { testService } from "#app/core/testing/service.ts";
import { iso } from "#app/core/time.ts";
import { disableAccount } from "#app/features/admin/accounts.server.ts";
import { archiveDomain, deleteDomain } from "#app/features/domains/domains.server.ts";
import { testApp } from "#app/features/sign-in/testing.ts";
import type { Db } from "#db/client.ts";
import { domains } from "#db/schema.ts";
import { notifyHolds } from "../claims/holds.server.ts";
import { addDomain } from "../domains/domains.server.ts";
import { newKeyFor, rotateKey, withKey } from "../keys/testing.ts";
import { Gate } from "./gate.server.ts";

/** Changes a domain as a read or a watch would when it is proved or lost. */
async function set(ctx: Context, id: string, change: Partial<typeof domains.$inferInsert>) {
  await commit(ctx, (tx, { clock }) =>
    notifyHolds(tx, id, clock(), () =>
      tx.update(domains).set(change).where(eq(domains.id, id)).run(),
    ),
  );
  await loopTurn();
}
const proof = { lastProvedAt: 1 };

async function held(ctx: Context, accountId: string, name: string, reference?: string) {
  const { domain } = await addDomain(ctx, accountId, name, { reference });
  await set(ctx, domain.id, proof);
  return domain.id;
}

async function gated() {
  const app = testApp({ SESSION_SECRET: "s".repeat(32) });
  const cookie = await signedIn(app);
  const account = await accountForEmail(app, "mara@acme.com");
  const made = await newKeyFor(app, cookie, { name: "Caddy", scopes: ["gate:ask"] });
  const ask = (name: string, key = made.key) =>
    call(app, "GET", `/api/gate/${key}?domain=${name}`).then(({ status }) => status);
  return { app, cookie, account, made, ask };
}

async function queriesOf({ $client }: Db, work: () => Promise<unknown>): Promise<number> {
  const statement = Object.getPrototypeOf($client.prepare("select 1"));
  const spies = ["get", "all", "run", "iterate"].map((way) => vi.spyOn(statement, way));
  await work();
  const counts = spies.map((spy) => spy.mock.calls.length);
  for (const spy of spies) spy.mockRestore();
  return counts.reduce((sum, one) => sum + one, 0);
}

describe("C25.18: the gate", () => {
  it("answers whether exactly this name holds, for any reference, and nothing else", async () => {
    const { app, account, made, ask } = await gated();
    await held(app, account.id, "acme.com", "cust_1");
    await held(app, account.id, "xn--bcher-kva.example");
    await addDomain(app, account.id, "open.example");
    const other = await accountForEmail(app, "kim@other.org");
    await held(app, other.id, "globex.com");
    const yes = await call(app, "GET", `/api/gate/${made.key}?domain=acme.com`);
    expect([yes.status, yes.body]).toEqual([200, { holds: true }]);
    for (const name of ["ACME.com", "acme.com.", "xn--bcher-kva.example"])
      expect([name, await ask(name)]).toEqual([name, 200]);
    for (const name of ["www.acme.com", "open.example", "globex.com", "com"])
      expect([name, await ask(name)]).toEqual([name, 404]);
    for (const name of ["", "a%20b", "%00", "__proto__"]) expect(await ask(name), name).toBe(404);
    expect((await call(app, "GET", `/api/gate/${made.key}`)).status).toBe(404);
    const known = await call(app, "GET", `/api/gate/${made.key}?domain=globex.com`);
    const unknown = await call(app, "GET", `/api/gate/${"x".repeat(40)}?domain=acme.com`);
    expect(known.body).toEqual(unknown.body);
    expect(unknown).toMatchObject(errorAnswer("not_found"));
    expect((await call(app, "POST", `/api/gate/${made.key}`)).status).toBe(405);
  });

  it("opens for its key alone: none mistyped, revoked, expired, from elsewhere or with other scopes", async () => {
    const { app, cookie, account, made, ask } = await gated();
    await held(app, account.id, "acme.com");
    const key = (json: object) =>
      newKeyFor(app, cookie, { name: "Other", scopes: ["gate:ask"], ...json });
    const expiring = await key({ expiresAt: iso(app.clock() + 60_000) });
    const elsewhere = await key({ addresses: ["203.0.113.0/24"] });
    const reading = await key({ scopes: ["domains:read"] });
    const revoked = await key({});
    expect([await ask("acme.com"), await ask("acme.com", revoked.key)]).toEqual([200, 200]);
    await call(app, "DELETE", `/api/keys/${revoked.id}`, { cookie });
    const last = made.key.slice(-1) === "0" ? "1" : "0";
    const twin = made.key.replace(made.id, revoked.id);
    app.pass(60_000);
    const bad = [revoked, expiring, elsewhere, reading].map(({ key }) => key);
    for (const text of [...bad, made.key.slice(0, -1) + last, made.key.slice(0, -7), twin])
      expect([text, await ask("acme.com", text)]).toEqual([text, 404]);
    const next = await rotateKey(app, cookie, made);
    expect([await ask("acme.com", next.key), await ask("acme.com")]).toEqual([200, 200]);
    app.pass(86_400_000);
    await expect.poll(() => ask("acme.com")).toBe(404);
    expect(await ask("acme.com", next.key)).toBe(200);
    await disableAccount(app, account.id);
    expect(await ask("acme.com", next.key)).toBe(404);
  });

  it("asks for a scope that stands alone but in a test key", async () => {
    const { app, cookie } = await gated();
    const both = { name: "Both", scopes: ["gate:ask", "domains:read"] };
    const refused = await call(app, "POST", "/api/keys", { cookie, json: both });
    expect(refused).toMatchObject(errorAnswer("invalid_request"));
    const scopes = ["gate:ask", "domains:read", "domains:write"];
    const { key } = await newKeyFor(app, cookie, { name: "Test", scopes, test: true });
    const asked = () => call(app, "GET", `/api/gate/${key}?domain=proved.test`);
    expect((await asked()).status).toBe(404);
    await call(app, "PUT", "/api/domains/by-name/proved.test", withKey(key, { json: {} }));
    await call(app, "POST", "/api/test/clock", withKey(key, { json: { seconds: 60 } }));
    await vi.waitFor(async () => expect((await asked()).status).toBe(200), 10_000);
  });

  it("a flood of unknown names, or of known ones, costs no query", async () => {
    const { app, account, ask } = await gated();
    await held(app, account.id, "acme.com");
    await ask("acme.com");
    const startedAt = performance.now();
    const flood = async () => {
      for (let n = 0; n < 500; n++) await ask(n % 10 === 0 ? "acme.com" : `n${n}.example`);
    };
    const queries = await queriesOf(app.db, flood);
    // The key once a second, the feed five times.
    expect(queries).toBeLessThan(10 + ((performance.now() - startedAt) / 1_000) * 8);
  });

  it("follows what happens to a domain: lost, proved again, archived, deleted, two of a name", async () => {
    const { app, account, ask } = await gated();
    const says = async (status: number) => {
      await loopTurn();
      expect(await ask("acme.com")).toBe(status);
    };
    await says(404);
    const first = await held(app, account.id, "acme.com");
    await says(200);
    await set(app, first, { loss: "lapsed" });
    await says(404);
    await set(app, first, { loss: null });
    const second = await held(app, account.id, "acme.com", "cust_2");
    await archiveDomain(app, account.id, first);
    await says(200);
    await deleteDomain(app, account.id, second);
    await says(404);
  });
});

it("forgets the account asked longest ago once it has too many names, and reads it again", async () => {
  const { ctx } = testService();
  const gate = new Gate(ctx, 3);
  const ids = [];
  for (const email of ["a@a.example", "b@b.example", "c@c.example"]) {
    const { id } = await accountForEmail(ctx, email);
    for (const name of ["one.example", "two.example"]) await held(ctx, id, name);
    ids.push(id);
  }
  for (const id of [...ids, ...ids]) expect(gate.holds(id, "two.example")).toBe(true);
  const [first = "", , last = ""] = ids;
  const asking = (id: string) => queriesOf(ctx.db, async () => gate.holds(id, "two.example"));
  expect([await asking(last), await asking(first), await asking(first)]).toEqual([0, 1, 0]);
});
