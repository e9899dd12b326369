import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { memoryOf } from "../reliability/metrics.ts";
import { productFolder } from "../support/product.ts";
import { freePort } from "../support/service.ts";
import type { Benchmark } from "./benchmark.ts";
import { remixFloor } from "./floors/remix.ts";
import { interleave, median, Rejected } from "./rounds.ts";

type Server = { args: readonly string[]; path: string };

const product = (): Server => ({
  args: [join(productFolder(), "bin/deed.mjs"), "serve"],
  path: "/api/health",
});
const GIVE_UP_MS = 20_000;
/** How long a server is left idle before its memory is read. */
const SETTLE_MS = 4_000;

const statusOf = (port: number, path: string) =>
  new Promise<number | null>((resolve) => {
    request({ host: "127.0.0.1", port, path, agent: false }, (response) => {
      response.resume().once("end", () => resolve(response.statusCode ?? null));
    })
      .once("error", () => resolve(null))
      .end();
  });

type Running = { child: ChildProcess; tookMs: number };

/** Starts the server with its defaults and polls it until it answers 200. */
async function startUntilReady({ args, path }: Server, dataDir: string): Promise<Running> {
  const port = await freePort();
  const from = performance.now();
  const child = spawn(process.execPath, args, {
    env: {
      NODE_ENV: "production",
      PATH: process.env.PATH,
      PORT: String(port),
      DATA_DIR: dataDir,
      FLOOR_DATABASE: join(dataDir, "deed.db"),
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  child.stdout.resume();
  child.stderr.resume();
  for (;;) {
    const status = await statusOf(port, path);
    const tookMs = performance.now() - from;
    if (status === 200) return { child, tookMs };
    if (status !== null || child.exitCode !== null || tookMs > GIVE_UP_MS) {
      await end(child);
      throw new Rejected(`${args} answered ${status} after ${Math.round(tookMs)} ms`);
    }
    await sleep(1);
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

/** Migrates the database. */
async function startBefore(dataDir: string): Promise<void> {
  const { child } = await startUntilReady(product(), dataDir);
  await end(child);
}

const startTime = (server: Server, dataDir: string) => async () => {
  const { child, tookMs } = await startUntilReady(server, dataDir);
  await end(child);
  return tookMs;
};

const idleMemory = (server: Server, dataDir: string) => async () => {
  const { child } = await startUntilReady(server, dataDir);
  await sleep(SETTLE_MS);
  const memory = memoryOf(child.pid);
  await end(child);
  if (!(memory > 1)) throw new Rejected(`${server.args} was gone`);
  return memory;
};

export const start: Benchmark = {
  name: "start",
  number: 9,
  work: "from `node` to the first 200 of a service that ran before; idle memory",
  floor: "remix-serve with as many routes",
  needs: [],
  async run({ rounds }) {
    const dataDir = mkdtempSync(join(tmpdir(), "deed-bench-"));
    const floor: Server = { args: remixFloor(), path: "/" };
    try {
      await startBefore(dataDir);
      const times = await interleave(2 * rounds, {
        product: startTime(product(), dataDir),
        floor: startTime(floor, dataDir),
      });
      const memory = await interleave(rounds, {
        product: idleMemory(product(), dataDir),
        floor: idleMemory(floor, dataDir),
      });
      const ratio = (sides: typeof times) => median(sides.product) / median(sides.floor);
      return {
        rows: [
          {
            goal: { what: "start to the first 200", at: "most", value: 1.6, unit: "" },
            value: ratio(times),
            product: times.product,
            floor: times.floor,
            unit: "ms",
          },
          {
            goal: { what: "idle memory", at: "most", value: 1.4, unit: "" },
            value: ratio(memory),
            product: memory.product,
            floor: memory.floor,
            unit: "MB",
            note: `resident, ${SETTLE_MS / 1_000} s after the first answer`,
          },
        ],
        commands: [
          `NODE_ENV=production node ${product().args}`,
          `node ${floor.args.join(" ")}`,
          `GET ${product().path} every ms`,
        ],
        rejected: times.rejected + memory.rejected,
      };
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  },
};
