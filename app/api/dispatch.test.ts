import { describe, expect, it } from "vitest";
import { ENDPOINTS } from "#app/endpoints.server.ts";
import { openApiDocument } from "#app/features/docs/openapi.server.ts";
import { browseDomains, createDomain } from "#app/features/domains/api.server.ts";
import { requestTo, testApp } from "#app/features/sign-in/testing.ts";
import { callEndpoint, dispatch } from "./dispatch.server.ts";
import type { Endpoint } from "./endpoint.server.ts";
import { call, errorAnswer, signedIn } from "./testing.ts";

const pathOf = ({ path }: Endpoint) => path.replace(/:\w+/g, "nothing");
const named = ENDPOINTS.map((endpoint) => ({
  name: `${endpoint.method} ${endpoint.path}`,
  endpoint,
}));
const withSession = named.filter(({ endpoint }) => endpoint.session === true);
const writes = named.filter(({ endpoint }) => endpoint.method !== "GET");
const BIG = "x".repeat(1024 * 1024);

describe("paths and methods", () => {
  it.each([
    "/api",
    "/api/",
    "/api/nothing",
    "/api//domains",
    "/api/domains//",
    "/api/domains//archive",
    "/api/domains/a/b/c",
  ])("answers not_found at %s", async (path) => {
    expect(await call(testApp(), "GET", path)).toMatchObject(errorAnswer("not_found"));
  });

  it.each(named)("answers an unsupported method of $name with Allow", async ({ endpoint }) => {
    const taken = ENDPOINTS.filter(({ path }) => path === endpoint.path).map(
      ({ method }) => method,
    );
    const other = (["PUT", "PATCH"] as const).find((method) => !taken.includes(method)) ?? "PUT";
    const answer = await call(testApp(), other, pathOf(endpoint));
    expect(answer).toMatchObject(errorAnswer("method_not_allowed"));
    const allow = new Set(answer.headers.get("Allow")?.split(", "));
    const expected = [...taken, "OPTIONS", ...(taken.includes("GET") ? ["HEAD"] : [])];
    expect(allow).toEqual(new Set(expected));
  });

  it.each(named)("answers OPTIONS for $name without a session or a body", async ({ endpoint }) => {
    const answer = await call(testApp(), "OPTIONS", pathOf(endpoint));
    expect(answer.status).toBe(204);
    expect(answer.headers.get("Allow")).toContain(endpoint.method);
    expect(answer.text).toBe("");
  });

  it("answers HEAD as GET without the body", async () => {
    const app = testApp();
    const got = await call(app, "GET", "/api/auth/session");
    const head = await call(app, "HEAD", "/api/auth/session");
    expect(head.status).toBe(200);
    expect(head.text).toBe("");
    expect(head.headers.get("Content-Length")).toBe(String(got.text.length));
    expect(await call(app, "HEAD", "/api/domains")).toMatchObject({ status: 401, text: "" });
  });

  it("accepts a trailing slash on every path", async () => {
    const app = testApp();
    for (const { endpoint } of named) {
      const plain = await call(app, "OPTIONS", pathOf(endpoint));
      const slashed = await call(app, "OPTIONS", `${pathOf(endpoint)}/`);
      expect(slashed.status).toBe(204);
      expect(slashed.headers.get("Allow")).toBe(plain.headers.get("Allow"));
    }
  });
});

// C18.1
describe("what is refused before the endpoint runs", () => {
  it.each(withSession)("$name without a session", async ({ endpoint }) => {
    const answer = await call(testApp(), endpoint.method, pathOf(endpoint));
    expect(answer).toMatchObject(errorAnswer("unauthenticated"));
  });

  it.each(writes)("$name from another origin, session or not", async ({ endpoint }) => {
    const app = testApp();
    const cookie = await signedIn(app);
    const headers = { Origin: "https://evil.example" };
    for (const asked of [{ headers }, { headers, cookie }]) {
      const answer = await call(app, endpoint.method, pathOf(endpoint), asked);
      expect(answer).toMatchObject(errorAnswer("cross_origin"));
    }
  });

  it.each(writes)("$name with an unreadable body", async ({ endpoint }) => {
    const app = testApp();
    const asked = { cookie: await signedIn(app) };
    const send = (type: string, body: string) =>
      call(app, endpoint.method, pathOf(endpoint), {
        ...asked,
        headers: { "Content-Type": type },
        body,
      });
    expect(await send("text/plain", "{}")).toMatchObject(errorAnswer("unsupported_media_type"));
    expect(await send("application/json", "{")).toMatchObject(errorAnswer("invalid_request"));
    for (const other of ["[]", "1", "null"])
      expect(await send("application/json", other)).toMatchObject(errorAnswer("invalid_request"));
    expect(await send("application/json", BIG)).toMatchObject(errorAnswer("payload_too_large"));
    expect(await send("application/json", '{"surprise":1}')).toMatchObject(
      errorAnswer("invalid_request"),
    );
  });

  const anyQuery = [
    "/api/auth/oidc/callback",
    "/api/zones/:name",
    "/api/proofs/:slug",
    "/api/proofs/:slug/receipt",
    "/api/proofs/:slug/watch",
    "/api/handoffs/:slug",
  ];
  it.each(named.filter(({ endpoint }) => !anyQuery.includes(endpoint.path)))(
    "$name with a query parameter it does not know",
    async ({ endpoint }) => {
      const app = testApp();
      const answer = await call(app, endpoint.method, `${pathOf(endpoint)}?surprise=1`, {
        cookie: await signedIn(app),
      });
      expect(answer).toMatchObject(
        errorAnswer("invalid_request", 'There is no query parameter "surprise" here.'),
      );
    },
  );
});

describe("fields", () => {
  it.each([
    ["limit=0", "limit"],
    ["limit=101", "limit"],
    ["limit=1.5", "limit"],
    ["limit=ten", "limit"],
    ["archived=yes", "archived"],
    ["status=open", "status"],
    ["cursor=", "cursor"],
    ["limit=1&limit=2", "limit"],
  ])("names the one at fault in ?%s", async (query, field) => {
    const app = testApp();
    const answer = await call(app, "GET", `/api/domains?${query}`, { cookie: await signedIn(app) });
    expect(answer).toMatchObject(
      errorAnswer("invalid_request", expect.stringContaining(`"${field}"`)),
    );
  });

  it.each([
    [{}, "domain"],
    [{ domain: 1 }, "domain"],
    [{ domain: null }, "domain"],
    [{ domain: "acme.com", more: 1 }, "more"],
    [{ domain: "acme.com", __proto__x: 1 }, "__proto__x"],
  ])("names the one at fault in %j", async (json, field) => {
    const app = testApp();
    const answer = await call(app, "POST", "/api/domains", { cookie: await signedIn(app), json });
    expect(answer).toMatchObject(
      errorAnswer("invalid_request", expect.stringContaining(`"${field}"`)),
    );
  });
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
    const answer = await call(app, "GET", "/api/domains", {
      cookie: `session=${"a".repeat(43)}`,
    });
    expect(answer).toMatchObject(
      errorAnswer("internal", "Something failed on our side. It has been logged."),
    );
    expect(app.logged.join()).toContain("database connection is not open");
  });

  it("are unavailable while the service stops", async () => {
    const app = { ...testApp(), closing: AbortSignal.abort() };
    const { provideApp } = await import("#app/http/app.server.ts");
    provideApp(app);
    const answer = await call(app, "GET", "/api/auth/session");
    expect(answer).toMatchObject(errorAnswer("unavailable"));
    expect(answer.headers.get("Retry-After")).toBe("5");
  });

  it("are rate_limited past the account's budget, with Retry-After", async () => {
    const app = testApp({ RATE_LIMIT_API: "2/60" });
    const mara = await signedIn(app);
    await call(app, "GET", "/api/account", { cookie: mara });
    await call(app, "GET", "/api/notices", { cookie: mara });
    const answer = await call(app, "GET", "/api/account", { cookie: mara });
    expect(answer).toMatchObject(errorAnswer("rate_limited"));
    expect(Number(answer.headers.get("Retry-After"))).toBeGreaterThanOrEqual(1);
    const other = await signedIn(app, "noor@acme.com");
    expect((await call(app, "GET", "/api/account", { cookie: other })).status).toBe(200);
  });

  it("of /api/openapi.json are the description", async () => {
    const app = testApp();
    const { body } = await call(app, "GET", "/api/openapi.json");
    const description = openApiDocument(ENDPOINTS, app.settings);
    expect(body).toEqual(JSON.parse(JSON.stringify(description)));
    // Making it is costly, and anybody may ask.
    expect(openApiDocument(ENDPOINTS, app.settings)).toBe(description);
  });
});

describe("callEndpoint", () => {
  it("runs an endpoint as a call would: session, schemas, budget", async () => {
    const app = testApp({ RATE_LIMIT_API: "3/60" });
    const cookie = await signedIn(app);
    const request = () => requestTo(app, "/domains", { method: "POST", cookie });
    const added = await callEndpoint(createDomain, request(), { body: { domain: "acme.com" } });
    expect(added).toMatchObject({ status: 201, body: { name: "acme.com" } });
    const listed = await callEndpoint(browseDomains, request(), { query: { limit: "1" } });
    expect(listed.body.domains).toHaveLength(1);
    await expect(
      callEndpoint(createDomain, request(), { body: { domain: "acme.com", x: 1 } }),
    ).rejects.toMatchObject({ code: "invalid_request" });
    await expect(
      callEndpoint(createDomain, request(), { body: { domain: "acme.com" } }),
    ).rejects.toMatchObject({ code: "rate_limited" });
    await expect(
      callEndpoint(createDomain, requestTo(app, "/domains"), { body: { domain: "acme.com" } }),
    ).rejects.toMatchObject({ code: "unauthenticated" });
  });
});

describe("a client that has disconnected", () => {
  it("gets no response, and nothing is logged", async () => {
    const app = testApp();
    app.reader.readZone = (_, signal) => Promise.reject(signal.reason);
    const leaving = new AbortController();
    leaving.abort();
    const request = requestTo(app, "/api/zones/acme.com", { signal: leaving.signal });
    expect((await dispatch(request)).status).toBe(499);
    expect(app.logged).toEqual([]);
  });
});
