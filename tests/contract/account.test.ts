import { expect } from "vitest";
import * as z from "zod";
import { isByTestKey } from "./by-test-key.ts";
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
const Sessions = z.strictObject({
  sessions: z.array(
    z.strictObject({
      id: z.string(),
      current: z.boolean(),
      userAgent: z.string(),
      createdAt: timestamp,
      lastUsedAt: timestamp,
      expiresAt: timestamp,
    }),
  ),
});

it(says("C13.1"), async () => {
  const email = newEmail();
  const [desk, phone] = [await target().browser(email), await target().browser(email)];
  const noor = await target().signIn();
  const { sessions } = shaped(await desk.get("/api/account/sessions"), 200, Sessions);
  expect(sessions).toHaveLength(2);
  expect(sessions.filter(({ current }) => current)).toHaveLength(1);
  const other = sessions.find(({ current }) => !current)?.id;
  const foreign = await noor.delete(`/api/account/sessions/${other}`);
  expectError(foreign, "session_not_found");
  expect(foreign.text).toBe((await noor.delete("/api/account/sessions/ses_nothing")).text);
  expect((await desk.delete(`/api/account/sessions/${other}`)).status).toBe(204);
  expectError(await phone.get("/api/domains"), "unauthenticated");
  expect((await desk.get("/api/domains")).status).toBe(200);
});

it(says("C13.2"), async () => {
  const email = newEmail();
  const [desk, phone] = [await target().browser(email), await target().browser(email)];
  const { cookie } = desk;
  expect((await desk.post("/api/auth/sign-out-everywhere")).status).toBe(204);
  desk.cookie = cookie;
  for (const client of [desk, phone])
    expectError(await client.get("/api/domains"), "unauthenticated");
});

it(says("C13.4"), async () => {
  const email = newEmail();
  const client = await target().signIn(email);
  expect(shaped(await client.get("/api/account"), 200, Account).mailEnabled).toBe(true);
  const off = await client.request("PATCH", "/api/account", { json: { mailEnabled: false } });
  expect(shaped(off, 200, Account).mailEnabled).toBe(false);
  await target().prove(client, "hooli.com");
  expect((await client.get("/api/notices")).body).toMatchObject({ notices: [{ kind: "proved" }] });
  await client.request("PATCH", "/api/account", { json: { mailEnabled: true } });
  await target().prove(client, "globex.com");
  const mails = () =>
    target()
      .mails()
      .filter((mail) => mail.includes(`\nTo: ${email}\n`))
      .join();
  if (!isByTestKey) await expect.poll(mails, { timeout: 30_000 }).toContain("globex.com is proved");
  expect(mails()).not.toContain("hooli.com");
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
