import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { memoryOf } from "../reliability/metrics.ts";
import { freePort, newFolder } from "../support/service.ts";
import type { Benchmark, Round } from "./benchmark.ts";
import { Rejected } from "./rounds.ts";

const GIVE_UP_MS = 20_000;
/** How long a server is left idle before its memory is read. */
const SETTLE_MS = 4_000;

const statusOf = (port: number) =>
  fetch(`http://127.0.0.1:${port}/api/health`).then(
    ({ status }) => status,
    () => null,
  );

/** Measures starts of a server on one data folder; each start is polled until it answers 200. */
function roundOf(...args: string[]): Round {
  const dataDir = newFolder();
  const begin = async (): Promise<{ child: ChildProcess; tookMs: number }> => {
    const port = await freePort();
    const from = performance.now();
    const { PATH } = process.env;
    const env = { NODE_ENV: "production" as const, PATH, PORT: String(port), DATA_DIR: dataDir };
    const child = spawn(process.execPath, args, { env, stdio: "ignore" });
    for (;;) {
      const status = await statusOf(port);
      const tookMs = performance.now() - from;
      if (status === 200) return { child, tookMs };
      if (status !== null || child.exitCode !== null || tookMs > GIVE_UP_MS) {
        child.kill("SIGKILL");
        throw new Rejected(`${args} answered ${status} after ${Math.round(tookMs)} ms`);
      }
      await sleep(1);
    }
  };
  return async () => {
    const { child, tookMs } = await begin();
    await sleep(SETTLE_MS);
    const memory = memoryOf(child.pid);
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
    return { "start to the first 200": tookMs, "idle memory": memory };
  };
}

/** The floor is a bare node:http. */
export const start: Benchmark = {
  name: "start",
  figures: {
    "start to the first 200": { unit: "ms", goal: { most: 12 } },
    "idle memory": { unit: "MB", goal: { most: 2.5 } },
  },
  startProduct: (command) => roundOf(command, "serve"),
  startFloor: () => roundOf("tests/bench/floors/bare.mjs"),
};
