import { fork } from "node:child_process";
import { once } from "node:events";
import { Agent, get } from "node:http";
import { text } from "node:stream/consumers";
import type { Stops } from "./benchmark.ts";
import { Rejected } from "./rounds.ts";

const CONNECTIONS = 16;
const ROUND_MS = 3_000;

/** Paths to GET one after another, each with a text that its body must contain. */
type LoadOrder = { origin: string; targets: { path: string; expects: string }[] };
type LoadReport = { perSecond: number; unexpected: string | null };

async function carryOut({ origin, targets }: LoadOrder): Promise<LoadReport> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS, scheduling: "fifo" });
  const from = performance.now();
  let next = 0;
  let answered = 0;
  let unexpected: string | null = null;
  const ask = (path: string, expects: string) =>
    new Promise<void>((resolve, reject) => {
      get(origin + path, { agent }, async (response) => {
        const isRight = (await text(response).catch(() => "")).includes(expects);
        if (response.statusCode === 200 && isRight) resolve();
        else reject(new Error(`answered ${response.statusCode}, or without ${expects}`));
      }).once("error", reject);
    });
  const visit = async () => {
    while (performance.now() < from + ROUND_MS && unexpected === null) {
      const { path = "", expects = "" } = targets[next++ % targets.length] ?? {};
      try {
        await ask(path, expects);
        answered++;
      } catch (error) {
        unexpected ??= `${path}: ${(error as Error).message}`;
      }
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, visit));
  agent.destroy();
  return { perSecond: (1_000 * answered) / (performance.now() - from), unexpected };
}

// The load generator: a child process that takes orders over IPC.
if (process.argv[1] === import.meta.filename) {
  process.on("message", async (order: LoadOrder) => process.send?.(await carryOut(order)));
  process.once("disconnect", () => process.exit(0));
}

/** Returns what measures requests a second, and throws Rejected on anything but a 200 with the expected body. */
export function startLoad(stops: Stops) {
  const child = fork(import.meta.filename, { execArgv: ["--import", "tsx"] });
  stops.add(() => child.kill("SIGKILL"));
  return async (order: LoadOrder): Promise<number> => {
    const answered = once(child, "message");
    child.send(order);
    const [{ perSecond, unexpected }] = (await answered) as [LoadReport];
    if (unexpected !== null) throw new Rejected(unexpected);
    return perSecond;
  };
}
