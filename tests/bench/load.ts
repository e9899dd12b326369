import { fork } from "node:child_process";
import { once } from "node:events";
import { Agent, get } from "node:http";
import { text } from "node:stream/consumers";
import type { Stops } from "./benchmark.ts";
import { Rejected } from "./rounds.ts";

const CONNECTIONS = 16;
const ROUND_MS = 3_000;

/** Paths to GET one after another, each with a text that its body must contain. */
type LoadOrder = {
  origin: string;
  headers: Record<string, string>;
  targets: [path: string, part: string][];
};
type LoadReport = { answered: number; unexpected: string | null };

async function carryOut({ origin, headers, targets }: LoadOrder): Promise<LoadReport> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS, scheduling: "fifo" });
  const from = performance.now();
  let next = 0;
  let answered = 0;
  let unexpected: string | null = null;
  const ask = (path: string, part: string) =>
    new Promise<void>((resolve, reject) => {
      get(origin + path, { agent, headers }, async (response) => {
        const isRight = (await text(response).catch(() => "")).includes(part);
        if (response.statusCode === 200 && isRight) resolve();
        else reject(new Error(`answered ${response.statusCode}, or without ${part}`));
      }).once("error", reject);
    });
  const visit = async () => {
    while (performance.now() < from + ROUND_MS && unexpected === null) {
      const [path = "", part = ""] = targets[next++ % targets.length] ?? [];
      try {
        await ask(path, part);
        answered++;
      } catch (error) {
        unexpected ??= `${path}: ${(error as Error).message}`;
      }
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, visit));
  agent.destroy();
  return { answered, unexpected };
}

// The load generator: a child process that takes orders over IPC.
if (process.argv[1] === import.meta.filename) {
  process.on("message", async (order: LoadOrder) => process.send?.(await carryOut(order)));
  process.once("disconnect", () => process.exit(0));
}

/** Returns what loads a server for some seconds, and throws Rejected on anything but a 200 with the expected body. */
export function startLoad(stops: Stops) {
  const child = fork(import.meta.filename, { execArgv: ["--import", "tsx"] });
  stops.add(() => child.kill("SIGKILL"));
  return async (order: LoadOrder): Promise<number> => {
    const answered = once(child, "message");
    child.send(order);
    const [report] = (await answered) as [LoadReport];
    if (report.unexpected !== null) throw new Rejected(report.unexpected);
    return report.answered;
  };
}
