// The load generator, a child process that takes orders over IPC from load.ts.
import { Agent, request } from "node:http";
import type { LoadOrder, LoadReport } from "./load.ts";

const CONNECTIONS = 16;
const ROUND_MS = 3_000;

async function carryOut({ origin, targets }: LoadOrder): Promise<LoadReport> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS, scheduling: "fifo" });
  const { hostname, port } = new URL(origin);
  const from = performance.now();
  let next = 0;
  let answered = 0;
  let unexpected: string | null = null;

  const ask = (path: string, expects: string) =>
    new Promise<void>((resolve) => {
      const fail = (problem: string) => {
        unexpected ??= `${path}: ${problem}`;
        resolve();
      };
      request({ hostname, port, path, agent }, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.once("error", (error) => fail(error.message));
        response.once("end", () => {
          if (response.statusCode !== 200) return fail(`answered ${response.statusCode}`);
          if (!Buffer.concat(chunks).includes(expects)) return fail(`came without ${expects}`);
          answered++;
          resolve();
        });
      })
        .once("error", (error) => fail(error.message))
        .end();
    });

  const visit = async () => {
    while (performance.now() < from + ROUND_MS && unexpected === null) {
      const target = targets[next++ % targets.length];
      if (target) await ask(target.path, target.expects);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, visit));
  agent.destroy();
  return { perSecond: (1_000 * answered) / (performance.now() - from), unexpected };
}

process.on("message", async (order: LoadOrder) => {
  process.send?.(await carryOut(order));
});
process.once("disconnect", () => process.exit(0));
