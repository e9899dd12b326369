import { type RequestListener, type ServerResponse, STATUS_CODES } from "node:http";
import { createRequestHandler } from "@remix-run/express";
import type { ServerBuild } from "@remix-run/node";
import express, { type Express, type RequestHandler } from "express";
import type { Log } from "#app/core/context.server.ts";
import { connections, type Site } from "./connection.server.ts";

const API_ROUTE = "routes/api.$";
/** The only call with a large answer; remix-serve compresses it. */
const DESCRIPTION = "/api/openapi.json";
const FOLDER = /^\/+build(?:\/[^.]*[^./])?$/i;

/** The build with only the API's route: Remix ranks all routes it knows two or three times per request. */
function apiOnly(build: ServerBuild): ServerBuild {
  const { root, [API_ROUTE]: api } = build.routes;
  if (!root || !api) throw new Error("the build has no route for the API");
  return { ...build, routes: { root, [API_ROUTE]: api } };
}

/** Serves the API through Remix alone: past remix-serve, users get twice the calls per second. */
function createApi(build: () => ServerBuild): Express {
  const app = express().disable("x-powered-by").disable("query parser");
  let handler: RequestHandler | null = null;
  return app.all("*", (request, response, next) => {
    handler ??= createRequestHandler({ build: apiOnly(build()), mode: build().mode });
    handler(request, response, next);
  });
}

/** Adds a slash to a folder of files, which makes it not found: Express would redirect with its own policy. */
function withoutFolders(url: string): string {
  const [path = ""] = url.split("?", 1);
  return FOLDER.test(decodeURIComponent(path)) ? `${path}/` : url;
}

/**
 * Replaces Express's final handler, which sets its own policy and prints errors outside the log. Client errors
 * (a range, a condition) are not logged.
 */
const answerFault = (log: Log, response: ServerResponse) => (error?: unknown) => {
  const { status = 500, headers = {} } = (error ?? {}) as { status?: number; headers?: object };
  if (status >= 500) log.error({ err: error }, "request failed");
  if (response.headersSent) return void response.destroy();
  const own = { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" };
  response.writeHead(status, { ...headers, ...own });
  response.end(`${STATUS_CODES[status] ?? "Error"}\n`);
};

/** An Express app called as a mounted one, with the handler that follows it. */
type Mounted = (...args: [...Parameters<RequestListener>, next: (error?: unknown) => void]) => void;

/**
 * Serves the API, and passes pages and files to `remixServe`, the listener of remix-serve's server (an Express app).
 * `build` is first called with the first request.
 */
export function createSite(build: () => ServerBuild, remixServe: RequestListener, log: Log): Site {
  const apiApp = createApi(build) as Mounted;
  const pages = remixServe as Mounted;
  return (request, response, connection) => {
    const { api } = connection;
    const isApiCall = api && api.path !== DESCRIPTION;
    if (!isApiCall) {
      request.url = withoutFolders(request.url ?? "/");
      // Remix reads the query itself. Express would parse it too, which can cost more than the page, unless it is set.
      Object.assign(request, { query: {} });
    }
    const app = isApiCall ? apiApp : pages;
    connections.run(connection, () => app(request, response, answerFault(log, response)));
  };
}
