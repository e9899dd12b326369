import { Webhook } from "standardwebhooks";
import { afterAll, expect } from "vitest";
import { EVENTS_SHOWN } from "#app/features/webhooks/events.ts";
import { openClaim, poll } from "../support/deed.ts";
import { Hooks, type Post } from "../support/hooks.ts";
import { contract, newName } from "./kit.ts";
import { says } from "./sentences.ts";

const { it, target } = contract();
const hooks = new Hooks();
const origin = await hooks.open();
afterAll(() => hooks.close());

const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

it(`${says("C26.19")}; Deed's own address is treated as any stranger's is there`, async ({
  client,
}) => {
  const ended = async (url: string) => {
    const { id } = await client.expect(201, "POST", "/api/webhooks", { url });
    const delivery = await client.expect(202, "POST", `/api/webhooks/${id}/test`);
    const path = `/api/webhooks/${id}/deliveries/${delivery.id}`;
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

it(says("C26.1", "C26.4", "C26.5", "C26.6", "C26.7", "C26.8"), async ({ client }) => {
  const json = { url: `${origin}/deed`, events: EVENTS_SHOWN };
  const { secret } = await client.expect(201, "POST", "/api/webhooks", json);
  const came = async (type: string): Promise<Post> => {
    const find = () => hooks.posts.find(({ body }) => JSON.parse(body).type === type);
    // On a busy machine the post comes later.
    await expect.poll(find, { timeout: 30_000 }).toBeDefined();
    return find() as Post;
  };
  const zone = "acme.com";
  const claim = await openClaim(client, zone);
  await client.post(`/api/claims/${claim.id}/handoff`);
  target().publishRecord(zone, `${claim.name}.${zone}`, claim.token);
  const seen = await client.expect(200, "POST", `/api/verifications/${claim.verificationId}/runs`);
  const told = await came("claim.needs_attention");
  const opened = new Webhook(String(secret)).verify(told.body, told.headers);
  expect(opened).toEqual({
    type: "claim.needs_attention",
    timestamp: at,
    data: {
      claim: expect.objectContaining({ id: claim.id, state: "pending" }),
      verification: { ...seen, nextRunAt: at },
    },
  });
  expect(told.headers["webhook-id"]).toMatch(/^msg_[0-9a-z]{16,}$/);
  expect(JSON.stringify(opened)).not.toContain("coexistence");
  await client.post(`/api/claims/${claim.id}/cancel`);
  const { body } = await came("claim.ended");
  expect(JSON.parse(body).data.claim).toMatchObject({ state: "canceled", records: [] });
  // A post that a busy machine answers late is made again.
  const once = new Map(hooks.posts.map(({ headers, body }) => [headers["webhook-id"], body]));
  expect([...once.values()].map((body) => JSON.parse(body).type)).toEqual([
    "domain.created",
    "claim.opened",
    "handoff.opened",
    "verification.ran",
    "claim.needs_attention",
    "claim.ended",
  ]);
});
