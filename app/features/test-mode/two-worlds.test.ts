import { describe, expect, it } from "vitest";
import { call, errorAnswer } from "#app/api/testing.ts";
import { commit } from "#app/core/commit.server.ts";
import { createNotice } from "#app/core/feed/feed.server.ts";
import { ENDPOINTS } from "#app/endpoints.server.ts";
import { testApp } from "#app/features/sign-in/testing.ts";
import { DAY, HOUR, type Proof, receiving, startedWorld } from "./testing.ts";

const SINCE = { since: "2026-01-01T00:00:00Z" };

type Ask = (method: string, path: string, json?: unknown) => Promise<{ body: unknown }>;

/** Ids of everything that a key can make, or that can be made for it. */
async function everything(ask: Ask, name: string) {
  const got = async <T>(...asked: Parameters<Ask>) => (await ask(...asked)).body as T;
  const hook = { url: "https://hooks.example/deed", events: ["claim.opened"] };
  const { id: webhook } = await got<{ id: string }>("POST", "/api/webhooks", hook);
  const { domain, claim } = await got<Proof>("PUT", `/api/domains/by-name/${name}`, {});
  const { slug } = await got<{ slug: string }>("POST", `/api/claims/${claim.id}/handoff`, {});
  const list = `/api/webhooks/${webhook}/deliveries`;
  const { deliveries } = await got<{ deliveries: { id: string }[] }>("GET", list);
  const made = { domains: String(domain.id), claims: claim.id, webhooks: webhook };
  return { ...made, verifications: claim.verificationId, slug, delivery: deliveries[0]?.id ?? "" };
}

describe("the two worlds", () => {
  it("C32.1: answer 404 for each other's ids, and list none, over every operation", async () => {
    const app = testApp();
    receiving(app);
    const mine = await startedWorld(app);
    const other = await startedWorld(app, "kim@example.net");
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
    // These make something, move the clock, or do not end: they are tried below.
    const own = ["/api/domains", "/api/webhooks", "/api/test/clock"].map((path) => `POST ${path}`);
    own.push("GET /api/events", "DELETE /api/domains", "POST /api/test/reset");
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
        const opens =
          { "POST /api/claims": { domainId: ids.domains }, "POST /api/webhooks/:id/resend": SINCE }[
            operation
          ] ?? {};
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
    expect((await mine.real("GET", "/api/domains/by-name/expired.test")).status).toBe(404);
    expect((await mine.test("GET", "/api/domains/by-name/acme.com")).status).toBe(404);
    const session = (path: string) => call(app, "GET", path, { cookie: mine.cookie });
    expect((await session(`/api/claims/${tested.claims}`)).status).toBe(404);
    expect((await session("/api/domains")).text).not.toContain("expired.test");
  });

  it("C32.1, C14.10: do not know each other's event ids", async () => {
    const { test, real } = await startedWorld();
    await test("POST", "/api/domains", { domain: "gone.test" });
    await real("POST", "/api/domains", { domain: "acme.com" });
    type List = { nextCursor: string; reset: boolean };
    const list = async (ask: typeof test, after: string) =>
      (await ask("GET", `/api/events/list${after}`)).body as List;
    for (const [one, other] of [
      [test, real],
      [real, test],
    ] as const) {
      const after = `?after=${(await list(one, "")).nextCursor}`;
      expect(await list(one, after)).toMatchObject({ reset: false });
      expect(await list(other, after)).toMatchObject({ reset: true });
    }
  });

  it("C32.2: read zones apart", async () => {
    const app = testApp();
    app.reader.readZone = async () => ({ type: "no_delegation" });
    const { test, real } = await startedWorld(app);
    const zone = "/api/zones/proved.test";
    const text = expect.stringContaining("ns1.dns.test");
    expect(await test("GET", zone)).toMatchObject({ status: 200, text });
    expect(await real("GET", zone)).toMatchObject(errorAnswer("no_delegation"));
  });

  // C32.3
  it("have a clock that only test keys move, and none outside of test mode", async () => {
    const mine = await startedWorld();
    const before = mine.app.clock();
    await mine.move(HOUR);
    expect(mine.app.clock()).toBe(before);
    const [json, missing] = [{ seconds: 1 }, errorAnswer("not_found")];
    expect(await mine.real("POST", "/api/test/clock", json)).toMatchObject(missing);
    const asked = { cookie: mine.cookie, json };
    expect(await call(mine.app, "POST", "/api/test/clock", asked)).toMatchObject(missing);
  });

  it("C32.7: count apart: places, budgets, coexistence, recency, ways back", async () => {
    const app = testApp({ RATE_LIMIT_RUNS_ACCOUNT: "1/3600", RATE_LIMIT_PROOFS: "1/3600" });
    app.settings.openClaims = 1;
    const { prove, ok, test, real, move } = await startedWorld(app);
    const other = await startedWorld(app, "kim@example.net");
    const { claim } = await prove("expired.test");
    const beyond = await test("PUT", "/api/domains/by-name/gone.test", {});
    expect(beyond).toMatchObject(errorAnswer("too_many_claims"));
    const { body } = await real("PUT", "/api/domains/by-name/proved.test", {});
    const { claim: realClaim } = body as Proof;
    const runs = (id: string) => `/api/verifications/${id}/runs`;
    await ok("POST", runs(claim.verificationId));
    const again = await test("POST", runs(claim.verificationId));
    expect(again).toMatchObject(errorAnswer("rate_limited"));
    // There is no DNS here: the answer is that our side could not read.
    expect((await real("POST", runs(realClaim.verificationId))).status).toBe(200);
    await ok("POST", `/api/claims/${claim.id}/cancel`);
    const mine = await prove("proved.test");
    const theirs = await other.prove("proved.test");
    await move(60);
    await other.move(60);
    const proved = { state: "proved", coexistence: null };
    expect(await ok("GET", `/api/claims/${mine.claim.id}`)).toMatchObject(proved);
    expect(await other.ok("GET", `/api/claims/${theirs.claim.id}`)).toMatchObject(proved);
    const returnUrl = "https://proved.test/back";
    const handoff = await real("POST", `/api/claims/${realClaim.id}/handoff`, { returnUrl });
    expect(handoff).toMatchObject(errorAnswer("origin_not_registered"));
    expect((await real("GET", "/api/notices")).body).toMatchObject({ notices: [] });
    expect(app.mails).toEqual([]);
    const { slug } = await ok<{ slug: string }>("POST", `/api/claims/${mine.claim.id}/proof_links`);
    const proof = (one: string) => call(app, "GET", `/api/proofs/${one}`);
    expect((await proof(slug)).status).toBe(200);
    expect(await proof(slug)).toMatchObject(errorAnswer("rate_limited"));
    expect(await proof("none")).toMatchObject(errorAnswer("proof_not_found"));
  });
});
