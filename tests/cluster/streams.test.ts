import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
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

type Heard = { id: string; type: string; domainId?: string; at: number };

/** Opens an account stream on one machine and records when each message arrives. */
async function listen(machine: Machine, visitor: Visitor, lastEventId?: string) {
  const heard: Heard[] = [];
  const ending = new AbortController();
  const answer = await fetch(`${machine.url}/api/events`, {
    signal: ending.signal,
    headers: {
      cookie: [...visitor.cookies].map((cookie) => cookie.join("=")).join("; "),
      ...(lastEventId ? { "last-event-id": lastEventId } : {}),
    },
  });
  expect(answer.status).toBe(200);
  const reading = (async () => {
    let text = "";
    const reader = answer.body?.getReader();
    const decoder = new TextDecoder();
    for (;;) {
      const { done = true, value } = (await reader?.read()) ?? {};
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const frames = text.split("\n\n");
      text = frames.pop() ?? "";
      for (const frame of frames) {
        const id = /^id: ?(.*)$/m.exec(frame)?.[1];
        const data = /^data: ?(.*)$/m.exec(frame)?.[1];
        if (id && data) heard.push({ id, ...JSON.parse(data), at: performance.now() });
      }
    }
  })().catch(() => {});
  return {
    heard,
    close: async () => {
      ending.abort();
      await reading;
    },
  };
}

const heardOf = async (heard: Heard[], domainId: string): Promise<Heard> => {
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
    for (const [n, { heard }] of streams.entries())
      lags[n]?.push(Math.max(0, (await heardOf(heard, String(id))).at - answeredAt));
  }
  for (const { close } of streams) await close();
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
  const { id: last } = await heardOf(first.heard, String(one));
  await first.close();
  const { id: two } = await writer.expect(201, "POST", "/api/domains", {
    domain: "two.example.com",
  });
  const second = await listen(cluster.machine(2), writer, last);
  await heardOf(second.heard, String(two));
  expect(second.heard.map(({ domainId }) => domainId)).toEqual([two]);
  await second.close();
});
