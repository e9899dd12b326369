import {
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import { createRequestHandler } from "@remix-run/express";
import type { ServerBuild } from "@remix-run/node";
import express, { type Express, type RequestHandler } from "express";
import type { Log } from "#app/services/context.server.ts";
import type { Site } from "./connection.server.ts";

const CALLS = "routes/api.$";
/** The one call whose answer is large: remix-serve compresses it. */
const DESCRIPTION = "/api/openapi.json";
const FOLDER = /^\/+build(?:\/[^.]*[^./])?$/i;

/** The build with the route of all calls alone: Remix ranks the routes it has anew two and three times a request. */
function withCallsAlone(build: ServerBuild): ServerBuild {
  const { root, [CALLS]: calls } = build.routes;
  if (!root || !calls) throw new Error("the build has no route for the API");
  return { ...build, routes: { root, [CALLS]: calls } };
}

/** Calls to the API through Remix and nothing else: remix-serve's own way to them costs half of them. */
function callsOf(build: () => ServerBuild): Express {
  const site = express().disable("x-powered-by").disable("query parser");
  let handler: RequestHandler | null = null;
  return site.all("*", (request, response, next) => {
    handler ??= createRequestHandler({ build: withCallsAlone(build()), mode: build().mode });
    handler(request, response, next);
  });
}

/** Express would send a browser on to a folder of files, with a policy of its own. Ended by a slash it is nobody's. */
function withoutFolders(url: string): string {
  const [path = ""] = url.split("?", 1);
  return FOLDER.test(decodeURIComponent(path)) ? `${path}/` : url;
}

/**
 * In the place of Express's own answer, which has a policy of its own, and its print of the error outside the log.
 * What a client got wrong (a range, a condition) is no fault.
 */
const answerFault = (log: Log, response: ServerResponse) => (error?: unknown) => {
  const { status = 500, headers = {} } = (error ?? {}) as { status?: number; headers?: object };
  if (status >= 500) log.error({ err: error }, "request failed");
  if (response.headersSent) return void response.destroy();
  const [type, caching] = ["text/plain; charset=utf-8", "no-store"];
  response.writeHead(status, { ...headers, "Content-Type": type, "Cache-Control": caching });
  response.end(`${STATUS_CODES[status] ?? "Error"}\n`);
};

/** An Express app takes what is to come after it, as the apps that one is mounted in do. */
type Mounted = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

/**
 * Calls to the API, and what remix-serve answers: pages and files. `remixServe` is the listener of its server, an
 * Express app. `build` is asked for at the first call.
 */
export function createSite(build: () => ServerBuild, remixServe: RequestListener, log: Log): Site {
  const calls = callsOf(build) as Mounted;
  const others = remixServe as Mounted;
  return (request, response, { api }) => {
    const isCall = api && api.path !== DESCRIPTION;
    if (!isCall) {
      request.url = withoutFolders(request.url ?? "/");
      // Remix reads the query itself; Express, which leaves alone one it finds, would spend more on it than the page.
      Object.assign(request, { query: {} });
    }
    (isCall ? calls : others)(request, response, answerFault(log, response));
  };
}
