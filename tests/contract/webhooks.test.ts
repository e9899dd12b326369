import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect } from "vitest";
import { DEFAULT_EVENTS, EVENTS_SHOWN } from "#app/features/webhooks/events.ts";

import { type Client, keyOf, openClaim } from "../support/deed.ts";

import { Hooks, type Post } from "../support/hooks.ts";
import { joinTo } from "../support/invitation.ts";
import { isByTestKey, known, passTime } from "./by-test-key.ts";
import { contract, expectError, newName, waitFor } from "./kit.ts";
import { says } from "./sentences.ts";

type Json = Record<string, unknown>;
const { it, target } = contract();
const hooks = new Hooks();
const { posts } = hooks;
let origin = "";
beforeAll(async () => {
  origin = await hooks.open();
});
afterAll(() => hooks.close());

const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const id = (prefix: string) => expect.stringMatching(new RegExp(`^${prefix}_[0-9a-z]{16,}$`));
const secretForm = expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/);

/** What is posted or mailed comes later where the machine is busy. */
const PATIENTLY = { timeout: 30_000 };

let paths = 0;
async function added(client: Client, events?: string[]) {
  const path = `/${paths++}`;
  const json = { url: origin + path, ...(events ? { events } : {}) };
  const { status, body } = await client.post("/api/webhooks", json);
  expect(status).toBe(201);
  const webhook = body as Json & { id: string; url: string; secret: string };
  const its = () => posts.filter((post) => post.path === path);
  const came = async (type: string): Promise<Post> => {
    await passTime(client);
    const find = () => its().find(({ body }) => JSON.parse(body).type === type);
    await expect.poll(find, PATIENTLY).toBeDefined();
    return find() as Post;
  };
  return { ...webhook, its, came, at: `/api/webhooks/${webhook.id}` };
}

const shape = {
  id: id("whk"),
  events: DEFAULT_EVENTS,
  disabledBecause: null,
  disabledAt: null,
  previousSecretUntil: null,
  createdAt: at,
};

it(says("C26.1", "C26.2", "C26.15"), async ({ client }) => {
  const url = "https://hooks.invalid/deed";
  const made = (await client.post("/api/webhooks", { url })).body as { id: string };
  expect(made).toEqual({ ...shape, url, secret: secretForm });
  const path = `/api/webhooks/${made.id}`;
  expect((await client.get("/api/webhooks")).body).toEqual({ webhooks: [{ ...shape, url }] });
  const changed = await client.request("PATCH", path, { json: { events: ["claim.proved"] } });
  expect(changed.body).toEqual({ ...shape, url, events: ["claim.proved"] });
  expect((await client.get(path)).body).toEqual(changed.body);
  const off = await client.request("PATCH", path, { json: { enabled: false } });
  expect(off.body).toMatchObject({ disabledBecause: "holder", disabledAt: at });
  expectError(await client.post(`${path}/test`), "webhook_disabled");
  const on = await client.request("PATCH", path, { json: { enabled: true } });
  expect(on.body).toMatchObject({ disabledBecause: null, disabledAt: null });
  expectError(await client.get(`${path}/deliveries/dlv_unknown`), "delivery_not_found");
  for (let more = 1; more < 10; more++) await client.post("/api/webhooks", { url });
  expectError(await client.post("/api/webhooks", { url }), "too_many_webhooks");
  expect((await client.delete(path)).status).toBe(204);
  expectError(await client.get(path), "webhook_not_found");
});

it(says("C26.18"), async () => {
  const mara = await target().browser();
  const { client: kim, id: kims } = await joinTo(target(), mara);
  const by = async (scopes: string[]) => {
    const headers = { authorization: `Bearer ${(await keyOf(kim, scopes)).key}` };
    return (method: string, path: string, json?: object) =>
      target().stranger().request(method, path, { headers, json });
  };
  const program = await by(["webhooks:manage"]);
  const url = "https://hooks.invalid/deed";
  const made = (await program("POST", "/api/webhooks", { url })).body as { id: string };
  expect(made).toEqual({ ...shape, url, secret: secretForm });
  const path = `/api/webhooks/${made.id}`;
  expect((await program("POST", `${path}/rotate`)).body).toMatchObject({ secret: secretForm });
  expectError(await program("GET", "/api/domains"), "insufficient_scope");
  const other = await by(["zones:read", "domains:read", "domains:write"]);
  for (const below of ["", "/deliveries"])
    expectError(await other("GET", path + below), "insufficient_scope");
  expectError(await other("POST", "/api/webhooks", { url }), "insufficient_scope");
  expectError(await other("POST", `${path}/rotate`), "insufficient_scope");
  expect((await mara.request("DELETE", `/api/people/${kims}`)).status).toBe(204);
  expect((await mara.get(path)).body).toMatchObject({ disabledBecause: "person_left" });
});

it(`${says("C26.19")}; Deed's own address is treated as any stranger's is there`, async ({
  client,
}) => {
  const ended = async (url: string) => {
    const { id } = (await client.post("/api/webhooks", { url })).body as { id: string };
    const { body } = await client.post(`/api/webhooks/${id}/test`);
    const path = `/api/webhooks/${id}/deliveries/${(body as { id: string }).id}`;
    return waitFor(client, path, ({ tries }) => tries === 1, 60);
  };
  const at = (path: string) => new URL(path, target().url.replace("localhost", "127.0.0.1")).href;
  const [nobody, own, ownForm] = await Promise.all(
    [`https://${newName()}/`, at("/api/domains"), at("/domains")].map(ended),
  );
  expect(nobody).toMatchObject({
    status: null,
    reason: expect.stringMatching(/^name_not_found|timeout$/),
  });
  for (const answer of [own, ownForm]) {
    expect(answer?.status).toBeGreaterThanOrEqual(300);
    expect(answer?.status).toBeLessThan(500);
  }
});

it(says("C26.3"), async ({ client }) => {
  const plain = ["http://8.8.8.8/", "http://hooks.example/", "http://localhost:8080/"];
  const addresses = ["https://10.0.0.1/", "https://[::ffff:7f00:1]:8443/"];
  const odd =
    "https://user@example.org/ https://example.org/#x https://example.org:25/ ftp://example.org/";
  for (const url of [...plain, ...addresses, ...odd.split(" ")]) {
    const answer = await client.post("/api/webhooks", { url });
    expectError(answer, "invalid_request", {}, url);
    expect(answer.text).toContain('\\"url\\"');
  }
});

it(says("C26.4", "C26.5", "C26.6", "C26.7", "C26.8"), async ({ client }) => {
  const webhook = await added(client, EVENTS_SHOWN);
  const zone = known("acme.com");
  const claim = await openClaim(client, zone);
  await client.post(`/api/claims/${claim.id}/handoff`);
  target().publishRecord(zone, `${claim.name}.${zone}`, claim.token);
  const run = () => client.post(`/api/verifications/${claim.verificationId}/runs`);
  const seen = (await run()).body as Json;
  const told = await webhook.came("claim.needs_attention");
  const opened = new Webhook(webhook.secret).verify(told.body, told.headers);
  expect(opened).toEqual({
    type: "claim.needs_attention",
    timestamp: at,
    data: {
      claim: expect.objectContaining({ id: claim.id, state: "pending" }),
      verification: { ...seen, nextRunAt: at },
    },
  });
  expect(told.headers["webhook-id"]).toEqual(id("msg"));
  expect(JSON.stringify(opened)).not.toContain("coexistence");
  await client.post(`/api/claims/${claim.id}/cancel`);
  const { body } = await webhook.came("claim.ended");
  expect(JSON.parse(body).data.claim).toMatchObject({ state: "canceled", records: [] });
  expect(webhook.its().map((post) => JSON.parse(post.body).type)).toEqual([
    "domain.created",
    "claim.opened",
    "handoff.opened",
    "verification.ran",
    "claim.needs_attention",
    "claim.ended",
  ]);
});

it(says("C26.9", "C26.10", "C26.11"), async ({ client }) => {
  const webhook = await added(client);
  hooks.status = 307;
  await client.post("/api/domains", { domain: newName() });
  const waiting = await waitFor(
    client,
    `${webhook.at}/deliveries`,
    (body) => (body.deliveries as Json[])[0]?.tries === 1,
    60,
  );
  expect((waiting.deliveries as Json[])[0]).toMatchObject({ state: "pending", status: 307 });
  expect(posts.some(({ path }) => path === "/elsewhere")).toBe(false);
  hooks.status = 410;
  const { id: delivery } = (waiting.deliveries as { id: string }[])[0] ?? { id: "" };
  await client.post(`${webhook.at}/deliveries/${delivery}/resend`);
  await waitFor(client, webhook.at, ({ disabledBecause }) => disabledBecause !== null, 60);
  expect((await client.get(webhook.at)).body).toMatchObject({ disabledBecause: "gone" });
  hooks.status = 204;
  // People do not see test mode, and its mails are sent to nobody (C32.1, C32.4).
  if (isByTestKey) return;
  expect((await client.get("/notices")).text).toContain("answered 410");
  await expect.poll(() => target().mails().join(), PATIENTLY).toContain("no longer sends events");
});

it(says("C26.12", "C26.13", "C26.14"), async ({ client }) => {
  const webhook = await added(client);
  const rotated = (await client.post(`${webhook.at}/rotate`)).body as { secret: string };
  expect(rotated).toMatchObject({ secret: secretForm, previousSecretUntil: at });
  const test = await client.post(`${webhook.at}/test`);
  expect(test.status).toBe(202);
  const post = await webhook.came("webhook.test");
  for (const secret of [webhook.secret, rotated.secret])
    expect(new Webhook(secret).verify(post.body, post.headers)).toBeTruthy();
  const { id: delivery, messageId } = test.body as { id: string; messageId: string };
  const path = `${webhook.at}/deliveries/${delivery}`;
  const done = await waitFor(client, path, ({ state }) => state === "delivered", 60);
  expect(done).toEqual({
    ...{ id: id("dlv"), messageId, type: "webhook.test", state: "delivered", tries: 1 },
    ...{ createdAt: at, triedAt: at, nextTryAt: null, status: 204, reason: null, answer: "" },
    ...{ latencyMs: expect.any(Number), body: post.body },
  });
  expect((await client.post(`${path}/resend`)).status).toBe(202);
  await waitFor(client, path, ({ state }) => state === "delivered", 60);
  expect(new Set(webhook.its().map(({ headers }) => headers["webhook-id"]))).toEqual(
    new Set([messageId]),
  );
});

it(says("C25.8", "C26.11"), async () => {
  const mara = await target().browser();
  const { id: keyId, key } = await keyOf(mara, ["webhooks:manage"]);
  const headers = { authorization: `Bearer ${key}` };
  const byKey = (method: string, path: string, json?: object) =>
    target().stranger().request(method, path, { headers, json });
  const addedBy = async (path: string) => {
    const answer = await byKey("POST", "/api/webhooks", { url: `${origin}/${path}` });
    return answer.body as { id: string; url: string };
  };
  const came = (path: string) => posts.filter((post) => post.path === `/${path}`).length;
  const [own, byPerson] = [await addedBy("of-a-key"), await addedBy("of-a-person")];
  await mara.post(`/api/webhooks/${byPerson.id}/rotate`);

  const page = await mara.get(`/account/keys/${keyId}?revoke`);
  expect([page.text.includes(own.url), page.text.includes(byPerson.url)]).toEqual([true, false]);
  const revoked = await mara.delete(`/api/keys/${keyId}`);
  const disabledWebhooks = [{ id: own.id, url: own.url }];
  expect([revoked.status, revoked.body]).toEqual([200, { disabledWebhooks }]);
  expectError(await byKey("GET", "/api/webhooks"), "invalid_api_key");
  const at = `/api/webhooks/${own.id}`;
  expect((await mara.get(at)).body).toMatchObject({ disabledBecause: "key_revoked" });
  await mara.expect(201, "POST", "/api/domains", { domain: newName() });
  await expect.poll(() => came("of-a-person"), PATIENTLY).toBe(1);
  expect(came("of-a-key")).toBe(0);
  const link = `/account/webhooks/${own.id}`;
  await expect.poll(() => target().mails().join(), PATIENTLY).toContain(link);
  await mara.request("PATCH", at, { json: { enabled: true } });
  await expect.poll(() => came("of-a-key"), PATIENTLY).toBe(1);
});

it(says("C26.16", "C26.17"), async ({ client }) => {
  const webhook = await added(client);
  const { id: domain } = await client.expect(201, "POST", "/api/domains", { domain: newName() });
  await webhook.came("domain.created");
  await client.delete(`/api/domains/${domain}`);
  const { body } = await webhook.came("domain.deleted");
  expect(JSON.parse(body).data).toEqual({ domain: { id: domain } });
  const { deliveries } = (await client.get(`${webhook.at}/deliveries`)).body as {
    deliveries: Json[];
  };
  expect(deliveries.map(({ type }) => type)).toEqual(["domain.deleted"]);
  const description = (await client.get("/api/openapi.json")).body as { webhooks: Json };
  expect(Object.keys(description.webhooks).toSorted()).toEqual(
    [...EVENTS_SHOWN, "webhook.test"].toSorted(),
  );
});

it(says("C13.12", "C26.21"), async () => {
  const mara = await target().signIn();
  const { client: kim, id: kims, email } = await joinTo(target(), mara);
  const created = await kim.post("/api/keys", { name: "Kim's CI", scopes: ["domains:read"] });
  const { key } = created.body as { key: string };
  const [own, moved, taken] = [await added(kim), await added(mara), await added(kim)];
  await kim.request("PATCH", moved.at, { json: { url: `${origin}/kims` } });
  await mara.post(`${taken.at}/rotate`);
  await mara.post("/api/domains", { domain: newName() });
  await Promise.all([own.came("domain.created"), taken.came("domain.created")]);

  expect((await mara.request("DELETE", `/api/people/${kims}`)).status).toBe(204);
  await mara.post("/api/domains", { domain: newName() });
  await expect.poll(() => taken.its().length, PATIENTLY).toBe(2);
  expect([own.its().length, posts.filter(({ path }) => path === "/kims").length]).toEqual([1, 1]);
  for (const { at: path } of [own, moved])
    expect((await mara.get(path)).body).toMatchObject({
      disabledBecause: "person_left",
      disabledAt: at,
    });
  expect((await mara.get(taken.at)).body).toMatchObject({ disabledBecause: null });
  const headers = { authorization: `Bearer ${key}` };
  expectError(
    await target().stranger().request("GET", "/api/domains", { headers }),
    "invalid_api_key",
  );
  const mails = () =>
    target()
      .mails()
      .filter((mail) => mail.includes(`${email} is no longer`));
  await expect.poll(() => mails().length, PATIENTLY).toBe(1);
  for (const text of ["Kim's CI", own.url, `${origin}/kims`]) expect(mails()[0]).toContain(text);
  expect(mails()[0]).not.toContain(taken.url);
});
