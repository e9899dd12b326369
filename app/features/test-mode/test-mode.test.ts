import { existsSync, readFileSync } from "node:fs";
import { verifyReceipt } from "@deed/receipt/verify.ts";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { call, errorAnswer, signedIn } from "#app/api/testing.ts";
import { deleteAccount } from "#app/core/accounts/accounts.server.ts";
import { commit } from "#app/core/commit.server.ts";
import type { TestMail } from "#app/core/context.server.ts";
import { createNotice } from "#app/core/feed/feed.server.ts";
import { isTestKey } from "#app/core/ids.server.ts";
import { accountForEmail } from "#app/core/testing/accounts.ts";
import { ENDPOINTS } from "#app/endpoints.server.ts";
import { by, EVERYTHING, type Made, madeBy, rotated } from "#app/features/keys/testing.ts";
import { jwkSet } from "#app/features/receipts/keys.server.ts";
import { type TestApp, testApp } from "#app/features/sign-in/testing.ts";
import { removeFile, testFile, worldOf } from "#db/test-file.ts";

type Json = Record<string, unknown>;
type Proof = Json & { claim: Json & { id: string; verificationId: string }; domain: Json };
const EMAIL = "mara@acme.com";
const HOUR = 3_600;
const DAY = 24 * HOUR;

/** A program with a test key of an account, and another with a real one. */
async function started(app: TestApp = testApp(), email = EMAIL) {
  const cookie = await signedIn(app, email);
  const key = await madeBy(app, cookie, { ...EVERYTHING, test: true });
  const realKey = await madeBy(app, cookie);
  const caller = (one: Made) => (method: string, path: string, json?: unknown) =>
    call(app, method, path, by(one.key, json === undefined ? {} : { json }));
  const test = caller(key);
  const ok = async <T = Json>(...asked: Parameters<typeof test>) => {
    const { status, body, text } = await test(...asked);
    expect([asked, status, text]).toEqual([asked, expect.toSatisfy((s) => s < 300), text]);
    return body as T;
  };
  const clock = (seconds: number) =>
    ok<{ now: string; mails: TestMail[] }>("POST", "/api/test/clock", { seconds });
  /** As far as it takes, because a call ends early on a slow machine. */
  const move = async (seconds: number) => {
    let at = await clock(0);
    const target = Date.parse(at.now) + seconds * 1_000;
    while (Date.parse(at.now) < target)
      at = await clock(Math.ceil((target - Date.parse(at.now)) / 1_000));
    return at;
  };
  const prove = (name: string, json: Json = {}) =>
    ok<Proof>("PUT", `/api/domains/by-name/${name}`, json);
  const { id: accountId } = await accountForEmail(app, email);
  return { app, cookie, key, accountId, test, real: caller(realKey), ok, move, prove };
}

const PAGE = readFileSync("docs/pages/test-mode.md", "utf8");
const ROWS = [...PAGE.matchAll(/^\| `(\S+\.test)` \| `(\w+)`[^|]* \| (.*) \|$/gm)].map(
  ([, name = "", soon = "", then = ""]) => {
    const [, state = soon, count = "0", unit = ""] =
      /`(\w+)` after (\d+) (hours|days)/.exec(then) ?? [];
    const later = Number(count) * (unit === "days" ? DAY : HOUR);
    return { name, soon, state, later, isWatched: then.includes("watch") };
  },
);

describe("the table of /docs/test-mode", () => {
  it("has every name once", () => {
    const names = ROWS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBe(21);
  });

  // C32.2, C32.3
  it.each(ROWS)("is true of $name", async ({ name, soon, state, later, isWatched }) => {
    const { app, prove, move, ok, test } = await started();
    const first = await prove(name);
    await ok("POST", `/api/claims/${first.claim.id}/cancel`);
    const { claim } = await prove(name, { again: first.claim.id });
    const outcome = async () => {
      const { status, diagnosis, waitEstimate } = await ok<Json>(
        "GET",
        `/api/verifications/${claim.verificationId}`,
      );
      const told = (diagnosis ?? waitEstimate) as { code?: string; reason?: string } | null;
      return status === "exhausted" ? "expired" : (told?.code ?? told?.reason ?? status);
    };
    expect(await outcome()).toBe("first_check");
    await move(60);
    const waits = ["negative_cache", "nameserver_sync", "retry"];
    expect(await outcome()).toBe(soon);
    if (waits.includes(soon))
      expect(await ok("GET", `/api/verifications/${claim.verificationId}`)).toMatchObject({
        status: soon === "retry" ? "checking" : "propagating",
      });
    if (isWatched) await ok("PUT", `/api/claims/${claim.id}/watch`);
    for (let left = later; left > 0; left -= 4 * DAY) await move(Math.min(left, 4 * DAY));
    if (isWatched)
      expect(await ok("GET", `/api/claims/${claim.id}/watch`)).toMatchObject({ state });
    else if (later > 0) expect(await outcome()).toBe(state);
    expect((await test("GET", "/api/domains?name=acme.com")).body).toMatchObject({ domains: [] });
    expect(app.logged.filter((line) => /"level":(?:40|50)/.test(line))).toEqual([]);
  });
});

describe("a test key", () => {
  // C32.1
  it("has a form of its own, and ends and turns as others do", async () => {
    const { app, cookie, key, ok } = await started();
    expect(key.key).toMatch(/^deed_test_[0-9a-hjkmnp-tv-z]{25}_[0-9a-hjkmnp-tv-z]{39}$/);
    expect(isTestKey(key.id)).toBe(true);
    await ok("PUT", "/api/domains/by-name/proved.test", {});
    const next = await rotated(app, cookie, key);
    expect(next.key).toMatch(/^deed_test_/);
    const { body } = await call(app, "GET", "/api/domains", by(next.key));
    expect(body).toMatchObject({ domains: [{ name: "proved.test" }] });
    await call(app, "DELETE", `/api/keys/${key.id}`, { cookie });
    expect(await call(app, "GET", "/api/domains", by(next.key))).toMatchObject(
      errorAnswer("invalid_api_key"),
    );
    expect(app.logged.join("")).not.toContain(key.key.slice(-39, -7));
  });

  // C32.2
  it("adds no other name, by any call that takes one", async () => {
    const { test, prove } = await started();
    const refused = errorAnswer("invalid_domain");
    for (const name of ["acme.com", "x.proved.test", "proved.test.com", "www.proved.test.com"]) {
      expect(await test("POST", "/api/domains", { domain: name })).toMatchObject(refused);
      expect(await test("PUT", `/api/domains/by-name/${name}`, {})).toMatchObject(refused);
    }
    expect(await prove("PROVED.test.")).toMatchObject({ domain: { name: "proved.test" } });
    const zone = await test("GET", "/api/zones/acme.com");
    expect(zone).toMatchObject(errorAnswer("no_delegation"));
  });
});

/** A receiver of webhooks in the place of the network. */
function receiving(app: TestApp) {
  const posts: { at: string; type: string; headers: Record<string, string>; body: string }[] = [];
  app.outbound = {
    problem: () => null,
    call: async ({ headers = {}, body = "" }) => {
      const { type, timestamp } = JSON.parse(String(body));
      posts.push({
        at: timestamp,
        type,
        headers: headers as Record<string, string>,
        body: String(body),
      });
      return { status: 204, headers: {}, body: Buffer.alloc(0) };
    },
  };
  return posts;
}

type Ask = (method: string, path: string, json?: unknown) => Promise<{ body: unknown }>;

/** Ids of everything that a key can make, or have made for it. */
async function everything(ask: Ask, name: string) {
  const got = async <T>(...asked: Parameters<Ask>) => (await ask(...asked)).body as T;
  const hook = { url: "https://hooks.example/deed", events: ["claim.opened"] };
  const { id: webhook } = await got<{ id: string }>("POST", "/api/webhooks", hook);
  const { domain, claim } = await got<Proof>("PUT", `/api/domains/by-name/${name}`, {});
  const { slug } = await got<{ slug: string }>("POST", `/api/claims/${claim.id}/handoff`, {});
  const { deliveries } = await got<{ deliveries: { id: string }[] }>(
    "GET",
    `/api/webhooks/${webhook}/deliveries`,
  );
  const made = { domains: String(domain.id), claims: claim.id, webhooks: webhook };
  return { ...made, verifications: claim.verificationId, slug, delivery: deliveries[0]?.id ?? "" };
}

describe("the two worlds", () => {
  // C32.1
  it("answer 404 for each other's ids, and list nothing of each other, over every operation", async () => {
    const app = testApp();
    receiving(app);
    const mine = await started(app);
    const other = await started(app, "kim@example.net");
    const tested = await everything(mine.test, "expired.test");
    const real = await everything(mine.real, "acme.com");
    expect([tested, real].flatMap(Object.values)).not.toContain("");
    await mine.move(2 * DAY);
    const ok = await mine.ok<{ notices: { id: string }[] }>("GET", "/api/notices");
    const subject = { id: real.claims, accountId: mine.accountId, domainId: real.domains };
    await commit(app, (tx) => createNotice(tx, "nudge", subject, app.clock()));
    const told = (await mine.real("GET", "/api/notices")).body as typeof ok;
    const sides = [
      ["a real key, test ids", mine.real, { ...tested, notices: ok.notices[0]?.id }],
      ["a test key, real ids", mine.test, { ...real, notices: told.notices[0]?.id }],
      ["another's test key, test ids", other.test, { ...tested, notices: ok.notices[0]?.id }],
      ["another's real key, test ids", other.real, { ...tested, notices: ok.notices[0]?.id }],
    ] as const;
    // Those that make something of their own, move the own clock, or do not end.
    const own = [
      "POST /api/domains",
      "POST /api/webhooks",
      "POST /api/test/clock",
      "GET /api/events",
    ];
    const wrong: string[] = [];
    const tried = new Set<string>();
    for (const [side, ask, ids] of sides)
      for (const { method, path, byKey } of ENDPOINTS) {
        const operation = `${method} ${path}`;
        if (byKey === "never" || byKey === "ignored" || own.includes(operation)) continue;
        if (/^\/api\/zones|by-name/.test(path)) continue;
        const [, kind = ""] = /^\/api\/(\w+)\/:id/.exec(path) ?? [];
        const id: string | undefined = Object(ids)[kind];
        const place = path
          .replace(":id", id ?? "none")
          .replace(":slug", ids.slug)
          .replace(":delivery", ids.delivery);
        const opens = operation === "POST /api/claims" ? { domainId: ids.domains } : {};
        const answer = await ask(method, place, method === "GET" ? undefined : opens);
        const found = Object.values(ids).filter((one) => answer.text.includes(`${one}`));
        const expected = path.includes(":id") || "domainId" in opens ? 404 : 200;
        tried.add(operation);
        if (answer.status !== expected || found.length > 0)
          wrong.push(`${side}: ${operation} ${answer.status} ${answer.text.slice(0, 99)}`);
      }
    expect(wrong).toEqual([]);
    const byKey = ENDPOINTS.filter((one) => one.byKey !== "never" && one.byKey !== "ignored");
    expect(tried.size).toBeGreaterThan(30);
    expect(byKey.length - tried.size).toBe(own.length + 3);
    const byName = "/api/domains/by-name/expired.test";
    expect((await mine.real("GET", byName)).status).toBe(404);
    expect((await mine.test("GET", "/api/domains/by-name/acme.com")).status).toBe(404);
    const session = (path: string) => call(app, "GET", path, { cookie: mine.cookie });
    expect((await session(`/api/claims/${tested.claims}`)).status).toBe(404);
    expect((await session("/api/domains")).text).not.toContain("expired.test");
  });

  // C32.3
  it("have no clock outside of test mode", async () => {
    const { app, cookie, real } = await started();
    const missing = errorAnswer("not_found");
    expect(await real("POST", "/api/test/clock", { seconds: 1 })).toMatchObject(missing);
    const asked = { cookie, json: { seconds: 1 } };
    expect(await call(app, "POST", "/api/test/clock", asked)).toMatchObject(missing);
  });

  // C32.7
  it("count apart: places, budgets, coexistence, recency, ways back", async () => {
    const app = testApp({ RATE_LIMIT_RUNS_ACCOUNT: "1/3600" });
    app.settings.openClaims = 1;
    const { prove, ok, test, real, move } = await started(app);
    const other = await started(app, "kim@example.net");
    const { claim } = await prove("expired.test");
    expect(await test("PUT", "/api/domains/by-name/gone.test", {})).toMatchObject(
      errorAnswer("too_many_claims"),
    );
    const { body } = await real("PUT", "/api/domains/by-name/proved.test", {});
    const { claim: realClaim } = body as Proof;
    const runs = (id: string) => `/api/verifications/${id}/runs`;
    await ok("POST", runs(claim.verificationId));
    expect(await test("POST", runs(claim.verificationId))).toMatchObject(
      errorAnswer("rate_limited"),
    );
    // No DNS here: our side could not read, which is an answer.
    expect((await real("POST", runs(realClaim.verificationId))).status).toBe(200);
    await ok("POST", `/api/claims/${claim.id}/cancel`);
    const mine = await prove("proved.test");
    const theirs = await other.prove("proved.test");
    await move(60);
    await other.move(60);
    for (const [one, id] of [
      [ok, mine.claim.id],
      [other.ok, theirs.claim.id],
    ] as const)
      expect(await one("GET", `/api/claims/${id}`)).toMatchObject({
        state: "proved",
        coexistence: null,
      });
    const returnUrl = "https://proved.test/back";
    const handoff = await real("POST", `/api/claims/${realClaim.id}/handoff`, { returnUrl });
    expect(handoff).toMatchObject(errorAnswer("origin_not_registered"));
    expect((await real("GET", "/api/notices")).body).toMatchObject({ notices: [] });
    expect(app.mails).toEqual([]);
  });
});

describe("what leaves test mode", () => {
  // C32.5
  it("are posts, at their moments, signed with a secret and a time that receivers accept", async () => {
    const app = testApp();
    const posts = receiving(app);
    const { cookie, prove, move, ok, real } = await started(app);
    const wanted = { url: "https://hooks.example/deed", events: ["claim.proved", "claim.opened"] };
    const { secret } = await ok<{ secret: string }>("POST", "/api/webhooks", wanted);
    await call(app, "POST", "/api/webhooks", { cookie, json: wanted });
    expect((await real("GET", "/api/webhooks")).body).not.toEqual(await ok("GET", "/api/webhooks"));
    const { claim } = await prove("value-formatted.test");
    await move(2 * HOUR);
    expect(posts.map(({ type }) => type)).toEqual(["claim.opened", "claim.proved"]);
    const provedAt = Date.parse(posts[1]?.at ?? "");
    expect(provedAt - app.clock()).toBeGreaterThanOrEqual(30 * 60_000);
    expect(provedAt - app.clock()).toBeLessThan(40 * 60_000);
    for (const { headers, body } of posts) {
      expect(Number(headers["webhook-timestamp"])).toBe(Math.floor(app.clock() / 1_000));
      const now = String(Math.floor(Date.now() / 1_000));
      const id = headers["webhook-id"] ?? "";
      const signature = new Webhook(secret).sign(id, new Date(app.clock()), body);
      expect(headers["webhook-signature"]).toBe(signature);
      expect(now).toMatch(/^\d+$/);
      expect(JSON.parse(body).data.claim.id).toBe(claim.id);
    }
  });

  // C32.4
  it("are no mails: they are in the outbox", async () => {
    const { app, prove, move } = await started();
    await prove("proved.test");
    await prove("expired.test");
    const { mails } = await move(2 * DAY);
    expect(app.mails).toEqual([]);
    expect(mails.map(({ subject }) => subject)).toEqual([
      "expired.test is not proved yet",
      "proved.test is proved",
    ]);
    expect(mails.every(({ to }) => to === EMAIL)).toBe(true);
    expect(Date.parse(mails[0]?.at ?? "") - app.clock()).toBe(DAY * 1_000);
  });

  // C32.6
  it("are receipts that no verifier accepts, by a key in no key set", async () => {
    const { app, prove, move, ok } = await started();
    const { claim } = await prove("proved.test");
    await move(60);
    const link = await ok<{ slug: string }>("POST", `/api/claims/${claim.id}/proof_links`);
    expect(link.slug).toMatch(/^test_[0-9a-f]{24}_[0-9a-hjkmnp-tv-z]{26}$/);
    const receipt = (await call(app, "GET", `/api/proofs/${link.slug}/receipt`)).body as {
      about: string;
      statement: string;
    };
    expect(receipt.about).toMatch(/^TEST\. /);
    const [header = ""] = receipt.statement.split(".");
    const { typ, kid, jwk } = JSON.parse(Buffer.from(header, "base64url").toString());
    expect(typ).toBe("deed-test+jwt");
    expect(jwkSet(app).keys.map((one) => one.kid)).not.toContain(kid);
    // Even to a reader who takes its key for the installation's.
    for (const keys of [jwkSet(app).keys, [{ ...jwk, kid }]]) {
      const report = await verifyReceipt(JSON.stringify(receipt), { keys, anchors: [] });
      expect(report.verdict).toBe("bad");
    }
    expect((await call(app, "GET", `/api/proofs/${link.slug}`)).body).toMatchObject({
      domain: "proved.test",
    });
    await ok("POST", `/api/claims/${claim.id}/proof_links/${link.slug}/revoke`);
    expect((await call(app, "GET", `/api/proofs/${link.slug}`)).status).toBe(410);
  });
});

describe("a test world", () => {
  // C32.1
  it("sends nothing more on an event stream whose key has ended, and ends it", async () => {
    const { app, cookie, key, accountId, prove } = await started();
    const world = await app.testWorlds.of(accountId);
    const query = app.db.$client.prepare<[string], { hash: string }>(
      "select secret_hash as hash from api_keys where id = ?",
    );
    const sent: string[] = [];
    let isOpen = true;
    const sink = {
      send: (text: string | Uint8Array) => void sent.push(String(text)),
      close: () => {
        isOpen = false;
        stream.onEnd();
      },
    };
    const credential = `${key.id} ${query.get(key.id)?.hash}`;
    const stream = world.streams.subscribe(accountId, { sink, credential, lastEventId: null });
    const other = await madeBy(app, cookie, { ...EVERYTHING, test: true });
    await prove("proved.test");
    await expect.poll(() => sent.length).toBeGreaterThan(1);
    expect(isOpen).toBe(true);
    await call(app, "DELETE", `/api/keys/${key.id}`, { cookie });
    const before = sent.length;
    await call(app, "PUT", "/api/domains/by-name/gone.test", by(other.key, { json: {} }));
    await expect.poll(() => isOpen).toBe(false);
    expect(sent.length).toBe(before);
  });

  // C32.8
  it("is erased with its file, also while it is open", async () => {
    const { app, accountId, prove, test } = await started();
    await prove("proved.test", { handoff: {} });
    const world = await app.testWorlds.of(accountId);
    const [row] = world.db.$client.prepare<[], { slug: string }>("select slug from handoffs").all();
    const path = testFile(app.env.DATABASE_PATH, worldOf(accountId));
    expect(existsSync(path)).toBe(true);
    const page = `/api/handoffs/${row?.slug}`;
    expect(await call(app, "GET", page)).toMatchObject({ status: 200 });
    removeFile(path);
    expect(existsSync(path)).toBe(false);
    expect(await call(app, "GET", page)).toMatchObject(errorAnswer("handoff_not_found"));
    expect((await test("GET", "/api/domains")).body).toMatchObject({ domains: [] });
    await deleteAccount(app, accountId);
    const nobodys = app.testWorlds.of("acc_0123456789abcdefghjkmnpqr");
    await expect(nobodys).rejects.toMatchObject({ code: "invalid_api_key" });
  });

  it("is as it was after the service started again", async () => {
    const { app, accountId, prove, move } = await started();
    const { claim } = await prove("proved.test");
    const moved = await move(60);
    const again = { ...app, testWorlds: app.testWorlds };
    const { createTestWorlds } = await import("#app/test-worlds.server.ts");
    const world = await createTestWorlds(() => again).of(accountId);
    expect(new Date(world.clock()).toISOString()).toBe(moved.now);
    const stored = world.db.$client.prepare<[string], { state: string }>(
      "select state from claims where id = ?",
    );
    expect(stored.get(claim.id)).toEqual({ state: "proved" });
  });
});
