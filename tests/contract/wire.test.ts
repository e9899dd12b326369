import { expect } from "vitest";
import { contract, expectError, newName } from "./kit.ts";
import { says } from "./sentences.ts";

const { it, target } = contract();

it(says("C18.4"), async ({ client, stranger }) => {
  const { slug } = await target().publish(client, "acme.com");
  const { text } = await stranger.get(`/api/proofs/${slug}`);
  for (const query of ["utm_source=x", "utm_source=x&utm_source=y", "fbclid", "%zz"]) {
    const proof = await stranger.get(`/api/proofs/${slug}?${query}`);
    expect([proof.status, proof.text]).toEqual([200, text]);
    expect((await stranger.get(`/p/${slug}?${query}`)).status).toBe(200);
    expect((await stranger.get(`/api/zones/acme.com?${query}`)).status).toBe(200);
  }
  expectError(await client.get("/api/domains?utm_source=x"), "invalid_request");
});

it(says("C17.11"), async ({ client, stranger }) => {
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
