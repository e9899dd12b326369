import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Hooks, type Post } from "../support/hooks.ts";
import { Cluster } from "./cluster.ts";
import { visit } from "./visitor.ts";

let cluster: Cluster;
let url: string;
const hooks = new Hooks();
const { posts, hanging } = hooks;

beforeAll(async () => {
  cluster = await Cluster.create({ env: { WEBHOOK_ALLOW_ADDRESSES: "127.0.0.0/8" } });
  await cluster.start();
  url = `${await hooks.open()}/`;
});
afterAll(async () => {
  hooks.close();
  await cluster.stop();
});

it("a delivery on its way when the primary dies is made by the next, in order, and no more by the old one", async () => {
  const [old, ...replicas] = cluster.machines;
  const [chosen, other] = replicas;
  if (!old || !chosen || !other) throw new Error("three machines");
  const visitor = await visit(cluster, "hooked@holder.example", () => other);
  const { id: webhook, secret } = await visitor.expect(201, "POST", "/api/webhooks", { url });
  await visitor.expect(201, "POST", "/api/domains", { domain: "before.example" });
  await expect.poll(() => posts).toHaveLength(1);

  hooks.hangs = true;
  const domain = await visitor.expect(201, "POST", "/api/domains", { domain: "acme.com" });
  const claim = await visitor.expect(201, "POST", "/api/claims", { domainId: domain.id });
  await visitor.expect(200, "POST", `/api/claims/${claim.id}/cancel`);
  await expect.poll(() => hanging).toHaveLength(1);
  const { position } = await old.serving();
  for (const machine of replicas) await machine.reached(position);
  await old.kill();
  const [, underWay] = posts;
  hooks.hangs = false;

  await cluster.promote(chosen, replicas);
  await expect.poll(() => posts.length, { timeout: 60_000 }).toBeGreaterThanOrEqual(5);
  old.start(chosen.address);
  await old.until(({ role }) => role === "replica");
  await visitor.expect(202, "POST", `/api/webhooks/${webhook}/test`);
  const typeOf = (post?: Post) => JSON.parse(post?.body ?? "{}").type;
  await expect.poll(() => typeOf(posts.at(-1))).toBe("webhook.test");

  for (const { body, headers } of posts)
    expect(new Webhook(String(secret)).verify(body, headers)).toBeTruthy();
  const idOf = (post?: Post) => post?.headers["webhook-id"];
  const [, first, again, ...rest] = posts;
  expect([idOf(first), typeOf(first)]).toEqual([idOf(underWay), "domain.created"]);
  expect(idOf(again)).toBe(idOf(underWay));
  expect(rest.map(typeOf)).toEqual(["claim.opened", "claim.ended", "webhook.test"]);
  for (const { body } of rest.slice(0, 2)) expect(body).toContain(`"domainId":"${domain.id}"`);
});
