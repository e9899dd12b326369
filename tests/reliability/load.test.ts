import { Agent, get, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { roomy } from "../support/deed.ts";
import { violations } from "../support/facts.ts";
import { newFolder, startService } from "../support/service.ts";
import { figure, isFull, quantile, sized, spread } from "./figures.ts";
import { startLeanDns } from "./lean-dns.ts";
import { descriptorsOf, gauge, memoryOf } from "./metrics.ts";
import { seed } from "./seed.ts";

const SECONDS = sized(5, 600);
const STREAMS = sized(100, 5_000);
/** An account may have twenty streams open. */
const ACCOUNTS = STREAMS / 20;
const CLIENTS = 8;
const PAUSE_MS = 50;

type Kind = { name: string; method: string; path: string; allowed: number[] };
/** Client sockets are pooled and counted separately from the streams'. */
const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });

const send = (url: string, { method, path }: Kind, cookie: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const request = get(
      url + path,
      { method, agent, headers: { cookie, "accept-encoding": "gzip" } },
      (response) => {
        response.resume();
        response.once("end", () => resolve(response.statusCode ?? 0));
        response.once("error", reject);
      },
    );
    request.once("error", reject);
  });

/** Reads unknown zones, so that the reader's sockets are open before anything is measured. */
async function openSockets(url: string) {
  for (let i = 0; i < 60; i++) {
    const response = await fetch(`${url}/api/zones/n${90_000 + i}.com`);
    await response.text();
  }
}

/** Opens account streams, a few at a time; each counts the messages it receives. */
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
  const { cookies, claims, slugs } = seed(path, {
    accounts: ACCOUNTS,
    claims: ACCOUNTS * 40,
    due: false,
  });
  const dns = await startLeanDns();
  const service = await startService({
    dataDir,
    env: {
      ...dns.env,
      LOG_LEVEL: "error",
      METRICS: "on",
      ...roomy("ZONES", "PROOFS", "RUNS_VERIFICATION", "RUNS_ACCOUNT", "API"),
    },
  });
  const { pid } = service.child;
  try {
    await openSockets(service.url);
    await sleep(500);
    const baseline = descriptorsOf(pid);
    const streams = await openStreams(service.url, cookies);
    figure("load: account streams open", await gauge(service.url, "deed_event_streams"));

    const latencies = new Map<string, number[]>();
    const errors: string[] = [];
    const memory: number[] = [];
    const heap: number[] = [];
    const kinds = (n: number): [Kind, string] => {
      const claim = claims[n % claims.length];
      const own = cookies[(n % claims.length) % cookies.length] ?? "";
      const ask = (name: string, method: string, to: string, allowed = [200]): [Kind, string] => [
        { name, method, path: to, allowed },
        own,
      ];
      const slug = slugs[n % slugs.length];
      const share = n % 10;
      if (share < 3) return ask("proof JSON", "GET", `/api/proofs/${slug}`);
      if (share < 5) return ask("proof page", "GET", `/p/${slug}`);
      if (share < 7) return ask("list", "GET", "/api/domains?limit=25");
      if (share < 9) return ask("zone stream", "GET", `/api/zones/n${n % 5_000}.com`);
      // 409: an earlier run has already proved it.
      const run = `/api/verifications/${claim?.verificationId}/runs`;
      return ask("run", "POST", run, [200, 409]);
    };
    const began = Date.now();
    let sent = 0;
    const isOver = () => Date.now() - began > SECONDS * 1000;
    const client = async () => {
      while (!isOver()) {
        const [kind, cookie] = kinds(sent++);
        const at = performance.now();
        const status = await send(service.url, kind, cookie).catch((error) => String(error));
        latencies.set(kind.name, [
          ...(latencies.get(kind.name) ?? []).slice(-20_000),
          performance.now() - at,
        ]);
        if (typeof status === "string" || !kind.allowed.includes(status))
          errors.push(`${kind.name}: ${status}`);
        await sleep(PAUSE_MS);
      }
    };
    const watching = (async () => {
      while (!isOver()) {
        memory.push(memoryOf(pid));
        heap.push((await gauge(service.url, "nodejs_heap_size_used_bytes")) / 1024 / 1024);
        await sleep(SECONDS * 10);
      }
    })();
    await Promise.all([watching, ...Array.from({ length: CLIENTS }, client)]);

    const quarter = Math.floor(memory.length / 4);
    const byQuarter = (values: readonly number[], share: number) =>
      [0, 1, 2, 3].map((n) => quantile(values.slice(n * quarter, (n + 1) * quarter), share));
    const medians = byQuarter(memory, 0.5);
    const [, warm = 0, , last = 0] = medians;
    const dropped = streams.seen.ended;
    streams.close();
    agent.destroy();
    let descriptors = descriptorsOf(pid);
    for (let i = 0; i < 60 && descriptors > baseline; i++) {
      await sleep(500);
      descriptors = descriptorsOf(pid);
    }
    figure("load: seconds", SECONDS);
    figure("load: requests", sent);
    for (const [name, values] of latencies) figure(`load: ${name}`, spread(values, "ms"));
    figure("load: messages on the streams", streams.seen.messages);
    figure("load: streams dropped", dropped);
    figure("load: errors", errors.length);
    figure("load: memory by quarters, MB", medians.map((mb) => mb.toFixed(0)).join(", "));
    figure(
      "load: heap by quarters, least, MB",
      byQuarter(heap, 0)
        .map((mb) => mb.toFixed(0))
        .join(", "),
    );
    figure("load: file descriptors before, after", `${baseline}, ${descriptors}`);
    expect(errors).toEqual([]);
    expect(dropped).toBe(0);
    expect(streams.seen.messages).toBeGreaterThan(0);
    if (isFull) expect(last).toBeLessThan(warm * 1.1);
    expect(descriptors).toBeLessThanOrEqual(baseline);
    expect(violations(path)).toEqual([]);
  } finally {
    await service.stop();
    dns.stop();
  }
});
