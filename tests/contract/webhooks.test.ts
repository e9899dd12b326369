import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect } from "vitest";
import { DEFAULT_EVENTS, EVENTS_SHOWN } from "#app/features/webhooks/events.ts";

import { type Client, openClaim, poll } from "../support/deed.ts";

import { Hooks, type Post } from "../support/hooks.ts";
import { contract, expectError, newName } from "./kit.ts";
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
async function added(client: Client, events?: string[], kind?: string) {
  const path = `/${paths++}`;
  const json = { url: origin + path, ...(events && { events }), ...(kind && { kind }) };
  const { status, body } = await client.post("/api/webhooks", json);
  expect(status).toBe(201);
  const webhook = body as Json & { id: string; url: string; secret: string };
  const its = () => posts.filter((post) => post.path === path);
  const came = async (type: string): Promise<Post> => {
    const find = () => its().find(({ body }) => JSON.parse(body).type === type);
    await expect.poll(find, PATIENTLY).toBeDefined();
    return find() as Post;
  };
  return { ...webhook, its, came, at: `/api/webhooks/${webhook.id}` };
}

const shape = {
  id: id("whk"),
  kind: "deed",
  events: DEFAULT_EVENTS,
  disabledBecause: null,
  disabledAt: null,
  previousSecretUntil: null,
  createdAt: at,
};

it(says("C26.22"), async ({ client }) => {
  const add = async (json: object) => (await client.post("/api/webhooks", json)).body as Json;
  const slack = { url: "https://hooks.slack.com/services/T0/B0/x" };
  const events = EVENTS_SHOWN.filter((type) =>
    /^claim\.(proved|expired|needs)|^watch\.|^domain\.(expiring|renewed)$/.test(type),
  );
  expect(await add(slack)).toMatchObject({ kind: "slack", events });
  expect(await add({ ...slack, kind: "deed" })).toMatchObject({ kind: "deed" });
  for (const kind of ["slack", "discord", "ntfy"]) {
    const webhook = await added(client, undefined, kind);
    await client.post(`${webhook.at}/test`);
    await expect.poll(() => webhook.its()[0]?.body, PATIENTLY).toMatch(/This is a test\./);
    const { headers, body } = webhook.its()[0] as Post;
    expect(Object.keys(headers).filter((name) => name.startsWith("webhook-"))).toEqual([]);
    expect(kind === "ntfy" ? headers.click : body).toMatch(/https?:\/\/[^/]+\/(account|docs)\//);
  }
  const inside = { url: "https://169.254.169.254/x", kind: "slack" };
  expectError(await client.post("/api/webhooks", inside), "invalid_request");
  expectError(await client.post("/api/webhooks", { ...slack, kind: "irc" }), "invalid_request");
});

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

it(`${says("C26.19")}; Deed's own address is treated as any stranger's is there`, async ({
  client,
}) => {
  const ended = async (url: string) => {
    const { id } = (await client.post("/api/webhooks", { url })).body as { id: string };
    const { body } = await client.post(`/api/webhooks/${id}/test`);
    const path = `/api/webhooks/${id}/deliveries/${(body as { id: string }).id}`;
    return poll(client, path, ({ tries }) => tries === 1);
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

it(says("C26.4", "C26.5", "C26.6", "C26.7", "C26.8"), async ({ client }) => {
  const webhook = await added(client, EVENTS_SHOWN);
  const zone = "acme.com";
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
