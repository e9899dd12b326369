import { readFileSync } from "node:fs";
import { request as get, type IncomingMessage } from "node:http";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";

/** `hostname` is the primary's application address, host:port, and is not read from `.primary`, which may be missing. */
export type LeaseView = { isPrimary: boolean; hostname: string };

/** LiteFS runs on the same machine, so it answers quickly or not at all. */
const ANSWER_TIMEOUT_MS = 1_000;

function open(url: string, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent: false, signal }, (response) => {
      if (response.statusCode === 200) return resolve(response);
      response.resume();
      reject(new Error(`LiteFS answered ${response.statusCode}`));
    });
    request.once("error", reject);
    request.end();
  });
}

const viewOf = (isPrimary: unknown, hostname: unknown): LeaseView => ({
  isPrimary: isPrimary === true,
  hostname: typeof hostname === "string" ? hostname : "",
});

/** Rejects if LiteFS does not answer within a second. */
export async function readInfo(litefsUrl: string): Promise<LeaseView> {
  const response = await open(`${litefsUrl}/info`, AbortSignal.timeout(ANSWER_TIMEOUT_MS));
  const info = JSON.parse(await text(response));
  return viewOf(info.isPrimary, info.primary?.hostname);
}

type Listeners = { onLease: (view: LeaseView) => void; onTransaction: () => void };

/** Follows `GET /events`, which sends one JSON object per line. Resolves or rejects when the stream ends. */
export async function followEvents(litefsUrl: string, on: Listeners, signal: AbortSignal) {
  const response = await open(`${litefsUrl}/events`, signal);
  for await (const line of createInterface({ input: response })) {
    const { type, data } = JSON.parse(line);
    if (type === "tx") on.onTransaction();
    if (type === "init" || type === "primaryChange")
      on.onLease(viewOf(data?.isPrimary, data?.hostname));
  }
}

/** Returns the newest transaction of this copy, from `<database>-pos` (16 hex digits before a slash); 0 if there is none. */
export function readPosition(databasePath: string): bigint {
  const txid = /^[0-9a-f]{16}(?=\/)/.exec(readOrEmpty(`${databasePath}-pos`))?.[0];
  return txid ? BigInt(`0x${txid}`) : 0n;
}

/** Returns the milliseconds since the primary's last heartbeat, from `.lag` on the mount; null before the first one. */
export function readLag(databasePath: string): number | null {
  const lagMs = Number.parseInt(readOrEmpty(join(dirname(databasePath), ".lag")), 10);
  return Number.isNaN(lagMs) || lagMs >= 0x7fffffff ? null : Math.max(0, lagMs);
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
