import { beforeAll, describe, expect } from "vitest";
import { ERRORS, type ErrorCode } from "#app/core/errors.server.ts";
import { ENDPOINTS } from "#app/endpoints.server.ts";
import type { Client } from "../support/deed.ts";
import { contract, expectError, newName } from "./kit.ts";
import { says } from "./sentences.ts";

const { it, target } = contract();
const calls = ENDPOINTS.map(({ method, path, session }) => ({
  name: `${method} ${path}`,
  method,
  path: path.replace(/:\w+/g, "nothing"),
  session,
}));
const account = calls.filter(({ session }) => session === true);
const writes = calls.filter(({ method }) => method !== "GET");

describe(says("C12.8"), () => {
  it.each(account)("$name", async ({ method, path }) => {
    expectError(await target().stranger().request(method, path), "unauthenticated");
  });
});

describe(says("C17.7", "C2.1"), () => {
  it.each(calls)("$name", async ({ path }) => {
    const answer = await target().stranger().request("PROPFIND", path);
    expectError(answer, "method_not_allowed");
    const allow = answer.headers.get("allow")?.split(", ") ?? [];
    const taken = calls.filter((one) => one.path === path).map(({ method }) => method);
    const head = taken.includes("GET") ? ["HEAD"] : [];
    expect(allow.sort()).toEqual([...new Set([...taken, ...head, "OPTIONS"])].sort());
  });
});

describe(says("C17.10", "C17.11"), () => {
  let client: Client;
  beforeAll(async () => {
    client = await target().signIn();
  });
  it.each(writes)("$name", async ({ method, path }) => {
    const send = (body: string, type: string) =>
      client.request(method, path, { body, headers: { "content-type": type } });
    expectError(await send("x".repeat(1024 * 1024), "application/json"), "payload_too_large");
    expectError(await send("a=1", "application/x-www-form-urlencoded"), "unsupported_media_type");
    expectError(await send("{}", "text/plain"), "unsupported_media_type");
    for (const body of ["{", "[]", "null x", '"text"', '{"surprise":1}'])
      expectError(await send(body, "application/json"), "invalid_request");
    expect((await client.get("/api/auth/session")).body).toMatchObject({ session: {} });
  });
});

describe(says("C17.2"), () => {
  const anyQuery = [
    "/api/auth/oidc/callback",
    "/api/zones/nothing",
    "/api/proofs/nothing",
    "/api/proofs/nothing/receipt",
    "/api/proofs/nothing/watch",
    "/api/handoffs/nothing",
  ];
  let client: Client;
  beforeAll(async () => {
    client = await target().signIn();
  });
  it.each(calls.filter(({ path }) => !anyQuery.includes(path)))(
    "$name?surprise=1",
    async ({ method, path }) => {
      for (const query of ["surprise=1", "_data=routes%2F_index", "surprise"]) {
        const answer = await client.request(method, `${path}?${query}`);
        expectError(answer, "invalid_request");
        expect(answer.text).toContain(query.startsWith("_data") ? "_data" : "surprise");
      }
    },
  );
});

describe(says("C18.2"), () => {
  it.each(calls.filter(({ path }) => path !== "/api/events"))("$name", async ({ method, path }) => {
    const stranger = target().stranger();
    const options = await stranger.request("OPTIONS", path);
    expect([options.status, options.text]).toEqual([204, ""]);
    expect(options.headers.get("allow")).toContain(method);
    if (method !== "GET") return;
    const [head, got] = [await stranger.request("HEAD", path), await stranger.get(path)];
    expect([head.status, head.text]).toEqual([got.status, ""]);
    expect(head.headers.get("content-type")).toBe(got.headers.get("content-type"));
  });
});

it(says("C17.6"), async ({ client }) => {
  for (const path of ["/api", "/api/", "/api/nothing", "/api/domains/a/b", "/api/v1/domains"])
    for (const method of ["GET", "POST", "DELETE"])
      expectError(await client.request(method, path), "not_found");
});

it(says("C17.14"), async ({ client }) => {
  for (const { method, path } of ENDPOINTS.filter(({ params }) => params))
    for (const broken of ["%", "%zz", "%c3", "%ff%fe", "a%2"]) {
      const answer = await client.request(method, path.replace(/:\w+/g, broken));
      expectError(answer, path.includes(":name") ? "invalid_domain" : "invalid_request");
    }
  expectError(await client.get("/api/%zz"), "not_found");
  expectError(await client.get("/api/domains?name=%zz"), "invalid_domain");
});

it(says("C17.16"), async () => {
  const page = await target().stranger().get("/docs/errors");
  expect(page.status).toBe(200);
  for (const code of Object.keys(ERRORS) as ErrorCode[])
    expect(page.text).toContain(`id="${code}"`);
});

it(`${says("C2.1")}: every code is one of the table`, async ({ client }) => {
  const answer = await client.post("/api/claims", { domainId: newName() });
  expectError(answer, "domain_not_found");
  expect(Object.keys(answer.body as object)).toEqual(["error"]);
});

it(says("C2.13"), async ({ client }) => {
  const sent = { "x-request-id": "mine" };
  const ids = new Set<string>();
  for (const path of [
    "/api/domains",
    "/api/nothing",
    "/",
    "/favicon.svg",
    "/p/nothing",
    "/p/nothing",
  ]) {
    const { headers } = await client.request("GET", path, { headers: sent });
    ids.add(headers.get("x-request-id") ?? "");
  }
  expect(ids.size).toBe(6);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
});

it(`${says("C17.2")}: which one`, async ({ client }) => {
  const paramOf = async (method: string, path: string, json?: object) => {
    const { body } = await client.request(method, path, { json });
    return (body as { error: { param: string | null } }).error.param;
  };
  const by = `/api/domains/by-name/${newName()}`;
  expect(await paramOf("PUT", by, { handoff: { title: 7 } })).toBe("handoff.title");
  expect(await paramOf("PUT", by, { handoff: { other: 7 } })).toBe("handoff.other");
  expect(await paramOf("PUT", by, { handoff: { returnUrl: "nothing" } })).toBe("returnUrl");
  expect(await paramOf("PUT", by, { "\u202e": 7 })).toBeNull();
  expect(await paramOf("PUT", by, [])).toBeNull();
  expect(await paramOf("GET", "/api/domains?limit=x")).toBe("limit");
  expect(await paramOf("GET", "/api/domains?limit=1&limit=2")).toBe("limit");
  expect(await paramOf("GET", "/api/domains?cursor=x")).toBe("cursor");
  expect(await paramOf("GET", "/api/domains/%zz")).toBe("id");
  expect(await paramOf("POST", "/api/webhooks", { url: "nothing" })).toBe("url");
});
