import { foundAt } from "@deed/dns/testing/readings.ts";
import { describe, expect, it } from "vitest";
import { domainEndpoints } from "#app/features/domains/api.server.ts";
import { newKeyFor, withKey } from "#app/features/keys/testing.ts";
import { requestTo, testApp } from "#app/features/sign-in/testing.ts";
import { callEndpoint, providedEndpoints } from "./dispatch.server.ts";
import { type CallFields, call, errorAnswer, signedIn } from "./testing.ts";

const refused = errorAnswer("rate_limited");
const BY_NAME = "/api/domains/by-name";

/** An account with two keys, and a budget of so many additions. */
async function holder(additions: string) {
  const app = testApp({ RATE_LIMIT_ADDITIONS: additions });
  const cookie = await signedIn(app);
  const caller = (asked: CallFields) => (method: string, path: string, json?: unknown) =>
    call(app, method, path, { ...asked, json });
  const byKey = async () => caller(withKey((await newKeyFor(app, cookie)).key));
  return { app, cookie, one: await byKey(), other: await byKey(), person: caller({ cookie }) };
}

describe("C19.15: what an account adds", () => {
  it("counts for its sessions, forms and all its keys together", async () => {
    const { app, cookie, one, other, person } = await holder("4/3600");
    expect((await one("POST", "/api/domains", { domain: "one.example" })).status).toBe(201);
    expect((await other("PUT", `${BY_NAME}/two.example`, {})).status).toBe(201);
    expect((await person("POST", "/api/domains", { domain: "three.example" })).status).toBe(201);
    const form = (domain: string) =>
      callEndpoint(
        domainEndpoints.createDomain,
        requestTo(app, "/domains", { method: "POST", cookie }),
        { body: { domain } },
      );
    expect((await form("four.example")).status).toBe(201);
    const fifth = await one("POST", "/api/domains", { domain: "five.example" });
    expect(fifth).toMatchObject(refused);
    expect(Number(fifth.headers.get("Retry-After"))).toBeGreaterThan(3_500);
    const another = { domain: "five.example" };
    for (const caller of [other, person])
      expect(await caller("POST", "/api/domains", another)).toMatchObject(refused);
    await expect(form("five.example")).rejects.toMatchObject({ code: "rate_limited" });
    const { body } = await one("GET", "/api/domains");
    expect(body).toMatchObject({ counts: { unclaimed: 3, pending: 1 } });
  });

  it("costs nothing where it was there or is refused, and may always be ended", async () => {
    const { one, other, person } = await holder("3/3600");
    const { body } = await one("PUT", `${BY_NAME}/one.example`, { handoff: {} });
    const { claim, domain } = body as { claim: { id: string }; domain: { id: string } };
    const add = async (name: string) =>
      (await one("POST", "/api/domains", { domain: name })).status;
    for (let i = 0; i < 5; i += 1) {
      const again = await other("PUT", `${BY_NAME}/one.example`, { handoff: {} });
      const claimed = await one("POST", "/api/claims", { domainId: domain.id });
      expect([again.status, claimed.status]).toEqual([200, 409]);
      const paths = [`claims/${claim.id}/handoff`, `domains/${domain.id}/unarchive`];
      const found = paths.map((path) => one("POST", `/api/${path}`, {}));
      expect((await Promise.all(found)).map(({ status }) => status)).toEqual([201, 200]);
      expect([await add("one.example"), await add("no domain")]).toEqual([200, 400]);
    }
    expect([await add("two.example"), await add("three.example")]).toEqual([201, 201]);
    expect(await one("POST", "/api/domains", { domain: "four.example" })).toMatchObject(refused);
    for (const path of [`claims/${claim.id}/handoff/revoke`, `claims/${claim.id}/cancel`])
      expect((await one("POST", `/api/${path}`)).status).toBe(200);
    expect((await one("POST", `/api/domains/${domain.id}/archive`)).status).toBe(200);
    expect((await one("DELETE", `/api/domains/${domain.id}`)).status).toBe(204);
    // People can stop a leaked key and create another one.
    const key = { name: "New", scopes: ["domains:read"] };
    expect((await person("POST", "/api/keys", key)).status).toBe(201);
  });

  it("is a proof link once, however often it is asked for", async () => {
    const { app, one } = await holder("2/3600");
    app.reader.readChallenge = async (question) => foundAt(question, app.clock());
    const { body } = await one("PUT", `${BY_NAME}/one.example`, {});
    const { claim } = body as { claim: { id: string; verificationId: string } };
    await one("POST", `/api/verifications/${claim.verificationId}/runs`);
    for (let i = 0; i < 3; i += 1)
      expect((await one("POST", `/api/claims/${claim.id}/proof_links`)).status).toBe(201);
  });

  it("is the page that a call by name makes for a domain that is there", async () => {
    const { one } = await holder("3/3600");
    const { body } = await one("PUT", `${BY_NAME}/one.example`, {});
    const { claim } = body as { claim: { id: string } };
    for (let i = 0; i < 2; i += 1) {
      expect((await one("PUT", `${BY_NAME}/one.example`, { handoff: {} })).status).toBe(200);
      expect((await one("POST", `/api/claims/${claim.id}/handoff/revoke`)).status).toBe(200);
    }
    expect(await one("PUT", `${BY_NAME}/one.example`, { handoff: {} })).toMatchObject(refused);
  });

  it("is no archive that is entered and left over and over", async () => {
    const { one } = await holder("3/3600");
    const { body } = await one("POST", "/api/domains", { domain: "one.example" });
    const at = (what: string) => one("POST", `/api/domains/${(body as { id: string }).id}/${what}`);
    for (let i = 0; i < 2; i += 1)
      expect([(await at("archive")).status, (await at("unarchive")).status]).toEqual([200, 200]);
    expect((await at("archive")).status).toBe(200);
    expect(await at("unarchive")).toMatchObject(refused);
  });

  it("is every call that writes, but those that end something, and reads with budgets of their own", () => {
    testApp();
    const others = providedEndpoints().filter(
      ({ isAddition, method, session }) =>
        !isAddition && !/GET|DELETE/.test(method) && session === true,
    );
    expect(others.map(({ path }) => path).sort()).toEqual([
      "/api/auth/sign-out-everywhere",
      "/api/claims/:id/cancel",
      "/api/claims/:id/handoff/revoke",
      "/api/claims/:id/proof_links/:slug/revoke",
      "/api/claims/:id/waiting",
      "/api/domains/:id/archive",
      "/api/notices/:id/read",
      "/api/test/clock",
      "/api/test/reset",
      "/api/verifications/:id/runs",
    ]);
  });
});
