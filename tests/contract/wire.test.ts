import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect } from "vitest";
import { DomainList } from "#app/features/domains/resources.ts";
import type { Answer, Client } from "../support/deed.ts";
import { contract, expectError, newName, shaped } from "./kit.ts";
import { says } from "./sentences.ts";

const { it, target } = contract();

/** Sends raw lines, which no client library would send, and reads the response to its end. */
async function raw(...lines: string[]): Promise<Answer> {
  const { hostname, port } = new URL(target().url);
  const socket = connect(Number(port), hostname);
  socket.write(`${lines.join("\r\n")}\r\n\r\n`);
  const [head = "", body = ""] = (await text(socket)).split("\r\n\r\n");
  const [status = "", ...fields] = head.split("\r\n");
  const headers = new Headers(
    fields.map((field) => field.split(/: (.*)/).slice(0, 2) as [string, string]),
  );
  const isJson = headers.get("content-type")?.startsWith("application/json") ?? false;
  return {
    status: Number(status.split(" ")[1]),
    headers,
    text: body,
    body: isJson ? JSON.parse(body) : null,
  };
}

const CHUNKED = ["Content-Type: application/json", "Transfer-Encoding: chunked"];

describe(says("C17.15"), () => {
  it.each([
    ["no Host", ["GET /api/health HTTP/1.1"]],
    ["two Hosts", ["GET /api/health HTTP/1.1", "Host: x", "Host: x"]],
    ["a page without Host", ["GET / HTTP/1.1"]],
    ["an expectation", ["POST /api/domains HTTP/1.1", "Host: x", "Expect: 200-ok"]],
    ["a tunnel", ["CONNECT x:443 HTTP/1.1", "Host: x"]],
    ["HTTP/2", ["PRI * HTTP/2.0", "", "SM"]],
    ["a method of nobody", ["BREW /api/domains HTTP/1.1", "Host: x"]],
    ["a target of 17 KiB", [`GET /api/${"x".repeat(17_000)} HTTP/1.1`, "Host: x"]],
    ["headers of 17 KiB", ["GET /api/health HTTP/1.1", "Host: x", `X-Long: ${"x".repeat(17_000)}`]],
    [
      "a length and chunks",
      ["POST /api/domains HTTP/1.1", "Host: x", "Content-Length: 2", "Transfer-Encoding: chunked"],
    ],
    ["chunks that are none", ["POST /api/domains HTTP/1.1", "Host: x", ...CHUNKED, "", "zz"]],
  ])("%s", async (_, lines) => {
    expectError(await raw(...lines), "invalid_request");
  });
});

const get = (path: string, client: Client) => {
  const identity = Object.entries(client.identityFor(path)).map((pair) => pair.join(": "));
  return raw(`GET ${path} HTTP/1.1`, "Host: localhost", ...identity, "Connection: close");
};

it(says("C18.3"), async ({ client }) => {
  const missing = await client.get("/api/domains/nothing");
  expectError(missing, "domain_not_found");
  for (const dots of ["%2e%2e", "..", ".%2E", "%2e", "."]) {
    expect((await get(`/api/domains/${dots}`, client)).text).toBe(missing.text);
    expectError(await get(`/api/domains/${dots}/claims`, client), "not_found");
    expectError(await get(`/api/${dots}/health`, client), "not_found");
    expectError(await get(`/api/proofs/${dots}`, client), "proof_not_found");
    for (const page of [`/docs/${dots}/domains`, `/${dots}/docs`, `/domains/${dots}`, `/p/${dots}`])
      expect([page, (await get(page, client)).status]).toEqual([page, 404]);
  }
  expect((await get("/domains", client)).status).toBe(200);
});

it(says("C18.4"), async ({ client, stranger }) => {
  const { slug } = await target().publish(client, "acme.com");
  for (const query of ["utm_source=x", "utm_source=x&utm_source=y", "fbclid", "%zz"]) {
    const proof = await stranger.get(`/api/proofs/${slug}?${query}`);
    expect([proof.status, proof.text]).toEqual([
      200,
      (await stranger.get(`/api/proofs/${slug}`)).text,
    ]);
    expect((await stranger.get(`/p/${slug}?${query}`)).status).toBe(200);
    expect((await stranger.get(`/api/zones/acme.com?${query}`)).status).toBe(200);
  }
  expectError(await stranger.get("/api/proofs/nothing?utm_source=x"), "proof_not_found");
  expectError(await client.get("/api/domains?utm_source=x"), "invalid_request");
});

it(says("C18.5"), async ({ client }) => {
  for (let i = 0; i < 2; i++) await client.post("/api/domains", { domain: newName() });
  const list = shaped(await client.get("/api/domains?limit=1"), 200, DomainList);
  const page = (cursor: string) => client.get(`/api/domains?limit=1&cursor=${cursor}`);
  const { nextCursor } = list;
  expect((await page(`${nextCursor}`)).status).toBe(200);
  for (const odd of ["%20C", "C%20", "C=", "C%3D%3D", "C%0A", "%00C", "C.", "CC", "!C"])
    expectError(await page(odd.replaceAll("C", `${nextCursor}`)), "invalid_request");
});

it(says("C17.11"), async ({ client }) => {
  const domain = newName();
  const send = (encoding: string, body: string) =>
    client.request("POST", "/api/domains", {
      body,
      headers: { "content-type": "application/json", "content-encoding": encoding },
    });
  const json = JSON.stringify({ domain });
  for (const encoding of ["gzip", "br", "deflate", "identity, gzip"]) {
    expectError(await send(encoding, json), "unsupported_media_type");
  }
  expect((await send("identity", json)).status).toBe(201);
  const gzip = { "content-encoding": "gzip" };
  const form = await target().stranger().submit("/sign-in", { email: "a@acme.example" }, gzip);
  expect(form.status).toBe(415);
});
