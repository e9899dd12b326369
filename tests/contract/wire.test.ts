import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect } from "vitest";
import type { Answer } from "../support/deed.ts";
import { contract, expectError, newName } from "./kit.ts";
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

describe(says("C17.15"), () => {
  it.each([
    // app/http/client-errors.test.ts has more of them.
    ["no Host", ["GET /api/health HTTP/1.1"]],
    ["a tunnel", ["CONNECT x:443 HTTP/1.1", "Host: x"]],
    ["a target of 17 KiB", [`GET /api/${"x".repeat(17_000)} HTTP/1.1`, "Host: x"]],
  ])("%s", async (_, lines) => {
    expectError(await raw(...lines), "invalid_request");
  });
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

it(says("C17.11"), async ({ client }) => {
  const domain = newName();
  const send = (encoding: string, body: string) =>
    client.request("POST", "/api/domains", {
      body,
      headers: { "content-type": "application/json", "content-encoding": encoding },
    });
  const json = JSON.stringify({ domain });
  for (const encoding of ["gzip", "identity, gzip"]) {
    expectError(await send(encoding, json), "unsupported_media_type");
  }
  expect((await send("identity", json)).status).toBe(201);
  const gzip = { "content-encoding": "gzip" };
  const form = await target().stranger().submit("/sign-in", { email: "a@acme.example" }, gzip);
  expect(form.status).toBe(415);
});
