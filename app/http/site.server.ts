import {
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import express, { type Express, type RequestHandler } from "express";
import type { Log } from "#app/core/context.server.ts";
import { createRequestHandler, type ServerBuild } from "#app/remix/node.server.ts";
import type { App } from "./app.server.ts";
import { ALLOW_SAFE, connections, type Site } from "./connection.server.ts";
import { count } from "./metrics.server.ts";

const API_ROUTE = "routes/api.$";
/** Matches the only calls with a large answer, which remix-serve compresses. */
const DESCRIPTION = /^\/api\/openapi(?:-3\.0)?\.json$/;
const MARKDOWN_PATH = /^(\/docs(?:\/[^?]*)?)\.md(?=\?|$)/;

function apiOnly(build: ServerBuild): ServerBuild {
  const { root, [API_ROUTE]: api } = build.routes;
  if (!root || !api) throw new Error("the build has no route for the API");
  return { ...build, routes: { root, [API_ROUTE]: api } };
}

/** Serves the API without remix-serve, which doubles the calls per second. */
function createApi(build: () => ServerBuild): Express {
  const app = express().disable("x-powered-by").disable("query parser");
  let handler: RequestHandler | null = null;
  return app.all("*", (request, response, next) => {
    handler ??= createRequestHandler({ build: apiOnly(build()), mode: build().mode });
    handler(request, response, next);
  });
}

/** Replaces Express's final handler, which sets its own policy and prints errors outside the log. */
const answerFault = (log: Log, response: ServerResponse) => (error?: unknown) => {
  const { status = 500, headers = {} } = (error ?? {}) as { status?: number; headers?: object };
  if (status >= 500) log.error({ err: error }, "request failed");
  if (response.headersSent) return void response.destroy();
  const errorHeaders = { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" };
  response.writeHead(status, { ...headers, ...errorHeaders });
  response.end(`${STATUS_CODES[status] ?? "Error"}\n`);
};

type Handler = (...args: [...Parameters<RequestListener>, next: (error?: unknown) => void]) => void;

/** `remixServe` is an Express app, for pages and files. `build` is first called for the first request. */
export function createSite(build: () => ServerBuild, remixServe: RequestListener, log: Log): Site {
  const apiApp = createApi(build) as Handler;
  const pages = remixServe as Handler;
  return (request, response, connection) => {
    const { api } = connection;
    const isApiCall = api && !DESCRIPTION.test(api.path);
    if (!api && connection.sent.method === "OPTIONS")
      return void response.writeHead(204, ALLOW_SAFE).end();
    if (!isApiCall) {
      const { url = "/" } = request;
      if (MARKDOWN_PATH.test(url)) request.headers.accept = "text/markdown";
      request.url = url.replace(MARKDOWN_PATH, "$1");
      // Remix reads the query itself. Unless it is set, Express parses it too, which can cost more than the page.
      Object.assign(request, { query: {} });
    }
    const app = isApiCall ? apiApp : pages;
    connections.run(connection, () => app(request, response, answerFault(log, response)));
  };
}

const PROOF = /^\/(?:p|api\/proofs)\/[0-9a-z]{1,64}$/;
const [MAX_ANSWERS, MAX_BODY] = [1_000, 16 * 1024]; // 16 MiB in all

/** Returns the key of a plain GET without a cookie or `_data`, else null. A page shows the time, so its key has the second. */
function keyOf({ method, url = "", headers }: IncomingMessage, now: number): string | null {
  const [path = "", query] = url.split("?", 2);
  const encoding = String(headers["accept-encoding"] ?? "");
  if (method !== "GET" || !PROOF.test(path) || headers.cookie || encoding.length > 100) return null;
  if (query && new URLSearchParams(query).has("_data")) return null;
  return `${path} ${encoding} ${path.startsWith("/p/") ? Math.floor(now / 1_000) : ""}`;
}

const bodyOf = (response: ServerResponse) =>
  new Promise<Buffer | null>((resolve) => {
    const chunks: Buffer[] = [];
    response.once("close", () => resolve(null));
    for (const name of ["write", "end"] as const) {
      const send = response[name] as (...args: unknown[]) => never;
      response[name] = (chunk?: unknown, ...rest: unknown[]) => {
        if (chunk && typeof chunk !== "function") chunks.push(Buffer.from(chunk as Uint8Array));
        if (name === "end") resolve(Buffer.concat(chunks));
        return send.call(response, chunk, ...rest);
      };
    }
  });

/** Repeats the last answer for a public proof until any process changes the database; each request checks that. */
export function withProofMemory(app: App, site: Site): Site {
  const dataVersion = app.db.$client.prepare("pragma data_version").pluck();
  const totalChanges = app.db.$client.prepare("select total_changes()").pluck();
  const cache = new Map<string, { headers: Map<string, string>; body: string }>();
  const pending = new Map<string, Promise<void>>();
  let state: unknown;

  const currentState = (): unknown => {
    let newState: unknown = {};
    try {
      newState = `${dataVersion.get()} ${totalChanges.get()}`;
    } catch {} // A database locked by another process counts as changed.
    if (newState !== state || cache.size >= MAX_ANSWERS) cache.clear();
    state = newState;
    return newState;
  };
  const store = async (key: string, response: ServerResponse, before = currentState()) => {
    const body = await bodyOf(response);
    pending.delete(key);
    if (response.statusCode !== 200 || !body || body.length > MAX_BODY) return;
    const headers = new Map(Object.entries(response.getHeaders() as Record<string, string>));
    headers.delete("x-request-id");
    if (currentState() === before) cache.set(key, { headers, body: body.toString("latin1") });
  };
  return async (...[request, response, connection]: Parameters<Site>) => {
    const key = app.closing.aborted ? null : keyOf(request, app.clock());
    if (key === null) return site(request, response, connection);
    const pendingRequest = pending.get(key);
    if (pendingRequest) await pendingRequest;
    currentState();
    const cached = cache.get(key);
    if (cached && app.limiter.tryConsume({ proofs: connection.address }) === null) {
      if (connection.api) count("deed_api_requests_total", { method: "GET", status: 200 });
      return void response.setHeaders(cached.headers).end(cached.body, "latin1");
    }
    if (!cached && !pendingRequest) pending.set(key, store(key, response));
    site(request, response, connection);
  };
}
