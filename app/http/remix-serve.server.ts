import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { type RequestListener, Server, type ServerResponse } from "node:http";
import { join } from "node:path";
import express from "express";
import type { Env } from "#app/ops/environment/env.server.ts";
import { answerClientErrors, withHost } from "./request-line.server.ts";

/** Longer than a reverse proxy keeps an idle connection (usually 60 s): it must not be closed during a request. */
const KEEP_ALIVE_MS = 65_000;
const EVENTS = ["request", "clientError", "checkExpectation", "connect"];

const LISTENING = "tracing:net.server.listen:asyncEnd";

/** On globalThis: it must survive rebuilds in development. */
const WRAPPED = Symbol.for("deed.remix-serve");
type Wrapped = { server: Server; remixServe: RequestListener; underWay: Set<ServerResponse> };
const registry = globalThis as { [WRAPPED]?: Wrapped };

/** remix-serve exports neither its server nor a hook: this takes the next HTTP server that listens, and keeps to it. */
export function wrapListener(
  env: Pick<Env, "BASE_URL" | "DOCS_URL">,
  wrapper: (remixServe: RequestListener) => RequestListener,
): void {
  const wrap = ({ server, remixServe, underWay }: Wrapped) => {
    for (const event of EVENTS) server.removeAllListeners(event);
    // Node would answer a missing Host with an empty body; `withHost` answers with the contract's error.
    Object.assign(server, { keepAliveTimeout: KEEP_ALIVE_MS, requireHostHeader: false });
    server.on("request", (_, response) => {
      underWay.add(response);
      response.once("close", () => underWay.delete(response));
    });
    server.on("request", withHost(wrapper(remixServe), env));
    answerClientErrors(server, env);
  };
  const onListening = (message: unknown) => {
    const { server } = message as { server: unknown };
    if (!(server instanceof Server)) return;
    unsubscribe(LISTENING, onListening);
    const remixServe = server.listeners("request")[0] as RequestListener;
    registry[WRAPPED] = { server, remixServe, underWay: new Set() };
    wrap(registry[WRAPPED]);
  };
  if (registry[WRAPPED]) wrap(registry[WRAPPED]);
  else subscribe(LISTENING, onListening);
}

/** Once each request has its answer: a stop would wait for connections that clients keep open, or send half a request on. */
export async function closeConnections(): Promise<void> {
  const { server, underWay } = registry[WRAPPED] ?? {};
  for (const response of underWay ?? []) await once(response, "close");
  server?.closeAllConnections();
}

/** remix-serve looks in the working directory: started anywhere else, Deed's pages would have no styles. */
export function serveFilesFrom(root: string): void {
  const { static: serveStatic } = express;
  express.static = ((folder, options) =>
    serveStatic(join(root, folder), options)) as typeof serveStatic;
}
