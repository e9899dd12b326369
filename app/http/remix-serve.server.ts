import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { type RequestListener, Server } from "node:http";
import type { Socket } from "node:net";
import { join } from "node:path";
import express from "express";
import type { Env } from "#app/env.server.ts";
import { answerClientErrors, withHost } from "./client-errors.server.ts";

/** Longer than a reverse proxy keeps an idle connection (usually 60 s); otherwise it would be closed during a request. */
const KEEP_ALIVE_MS = 65_000;
const EVENTS = ["request", "clientError", "checkExpectation", "connect"];

/** remix-serve's server and listener, and how to wrap them. On globalThis: it must survive rebuilds in development. */
type Wrapped = {
  server: Server | null;
  remixServe: RequestListener;
  wrap(server: Server, remixServe: RequestListener): void;
};
const WRAPPED = Symbol.for("deed.remix-serve");
const registry = globalThis as { [WRAPPED]?: Wrapped };

/** HTTP servers of this process that are not remix-serve's. */
const others = new WeakSet<Server>();
/** Keeps a server from being taken for remix-serve's. */
export const setApart = (server: Server): void => void others.add(server);

/**
 * Wraps the request listener of remix-serve, which exports neither its server nor a hook: a diagnostics channel shows
 * the server with its first connection, before anything is read from it. Called again, the newest wrapper replaces the last.
 */
export function wrapListener(
  env: Pick<Env, "BASE_URL" | "DOCS_URL">,
  wrapper: (remixServe: RequestListener) => RequestListener,
): void {
  const before = registry[WRAPPED];
  if (!before) subscribe("net.server.socket", onFirstConnection);
  const wrap = (server: Server, remixServe: RequestListener) => {
    for (const event of EVENTS) server.removeAllListeners(event);
    // Node would answer a missing Host with an empty body; `withHost` answers with the contract's error.
    Object.assign(server, { keepAliveTimeout: KEEP_ALIVE_MS, requireHostHeader: false });
    server.on("request", withHost(wrapper(remixServe), env));
    answerClientErrors(server, env);
  };
  registry[WRAPPED] = { server: null, remixServe: () => {}, ...before, wrap };
  if (before?.server) wrap(before.server, before.remixServe);
}

function onFirstConnection(message: unknown): void {
  const { server } = (message as { socket: Socket & { server?: unknown } }).socket;
  const wrapped = registry[WRAPPED];
  if (!(server instanceof Server) || others.has(server) || !wrapped) return;
  unsubscribe("net.server.socket", onFirstConnection);
  wrapped.server = server;
  wrapped.remixServe = server.listeners("request")[0] as RequestListener;
  wrapped.wrap(server, wrapped.remixServe);
}

/**
 * Has remix-serve look for its files, `public` and `public/build`, below `root`; by itself it would look in the working
 * directory.
 */
export function serveFilesFrom(root: string): void {
  const { static: serveStatic } = express;
  express.static = ((folder, options) =>
    serveStatic(join(root, folder), options)) as typeof serveStatic;
}
