import type { IncomingMessage } from "node:http";
import type { RequestLine } from "./request-line.server.ts";

/**
 * The route that every call under /api is handed to (app/routes/api.any.call.ts). Remix ranks its routes anew on
 * every request and compiles one after another, those with most fixed segments first: this one comes first.
 */
const API_ROUTE = "/api/any/call";

const sentPaths = new WeakMap<IncomingMessage, string>();

/**
 * Writes on the request what the layers of remix-serve are to read: Express takes `url`, Remix and the log take
 * `originalUrl`, so that a call to the API costs no walk through the routes of the pages.
 */
export function handOver(request: IncomingMessage, { url, api }: Pick<RequestLine, "url" | "api">) {
  request.url = url;
  if (!api) return;
  sentPaths.set(request, url);
  Object.assign(request, { originalUrl: API_ROUTE });
}

/** The path of a call to the API as it routes; undefined for anything else. */
export const sentPath = (request: IncomingMessage): string | undefined => sentPaths.get(request);
