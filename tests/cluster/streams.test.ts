import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Followed, followEvents } from "../support/stream.ts";
import { Cluster } from "./cluster.ts";
import { figure, sizeOf, spread } from "./figures.ts";
import type { Machine } from "./machine.ts";
import { type Visitor, visit } from "./visitor.ts";

let cluster: Cluster;
let primary: Machine;

beforeAll(async () => {
  cluster = await Cluster.create();
  await cluster.start();
  primary = cluster.machine(0);
});
afterAll(() => cluster.stop());

const listen = (machine: Machine, { cookies }: Visitor, lastEventId?: string) =>
  followEvents(machine.url, {
    cookie: cookies,
    ...(lastEventId ? { "last-event-id": lastEventId } : {}),
  });

const heardOf = async ({ heard }: Followed, domainId: string) => {
  for (let i = 0; i < 1_000; i++) {
    const found = heard.find((message) => message.domainId === domainId);
    if (found) return found;
    await sleep(5);
  }
  throw new Error("an account stream missed a message for 5 s");
};

it("tells an account stream on any machine what moved on the primary", async () => {
  const count = sizeOf("EVENTS", 100);
  const writer = await visit(cluster, "streams@holder.example", () => primary);
  const replica = cluster.machine(1);
  await replica.until((health) => Number(health.lagMs) < 1_500);
  const streams = await Promise.all(cluster.machines.map((machine) => listen(machine, writer)));
  const lags: number[][] = streams.map(() => []);
  for (let i = 0; i < count; i++) {
    const { id } = await writer.expect(201, "POST", "/api/domains", {
      domain: `e${i}.example.com`,
    });
    const answeredAt = performance.now();
    for (const [n, stream] of streams.entries())
      lags[n]?.push(Math.max(0, (await heardOf(stream, String(id))).at - answeredAt));
  }
  for (const { leave } of streams) leave();
  figure("account stream on the primary, after the write's answer", spread(lags[0] ?? [], "ms"));
  figure(
    "account stream on a replica, after the write's answer",
    spread([...(lags[1] ?? []), ...(lags[2] ?? [])], "ms"),
  );
  for (const { heard } of streams)
    expect(heard.filter(({ type }) => type === "domain.created")).toHaveLength(count);
});

it("resumes an account stream on another machine where it left off", async () => {
  const writer = await visit(cluster, "moves@holder.example", () => primary);
  const first = await listen(cluster.machine(1), writer);
  const { id: one } = await writer.expect(201, "POST", "/api/domains", {
    domain: "one.example.com",
  });
  const { id: last } = await heardOf(first, String(one));
  first.leave();
  const { id: two } = await writer.expect(201, "POST", "/api/domains", {
    domain: "two.example.com",
  });
  const second = await listen(cluster.machine(2), writer, last);
  await heardOf(second, String(two));
  expect(second.heard.map(({ domainId }) => domainId)).toEqual([two]);
  second.leave();
});
