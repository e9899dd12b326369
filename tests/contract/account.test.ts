import { expect } from "vitest";
import * as z from "zod";
import { contract, expectError, newEmail, shaped } from "./kit.ts";
import { says } from "./sentences.ts";

const { it, target } = contract();
const timestamp = z.iso.datetime({ precision: 3 });
const Account = z.strictObject({
  id: z.string(),
  email: z.string(),
  mailEnabled: z.boolean(),
  createdAt: timestamp,
});

it(says("C13.4"), async ({ client }) => {
  expect(shaped(await client.get("/api/account"), 200, Account).mailEnabled).toBe(true);
  const off = await client.request("PATCH", "/api/account", { json: { mailEnabled: false } });
  expect(shaped(off, 200, Account).mailEnabled).toBe(false);
  const before = target().mails().length;
  await target().prove(client, "hooli.com");
  expect((await client.get("/api/notices")).body).toMatchObject({ notices: [{ kind: "proved" }] });
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  expect(target().mails()).toHaveLength(before);
});

it(says("C13.3"), async () => {
  const email = newEmail();
  const client = await target().signIn(email);
  const { slug } = await target().publish(client, "acme.com");
  const { cookie } = client;
  for (const body of [undefined, {}, { email: newEmail() }])
    expectError(await client.delete("/api/account", body), "invalid_request");
  expect((await client.get("/api/account")).body).toMatchObject({ email });
  const erased = await client.delete("/api/account", { email });
  expect([erased.status, erased.text]).toEqual([204, ""]);
  client.cookie = cookie;
  expectError(await client.get("/api/account"), "unauthenticated");
  expectError(await target().stranger().get(`/api/proofs/${slug}`), "proof_not_found");
  const again = await target().signIn(email);
  expect((await again.get("/api/domains")).body).toMatchObject({ domains: [] });
});
