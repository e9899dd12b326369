// The load generator, a child process that takes orders over IPC from load.ts.
import { Agent, type IncomingMessage, request } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { LoadOrder, LoadReport } from "./load.ts";

/** One in so many compressed bodies is decoded and checked; plain ones are all checked. */
const DECODED_EVERY = 97;

const DECODERS: Record<string, (body: Buffer) => Buffer> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
};

async function carryOut(order: LoadOrder): Promise<LoadReport> {
  const { origin, targets, headers, connections, seconds, encoding } = order;
  const agent = new Agent({ keepAlive: true, maxSockets: connections, scheduling: "fifo" });
  const { hostname, port } = new URL(origin);
  const report: LoadReport = { requests: 0, seconds: 0, bodyBytes: 0, unexpected: null };
  const from = performance.now();
  const until = from + 1_000 * seconds;
  let next = 0;

  const judge = (response: IncomingMessage, body: Buffer, path: string, expects: string) => {
    const sent = response.headers["content-encoding"] ?? null;
    if (response.statusCode !== 200) return `${path} answered ${response.statusCode}`;
    if (sent !== encoding) return `${path} came with Content-Encoding ${sent}`;
    const decode = DECODERS[sent ?? ""];
    if (decode && report.requests % DECODED_EVERY !== 0) return null;
    const text = decode ? decode(body) : body;
    return text.includes(expects) ? null : `${path} came without ${expects}`;
  };

  const ask = (path: string, expects: string) =>
    new Promise<void>((resolve) => {
      const fail = (error: Error) => {
        report.unexpected ??= `${path}: ${error.message}`;
        resolve();
      };
      request({ hostname, port, path, headers, agent }, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.once("error", fail);
        response.once("end", () => {
          const body = Buffer.concat(chunks);
          report.unexpected ??= judge(response, body, path, expects);
          report.bodyBytes += body.length;
          report.requests++;
          resolve();
        });
      })
        .once("error", fail)
        .end();
    });

  const visit = async () => {
    while (performance.now() < until && report.unexpected === null) {
      const target = targets[next++ % targets.length];
      if (target) await ask(target.path, target.expects);
    }
  };
  await Promise.all(Array.from({ length: connections }, visit));
  report.seconds = (performance.now() - from) / 1_000;
  agent.destroy();
  return report;
}

process.on("message", async (order: LoadOrder) => {
  process.send?.(await carryOut(order));
});
process.once("disconnect", () => process.exit(0));
