import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { EnvironmentError } from "#app/env.server.ts";
import { setApart } from "./remix-serve.server.ts";

const MOST_CONNECTIONS = 16;

/** Answers a request for the metrics with the value of its Authorization header; null if it may not have them. */
export type MetricsAnswer = (authorization: string | undefined) => Promise<string | null>;

export const METRICS_HEADERS = {
  "Content-Type": "text/plain; version=0.0.4; charset=utf-8",
  "Cache-Control": "no-store",
};

/**
 * Listens at an address of its own, which answers /metrics and nothing else. Resolves once it listens with its port
 * and what ends it; rejects with an EnvironmentError if it cannot.
 */
export async function listenForMetrics(
  { host, port }: { host: string; port: number },
  answer: MetricsAnswer,
): Promise<{ port: number; end: () => void }> {
  const server = createServer(async ({ method, url, headers }, response) => {
    const isAsked = /^\/metrics(?:\?|$)/.test(url ?? "") && (method === "GET" || method === "HEAD");
    const text = isAsked ? await answer(headers.authorization).catch(() => "") : null;
    if (text) response.writeHead(200, METRICS_HEADERS).end(method === "HEAD" ? undefined : text);
    else response.writeHead(text === null ? 404 : 500).end();
  });
  server.maxConnections = MOST_CONNECTIONS;
  setApart(server);
  server.listen(port, host);
  await once(server, "listening").catch((error: NodeJS.ErrnoException) => {
    const reason = error.code === "EADDRINUSE" ? "another process has it" : error.message;
    throw new EnvironmentError([`METRICS must be an address and port to listen on: ${reason}`]);
  });
  return {
    port: (server.address() as AddressInfo).port,
    end() {
      server.close();
      server.closeAllConnections();
    },
  };
}
