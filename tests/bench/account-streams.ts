import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { gauge, memoryOf } from "../reliability/metrics.ts";
import { seed } from "../reliability/seed.ts";
import { freePort, startService } from "../support/service.ts";
import type { Benchmark, Row } from "./benchmark.ts";
import { type Asked, startFloor, startLoad } from "./processes.ts";
import { interleave, median, Rejected } from "./rounds.ts";
import type { Reply, Request, Trigger } from "./stream-clients.ts";

const STREAMS = 5_000;
/** The limit is twenty streams per account. */
const ACCOUNTS = STREAMS / 20;
/** Not counted, because both sides are slower at first. */
const WARM_EVENTS = 5;
const EVENTS = 9;
const SETTLE_MS = 1_000;
const HANG_UP_MS = 3_000;
const KB = 1024;
const COMPRESSED = "Accept-Encoding: gzip, br\r\n";

type Figures = { memory: number; delivery: number };

async function asked(load: Asked<Request, Reply>, request: Request): Promise<Reply> {
  const reply = await load.ask(request);
  if ("error" in reply) throw new Rejected(reply.error);
  return reply;
}

/** Opens the streams, sends events to all of them, and hangs up. Memory in KB a stream, delivery in ms. */
async function measure(
  { port, pid }: { port: number; pid: number },
  cookies: string[],
  headers: string,
  trigger: Trigger,
): Promise<Figures> {
  const load = startLoad<Request, Reply>("stream-clients.ts");
  try {
    const before = memoryOf(pid);
    await asked(load, { type: "open", port, count: STREAMS, cookies, headers });
    await sleep(SETTLE_MS);
    const memory = ((memoryOf(pid) - before) * KB) / STREAMS;
    const took: number[] = [];
    for (let i = 0; i < WARM_EVENTS + EVENTS; i++) {
      const reply = await asked(load, { type: "event", trigger, domain: `event${i}.example.com` });
      if ("ms" in reply && i >= WARM_EVENTS) took.push(reply.ms);
    }
    await asked(load, { type: "leave" });
    return { memory, delivery: median(took) };
  } finally {
    await load.stop();
  }
}

async function floor(): Promise<Figures> {
  const port = await freePort();
  const server = await startFloor("streams.mjs", [String(port)]);
  try {
    return await measure({ port, pid: server.pid }, [], "", { path: "/event" });
  } finally {
    await server.stop();
  }
}

async function product(headers: string): Promise<Figures & { left: number }> {
  const dataDir = mkdtempSync(join(tmpdir(), "deed-streams-"));
  const file = join(dataDir, "deed.db");
  const { accounts, cookies } = seed(file, { accounts: ACCOUNTS, claims: 0, due: false });
  const port = await freePort();
  const service = await startService({
    dataDir,
    port,
    env: { METRICS: "on", LOG_LEVEL: "error" },
  });
  try {
    const open = () => gauge(service.url, "deed_event_streams");
    await open();
    const trigger = {
      path: "/api/domains",
      cookie: cookies.at(-1) ?? "",
      feed: { file, accounts: accounts.slice(0, -1) },
    };
    const figures = await measure({ port, pid: service.child.pid ?? 0 }, cookies, headers, trigger);
    await sleep(HANG_UP_MS);
    return { ...figures, left: await open() };
  } finally {
    await service.stop();
  }
}

export const accountStreams: Benchmark = {
  name: "account-streams",
  number: 6,
  work: "5,000 account streams, twenty of each of 250 accounts: memory, one change of every account, hanging up",
  floor: "a bare node:http stream server: the same streams, one event to all",
  needs: [],
  async run({ rounds }) {
    const kept = await interleave(rounds, {
      product: async () => ({ plain: await product(""), compressed: await product(COMPRESSED) }),
      floor,
    });
    const floors = {
      memory: kept.floor.map(({ memory }) => memory),
      delivery: kept.floor.map(({ delivery }) => delivery),
    };
    const rows = (["plain", "compressed"] as const).flatMap((kind): Row[] => {
      const figures = kept.product.map((round) => round[kind]);
      const asking = kind === "plain" ? "" : ", Accept-Encoding: gzip, br";
      const ratio = (of: "memory" | "delivery") =>
        median(figures.map((one) => one[of])) / median(floors[of]);
      return [
        {
          goal: { what: `memory of a stream${asking}`, at: "most", value: 3, unit: "" },
          value: ratio("memory"),
          product: figures.map(({ memory }) => memory),
          floor: floors.memory,
          unit: "KB",
        },
        {
          goal: { what: `last delivery of one event${asking}`, at: "most", value: 3, unit: "" },
          value: ratio("delivery"),
          product: figures.map(({ delivery }) => delivery),
          floor: floors.delivery,
          unit: "ms",
          note: "from before the change is written until the last stream has heard of it",
        },
        {
          goal: {
            what: `subscribers left 3 s after hanging up${asking}`,
            at: "most",
            value: 0,
            unit: "left",
          },
          value: Math.max(...figures.map(({ left }) => left)),
        },
      ];
    });
    return {
      rows,
      commands: [
        "METRICS=on LOG_LEVEL=error npm start",
        "node tests/bench/floors/streams.mjs <port>",
        "tsx tests/bench/stream-clients.ts",
      ],
      rejected: kept.rejected,
    };
  },
};
