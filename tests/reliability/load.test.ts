import { Agent, get, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startPlayground } from "@deed/playground/playground.ts";
import { txt } from "@deed/playground/records.ts";
import { expect, it, onTestFinished } from "vitest";
import { roomy } from "../support/deed.ts";
import { violations } from "../support/facts.ts";
import { newFolder, startService } from "../support/service.ts";
import { isFull, sized } from "../support/size.ts";
import { figure, quantile } from "./figures.ts";
import { descriptorsOf, gauge, memoryOf } from "./metrics.ts";
import { seed } from "./seed.ts";

const SECONDS = sized(5, 600);
const STREAMS = sized(100, 5_000);
/** An account may have twenty streams open. */
const ACCOUNTS = STREAMS / 20;
const CLIENTS = 8;
/** Names n<i>.com in DNS; every tenth has its token. */
const ZONES = 200;
const PAUSE_MS = 50;

/** Clients' sockets are pooled and counted apart from the streams' sockets. */
const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });

/** Resolves with the status, once the answer has ended. */
const send = (url: string, method: string, cookie: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = { cookie, "accept-encoding": "gzip" };
    get(url, { method, agent, headers }, (response) => {
      response.resume().once("end", () => resolve(response.statusCode ?? 0));
      response.once("error", reject);
    }).once("error", reject);
  });

/** Opens account streams, a few at a time; each counts its messages. */
async function openStreams(url: string, cookies: readonly string[]) {
  const streams: IncomingMessage[] = [];
  const seen = { messages: 0, ended: 0 };
  const open = (cookie: string) =>
    new Promise<void>((resolve, reject) => {
      get(`${url}/api/events`, { headers: { cookie } }, (response) => {
        if (response.statusCode !== 200) return reject(new Error(`stream: ${response.statusCode}`));
        streams.push(response);
        response.on("data", (chunk: Buffer) => {
          if (chunk.includes("data:")) seen.messages++;
        });
        response.once("end", () => seen.ended++);
        response.once("error", () => {});
        resolve();
      }).once("error", reject);
    });
  for (let i = 0; i < STREAMS; i += 50) {
    const batch = Array.from({ length: Math.min(50, STREAMS - i) }, (_, j) => i + j);
    await Promise.all(batch.map((n) => open(cookies[n % cookies.length] ?? "")));
  }
  return { seen, close: () => streams.forEach((stream) => void stream.destroy()) };
}

const timeout = 120_000 + SECONDS * 1_500;
it("mixed traffic beside streams: no errors, no leaks", { timeout }, async () => {
  const dataDir = newFolder();
  const path = join(dataDir, "deed.db");
  const rows = { accounts: ACCOUNTS, claims: ZONES, due: false };
  const { cookies, claims, slugs } = await seed(path, rows);
  const playground = await startPlayground({ witnesses: 0 });
  for (const [i, { domain: name, token }] of claims.entries()) {
    playground.addZone({ name, nameservers: ["ns1.hosting.example", "ns2.hosting.example"] });
    if (i % 10 === 0) playground.addRecord(name, txt(`_service-challenge.${name}`, token));
  }
  const own = { LOG_LEVEL: "error", METRICS: "on", ...roomy(), ...roomy("DNS_ADDRESS") };
  const service = await startService({ dataDir, env: { ...playground.env, ...own } });
  onTestFinished(async () => {
    await service.stop();
    await playground.stop();
  });
  const { pid } = service.child;
  // The reader's sockets are open before measuring.
  for (let i = 0; i < 60; i++) await (await fetch(`${service.url}/api/zones/n${i}.com`)).text();
  const baseline = descriptorsOf(pid);
  const streams = await openStreams(service.url, cookies);
  figure("load: account streams open", await gauge(service.url, "deed_event_streams"));

  const latencies = new Map<string, number[]>();
  const errors: string[] = [];
  const memory: number[] = [];
  const slug = (n: number) => slugs[n % slugs.length];
  const claim = (n: number) => claims[n % ZONES]?.verificationId;
  // 409: an earlier run has proved it already.
  const kinds: [name: string, method: string, path: (n: number) => string, allowed: number[]][] = [
    ["proof JSON", "GET", (n) => `/api/proofs/${slug(n)}`, [200]],
    ["proof page", "GET", (n) => `/p/${slug(n)}`, [200]],
    ["list", "GET", () => "/api/domains?limit=25", [200]],
    ["zone stream", "GET", (n) => `/api/zones/n${n % ZONES}.com`, [200]],
    ["run", "POST", (n) => `/api/verifications/${claim(n)}/runs`, [200, 409]],
  ];
  /** The kinds of ten requests. */
  const mix = [0, 0, 0, 1, 1, 2, 2, 3, 3, 4].flatMap((at) => kinds.slice(at, at + 1));
  const began = Date.now();
  let sent = 0;
  const isOver = () => Date.now() - began > SECONDS * 1000;
  const client = async () => {
    for (let n = sent++; !isOver(); n = sent++) {
      const kind = mix[n % 10];
      if (!kind) break;
      const [name, method, pathOf, allowed] = kind;
      const cookie = cookies[(n % ZONES) % cookies.length] ?? "";
      const at = performance.now();
      const status = await send(service.url + pathOf(n), method, cookie).catch(String);
      const took = performance.now() - at;
      latencies.set(name, [...(latencies.get(name) ?? []).slice(-20_000), took]);
      if (typeof status === "string" || !allowed.includes(status))
        errors.push(`${name}: ${status}`);
      await sleep(PAUSE_MS);
    }
  };
  const watching = (async () => {
    for (; !isOver(); await sleep(SECONDS * 10)) memory.push(memoryOf(pid));
  })();
  await Promise.all([watching, ...Array.from({ length: CLIENTS }, client)]);

  const quarter = Math.floor(memory.length / 4);
  const medians = [0, 1, 2, 3].map((n) =>
    quantile(memory.slice(n * quarter, (n + 1) * quarter), 0.5),
  );
  const [, warm = 0, , last = 0] = medians;
  const dropped = streams.seen.ended;
  streams.close();
  agent.destroy();
  const descriptors = () => descriptorsOf(pid);
  await expect.poll(descriptors).toBeLessThanOrEqual(baseline);
  figure("load: seconds", SECONDS);
  figure("load: requests", sent);
  for (const [name, values] of latencies) {
    const [median, p99, most] = [0.5, 0.99, 1].map((share) => quantile(values, share).toFixed(1));
    figure(`load: ${name}`, `median ${median}, p99 ${p99}, most ${most} ms (of ${values.length})`);
  }
  figure("load: messages on the streams", streams.seen.messages);
  figure("load: streams dropped", dropped);
  figure("load: errors", errors.length);
  figure("load: memory by quarters, MB", medians.map((mb) => mb.toFixed(0)).join(", "));
  figure("load: file descriptors before, after", `${baseline}, ${descriptors()}`);
  expect(errors).toEqual([]);
  expect(dropped).toBe(0);
  expect(streams.seen.messages).toBeGreaterThan(0);
  if (isFull) expect(last).toBeLessThan(warm * 1.1);
  expect(violations(path)).toEqual([]);
});
