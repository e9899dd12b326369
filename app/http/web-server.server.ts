import { readdirSync } from "node:fs";
import { createServer, type RequestListener, type Server, STATUS_CODES } from "node:http";
import { constants } from "node:zlib";
import type { ServerBuild } from "@remix-run/node";
import compression from "compression";
import express, { type ErrorRequestHandler, type RequestHandler } from "express";
import type { Env } from "#app/env.server.ts";
import type { Log } from "#app/services/context.server.ts";
import { answerClientErrors, withHost } from "./client-errors.server.ts";
import { remixByRoute } from "./remix-by-route.server.ts";
import { logRequest } from "./request-log.server.ts";

/** An idle connection outlives a reverse proxy's (60 s as a rule), or it would close under a request. */
const KEEP_ALIVE_MS = 65_000;
const PUBLIC = "public";

/** The files in public/ itself: no other path costs a look at the disk. */
function publicFiles(compress: RequestHandler): RequestHandler {
  const serve = express.static(PUBLIC, { maxAge: "1h" });
  const files = readdirSync(PUBLIC, { withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = new Set(files.map(({ name }) => `/${name}`));
  return (request, response, next) =>
    paths.has(request.path)
      ? compress(request, response, () => serve(request, response, next))
      : next();
}

/** A page is made for one request: quality 3 in a small window takes half of 4's time and a twelfth more bytes. */
const PAGE_BROTLI = {
  [constants.BROTLI_PARAM_QUALITY]: 3,
  [constants.BROTLI_PARAM_LGWIN]: 16,
};

/** Calls to the API are small or streams, and sent as they are: being looked at costs one some hundredths of its time. */
function compressedPages(): RequestHandler {
  const compress = compression({ brotli: { params: PAGE_BROTLI } });
  const isCall = (path: string) => path.startsWith("/api/") && path !== "/api/openapi.json";
  return (request, response, next) =>
    isCall(request.path) ? next() : compress(request, response, next);
}

/** Remix's own path, switched off (remix.config.js): nobody's, like any other, and nothing in its query is read. */
const withoutQuery: RequestHandler = (request, _response, next) => {
  request.originalUrl = request.path;
  next();
};

/**
 * In the place of Express's own answer, which has a policy of its own, and its print of the error outside the log.
 * What a client got wrong (a range, a condition) is no fault.
 */
const answerFault =
  (log: Log): ErrorRequestHandler =>
  (error, _request, response, _next) => {
    const { status = 500, headers = {} } = error ?? {};
    if (status >= 500) log.error({ err: error }, "request failed");
    if (response.headersSent) return void response.destroy();
    response.status(status).set(headers).set("Cache-Control", "no-store");
    response.type("text/plain").send(`${STATUS_CODES[status] ?? "Error"}\n`);
  };

/** Files, then Remix for the API and the pages. */
export function createSite(build: ServerBuild, log: Log): RequestListener {
  const site = express();
  site.disable("x-powered-by");
  // Remix reads the query itself; Express would have spent more on a long one than the page it is for.
  site.disable("query parser");
  const compress = compression();
  site.use(
    build.publicPath,
    compress,
    express.static(build.assetsBuildDirectory, { immutable: true, maxAge: "1y", redirect: false }),
  );
  site.use(publicFiles(compress));
  site.use(compressedPages());
  site.use((request, response, next) => {
    logRequest(log, request, response);
    next();
  });
  site.all("/__manifest", withoutQuery);
  site.all("*", remixByRoute(build));
  site.use(answerFault(log));
  return site;
}

/** Node's server around `listener`, not yet listening. */
export function createWebServer(
  listener: RequestListener,
  env: Pick<Env, "BASE_URL" | "DOCS_URL">,
): Server {
  // What Node would answer without a body is refused here instead.
  const options = { keepAliveTimeout: KEEP_ALIVE_MS, requireHostHeader: false };
  const server = createServer(options, withHost(listener, env));
  answerClientErrors(server, env);
  return server;
}
