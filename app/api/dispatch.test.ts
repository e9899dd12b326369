import { describe, expect, it } from "vitest";
import type { ErrorCode } from "#app/core/errors.server.ts";
import { ENDPOINTS } from "#app/endpoints.server.ts";
import { domainEndpoints } from "#app/features/domains/api.server.ts";
import { requestTo, testApp } from "#app/features/sign-in/testing.ts";
import { callEndpoint, dispatch } from "./dispatch.server.ts";
import type { Endpoint, Input } from "./endpoint.server.ts";
import { call, errorAnswer, signedIn } from "./testing.ts";

const pathOf = ({ path }: Endpoint) => path.replace(/:\w+/g, "nothing");

// tests/contract/errors.test.ts tests the refusals of every endpoint.
describe("paths and methods", () => {
  it("answers not_found where a segment is empty", async () => {
    for (const path of ["/api//domains", "/api/domains//", "/api/domains//archive"])
      expect(await call(testApp(), "GET", path)).toMatchObject(errorAnswer("not_found"));
  });

  it("C2.10: accepts a trailing slash on every path", async () => {
    const app = testApp();
    for (const endpoint of ENDPOINTS) {
      const plain = await call(app, "OPTIONS", pathOf(endpoint));
      const slashed = await call(app, "OPTIONS", `${pathOf(endpoint)}/`);
      expect(slashed.status).toBe(204);
      expect(slashed.headers.get("Allow")).toBe(plain.headers.get("Allow"));
    }
  });
});

// C18.1
it.each<[ErrorCode, string, string, isForeign: boolean, isSignedIn: boolean, body: string]>([
  ["not_found", "PUT", "/api/nothing", true, false, "{"],
  ["method_not_allowed", "PUT", "/api/domains", true, false, "{"],
  ["cross_origin", "POST", "/api/domains", true, false, "{"],
  ["unauthenticated", "POST", "/api/domains", false, false, "{"],
  ["payload_too_large", "POST", "/api/domains", false, true, "{".repeat(20_000)],
  ["invalid_request", "POST", "/api/domains", false, true, "{"],
])("looks for %s before what comes after it", async (code, method, path, foreign, known, body) => {
  const app = testApp();
  const type = { "Content-Type": "application/json" };
  const headers = { ...type, ...(foreign && { Origin: "https://evil.example" }) };
  const cookie = known ? await signedIn(app) : undefined;
  const answer = await call(app, method, `${path}?surprise=1`, { headers, cookie, body });
  expect(answer).toMatchObject(errorAnswer(code));
  if (known) expect(answer.text).not.toContain("surprise");
});

// C4.9, C17.2
it.each<[method: string, path: string, json: unknown, param: string | null]>([
  ["GET", "domains?limit=101", undefined, "limit"],
  ["GET", "domains?archived=yes", undefined, "archived"],
  ["GET", "domains?cursor=", undefined, "cursor"],
  ["GET", "domains?cursor=x", undefined, "cursor"],
  ["GET", "domains?limit=1&limit=2", undefined, "limit"],
  ["POST", "domains", {}, "domain"],
  ["POST", "domains", { domain: 1 }, "domain"],
  ["POST", "domains", { domain: null }, "domain"],
  ["POST", "domains", { domain: "acme.com", more: 1 }, "more"],
  ["POST", "domains", { domain: "acme.com", __proto__x: 1 }, "__proto__x"],
  ["PUT", "domains/by-name/a.example", { handoff: { title: 7 } }, "handoff.title"],
  ["PUT", "domains/by-name/a.example", { handoff: { returnUrl: "nothing" } }, "handoff.returnUrl"],
  ["PUT", "domains/by-name/a.example", { "\u202e": 7 }, null],
  ["PUT", "domains/by-name/a.example", [], null],
])("%s %s with %j names the field at fault if it can be shown: %s", async (...asked) => {
  const [method, path, json, param] = asked;
  const app = testApp();
  const cookie = await signedIn(app);
  const { body } = await call(app, method, `/api/${path}`, { cookie, json });
  const message = expect.stringContaining(param ?? "");
  expect(body).toMatchObject({ error: { code: "invalid_request", param, message } });
});

it("says what a field with several forms may be", async () => {
  const app = testApp();
  const asked = { cookie: await signedIn(app), json: { watch: { every: "year" } } };
  const { text } = await call(app, "PUT", "/api/domains/by-name/a.example", asked);
  expect(text).toContain("is not valid: a boolean or { every }.");
});

describe("answers", () => {
  it("have Content-Length and are neither stored nor transformed", async () => {
    const { headers, text } = await call(testApp(), "GET", "/api/auth/session");
    expect(headers.get("Content-Type")).toBe("application/json; charset=utf-8");
    expect(headers.get("Content-Length")).toBe(String(text.length));
    expect(headers.get("Cache-Control")).toBe("no-store, no-transform");
  });

  it("never reveal an internal failure, which is logged", async () => {
    const app = testApp();
    app.db.$client.close();
    const answer = await call(app, "GET", "/api/domains", { cookie: `session=${"a".repeat(43)}` });
    const said = "Something failed on our side. It has been logged.";
    expect(answer).toMatchObject(errorAnswer("internal", said));
    expect(app.logged.join()).toContain("database connection is not open");
  });

  it("are unavailable while the service stops", async () => {
    const app = testApp();
    app.closing = AbortSignal.abort();
    const answer = await call(app, "GET", "/api/auth/session");
    expect(answer).toMatchObject(errorAnswer("unavailable"));
    expect(answer.headers.get("Retry-After")).toBe("5");
  });
});

it("C19.6: callEndpoint runs an endpoint as a call would: session, schemas, budget", async () => {
  const app = testApp({ RATE_LIMIT_API: "3/60" });
  const cookie = await signedIn(app);
  const ask = (
    endpoint: typeof domainEndpoints.createDomain,
    input: Input,
    from: object = { cookie },
  ) => callEndpoint(endpoint, requestTo(app, "/domains", { method: "POST", ...from }), input);
  const body = { domain: "acme.com" };
  const made = await ask(domainEndpoints.createDomain, { body });
  expect(made).toMatchObject({ status: 201, body: { name: "acme.com" } });
  const seen = await ask(domainEndpoints.browseDomains as never, { query: { limit: "1" } });
  expect(seen).toMatchObject({ body: { domains: [expect.anything()] } });
  for (const [input, from, code] of [
    [{ body: { ...body, x: 1 } }, { cookie }, "invalid_request"],
    [{ body }, { cookie }, "rate_limited"],
    [{ body }, {}, "unauthenticated"],
  ] as const)
    await expect(ask(domainEndpoints.createDomain, input, from)).rejects.toMatchObject({ code });
});

it("a client that has disconnected gets no response, and nothing is logged", async () => {
  const app = testApp();
  app.reader.readZone = (_, signal) => Promise.reject(signal.reason);
  const request = requestTo(app, "/api/zones/acme.com", { signal: AbortSignal.abort() });
  expect((await dispatch(request)).status).toBe(499);
  expect(app.logged).toEqual([]);
});
