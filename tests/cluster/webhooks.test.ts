import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { Cluster } from "./cluster.ts";
import { figure } from "./figures.ts";
import { visit } from "./visitor.ts";

type Post = {
  id: string;
  type: string;
  domain: string;
  headers: Record<string, string>;
  body: string;
};

let cluster: Cluster;
const posts: Post[] = [];
/** Calls that the receiver has not answered. */
const hanging: ServerResponse[] = [];
let hangs = false;
const receiver = createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request.setEncoding("utf8")) body += chunk;
  const { type, data } = JSON.parse(body);
  const headers = request.headers as Record<string, string>;
  const domain = data.domain?.id ?? data.claim?.domainId;
  posts.push({ id: headers["webhook-id"] ?? "", type, domain, headers, body });
  if (hangs) hanging.push(response);
  else response.writeHead(204).end();
});

beforeAll(async () => {
  cluster = await Cluster.create({ env: { WEBHOOK_ALLOW_ADDRESSES: "127.0.0.0/8" } });
  await cluster.start();
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
});
afterAll(async () => {
  receiver.close();
  await cluster.stop();
});

it("a delivery on its way when the primary dies is made by the next, in order, and no more by the old one", async () => {
  const [old, ...replicas] = cluster.machines;
  const [chosen, other] = replicas;
  if (!old || !chosen || !other) throw new Error("three machines");
  const visitor = await visit(cluster, "hooked@holder.example", () => other);
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const { id: webhook, secret } = await visitor.expect(201, "POST", "/api/webhooks", { url });
  await visitor.expect(201, "POST", "/api/domains", { domain: "before.example" });
  await vi.waitFor(() => expect(posts).toHaveLength(1), 20_000);

  hangs = true;
  const domain = await visitor.expect(201, "POST", "/api/domains", { domain: "acme.com" });
  const claim = await visitor.expect(201, "POST", "/api/claims", { domainId: domain.id });
  await visitor.expect(200, "POST", `/api/claims/${claim.id}/cancel`);
  await vi.waitFor(() => expect(hanging).toHaveLength(1), 20_000);
  const { position } = await old.serving();
  for (const machine of replicas) await machine.reached(position);
  await old.kill();
  const [, underWay] = posts;
  hangs = false;

  const startedAt = Date.now();
  await cluster.promote(chosen, replicas);
  await vi.waitFor(() => expect(posts.length).toBeGreaterThanOrEqual(5), 60_000);
  figure(
    "webhooks: from the start of the next primary to the last of what was pending",
    `${((Date.now() - startedAt) / 1_000).toFixed(1)} s`,
  );
  old.start(chosen.address);
  await old.until(({ role }) => role === "replica");
  await visitor.expect(202, "POST", `/api/webhooks/${webhook}/test`);
  await vi.waitFor(() => expect(posts.at(-1)?.type).toBe("webhook.test"), 20_000);

  for (const { body, headers } of posts)
    expect(new Webhook(String(secret)).verify(body, headers)).toBeTruthy();
  const [, first, again, ...rest] = posts;
  expect([first?.id, first?.type]).toEqual([underWay?.id, "domain.created"]);
  expect(again?.id).toBe(underWay?.id);
  expect(rest.map(({ type }) => type)).toEqual(["claim.opened", "claim.ended", "webhook.test"]);
  expect(new Set(rest.slice(0, 2).map((post) => post.domain))).toEqual(new Set([domain.id]));
});
