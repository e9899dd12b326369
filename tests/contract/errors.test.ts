import { expect } from "vitest";
import { ERRORS, type ErrorCode } from "#app/core/errors.server.ts";
import { ENDPOINTS } from "#app/endpoints.server.ts";
import { contract, expectError, newName } from "./kit.ts";
import { says } from "./sentences.ts";

const { it, target } = contract();
const calls = ENDPOINTS.map(({ method, path }) => ({
  name: `${method} ${path}`,
  method,
  path: path.replace(/:\w+/g, "nothing"),
}));

it(says("C17.7", "C2.1"), async ({ stranger }) => {
  for (const { path } of calls) {
    const answer = await stranger.request("PROPFIND", path);
    expectError(answer, "method_not_allowed");
    const taken = calls.filter((one) => one.path === path).map(({ method }) => method);
    const allowed = [...taken, ...(taken.includes("GET") ? ["HEAD"] : []), "OPTIONS"];
    const allow = answer.headers.get("allow")?.split(", ") ?? [];
    expect([path, ...allow.sort()]).toEqual([path, ...new Set(allowed.sort())]);
  }
});

it(says("C17.10", "C17.11"), async ({ client, stranger }) => {
  const large = "x".repeat(17 * 1024);
  for (const { name, method, path } of calls.filter(({ method }) => method !== "GET")) {
    const refused = async (code: ErrorCode, body: string, type = "application/json") =>
      expectError(
        await client.request(method, path, { body, headers: { "content-type": type } }),
        code,
        {},
        name,
      );
    await refused("payload_too_large", large);
    await refused("unsupported_media_type", "a=1", "application/x-www-form-urlencoded");
    await refused("unsupported_media_type", "{}", "text/plain");
    for (const body of ["{", "[]", "null x", '"text"', '{"surprise":1}'])
      await refused("invalid_request", body);
  }
  expect((await client.get("/api/auth/session")).body).toMatchObject({ session: {} });
  const send = (encoding: string) =>
    client.request("POST", "/api/domains", {
      body: JSON.stringify({ domain: newName() }),
      headers: { "content-type": "application/json", "content-encoding": encoding },
    });
  for (const encoding of ["gzip", "identity, gzip"])
    expectError(await send(encoding), "unsupported_media_type");
  expect((await send("identity")).status).toBe(201);
  const gzip = { "content-encoding": "gzip" };
  const form = await stranger.submit("/sign-in", { email: "a@acme.example" }, gzip);
  expect(form.status).toBe(415);
});

it(says("C17.2"), async ({ client }) => {
  const anyQuery = ["auth/oidc/callback", "zones/nothing", "handoffs/nothing"];
  anyQuery.push(...["", "/receipt", "/watch"].map((part) => `proofs/nothing${part}`));
  for (const { name, method, path } of calls)
    for (const query of ["surprise=1", "_data=routes%2F_index", "surprise"]) {
      // A gate says no to whatever it does not know (C25.18).
      if (anyQuery.includes(path.slice("/api/".length)) || /^\/api\/gate\//.test(path)) continue;
      const needed = `${method} ${path}` === "DELETE /api/domains" ? "reference=none&" : "";
      const answer = await client.request(method, `${path}?${needed}${query}`);
      expectError(answer, "invalid_request", {}, name);
      expect(answer.text).toContain(query.startsWith("_data") ? "_data" : "surprise");
    }
});

it(says("C18.4"), async ({ client, stranger }) => {
  const { slug } = await target().publish(client, "acme.com");
  const { text } = await stranger.get(`/api/proofs/${slug}`);
  for (const query of ["utm_source=x", "utm_source=x&utm_source=y", "fbclid", "%zz"]) {
    const proof = await stranger.get(`/api/proofs/${slug}?${query}`);
    expect([proof.status, proof.text]).toEqual([200, text]);
    for (const path of [`/p/${slug}`, "/api/zones/acme.com"])
      expect((await stranger.get(`${path}?${query}`)).status).toBe(200);
  }
});

it(says("C18.2"), async ({ stranger }) => {
  for (const { method, path } of calls.filter(({ path }) => path !== "/api/events")) {
    const options = await stranger.request("OPTIONS", path);
    expect([options.status, options.text]).toEqual([204, ""]);
    expect(options.headers.get("allow")).toContain(method);
    if (method !== "GET") continue;
    const [head, got] = [await stranger.request("HEAD", path), await stranger.get(path)];
    expect([path, head.status, head.text]).toEqual([path, got.status, ""]);
    expect(head.headers.get("content-type")).toBe(got.headers.get("content-type"));
  }
  for (const path of ["/docs", "/.well-known/jwks.json"])
    for (const [method, status] of Object.entries({ OPTIONS: 204, POST: 405 })) {
      const { headers, ...answer } = await stranger.request(method, path);
      const allow = headers.get("allow");
      expect([path, answer.status, allow]).toEqual([path, status, "GET, HEAD, OPTIONS"]);
    }
});

it(says("C17.6"), async ({ client }) => {
  for (const path of ["/api", "/api/", "/api/nothing", "/api/domains/a/b", "/api/v1/domains"])
    for (const method of ["GET", "POST", "DELETE"])
      expectError(await client.request(method, path), "not_found");
});

it(says("C17.14"), async ({ client }) => {
  for (const { method, path } of ENDPOINTS.filter(({ path }) => path.includes(":")))
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

it(says("C1.8", "C22.4"), async ({ stranger }) => {
  const asked = {
    origin: "https://elsewhere.example",
    authorization: "Bearer key",
    "access-control-request-method": "GET",
    "access-control-request-headers": "authorization",
  };
  for (const method of ["GET", "OPTIONS"]) {
    const { headers } = await stranger.request(method, "/api/domains", { headers: asked });
    expect([...headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
  }
});

it(says("C2.13"), async ({ client }) => {
  const ids = new Set<string>();
  for (const path of "/api/domains /api/nothing / /favicon.svg /p/nothing /p/nothing".split(" ")) {
    const { headers } = await client.request("GET", path, { headers: { "x-request-id": "mine" } });
    ids.add(headers.get("x-request-id") ?? "");
  }
  expect(ids.size).toBe(6);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
});
