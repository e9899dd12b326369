import { Agent, get } from "node:http";
import { text } from "node:stream/consumers";
import { Rejected } from "./rounds.ts";

const CONNECTIONS = 16;
const ROUND_MS = 3_000;

/** Paths to GET one after another, each with a text that its body must contain. */
type LoadOrder = {
  origin: string;
  headers: Record<string, string>;
  targets: [path: string, part: string][];
};

/** Loads a server for some seconds. Returns how many were answered; throws Rejected on anything but a 200 with the part. */
export async function load({ origin, headers, targets }: LoadOrder): Promise<number> {
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
  if (unexpected !== null) throw new Rejected(unexpected);
  return answered;
}
