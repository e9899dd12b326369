import { subscribe, unsubscribe } from "node:diagnostics_channel";
import fs from "node:fs";
import { type RequestListener, Server } from "node:http";
import { join } from "node:path";
import express from "express";
import type { Env } from "#app/environment/env.server.ts";
import { answerClientErrors, withHost } from "./request-line.server.ts";

/** Reverse proxies usually keep an idle connection for 60 s; this is longer, so none is closed during a request. */
const KEEP_ALIVE_MS = 65_000;
const EVENTS = ["request", "clientError", "checkExpectation", "connect"];

const LISTENING = "tracing:net.server.listen:asyncEnd";

/** The server is kept on globalThis, because it must survive rebuilds in development. */
const WRAPPED = Symbol.for("deed.remix-serve");
type WrappedServer = { server: Server; remixServe: RequestListener };
const registry = globalThis as { [WRAPPED]?: WrappedServer };

/** remix-serve exports neither its server nor a hook, so this takes the next HTTP server that listens, and keeps it. */
export function wrapListener(
  env: Pick<Env, "BASE_URL" | "DOCS_URL">,
  wrapper: (remixServe: RequestListener) => RequestListener,
): void {
  const wrap = ({ server, remixServe }: WrappedServer) => {
    for (const event of EVENTS) server.removeAllListeners(event);
    // Node would answer a missing Host with an empty body; `withHost` answers with the contract's error.
    Object.assign(server, { keepAliveTimeout: KEEP_ALIVE_MS, requireHostHeader: false });
    // When a stop begins, Node closes idle connections once; it would wait for those that become idle later.
    server.on("request", ({ socket }, response) => {
      response.once("close", () => server.listening || socket.destroySoon());
    });
    server.on("request", withHost(wrapper(remixServe), env));
    answerClientErrors(server, env);
  };
  const onListening = (message: unknown) => {
    const { server } = message as { server: unknown };
    if (!(server instanceof Server)) return;
    unsubscribe(LISTENING, onListening);
    registry[WRAPPED] = { server, remixServe: server.listeners("request")[0] as RequestListener };
    wrap(registry[WRAPPED]);
  };
  if (registry[WRAPPED]) wrap(registry[WRAPPED]);
  else subscribe(LISTENING, onListening);
}

/** Matches a client package, but none from a checkout with changes: the next build may have the same name. */
const CLIENT = /^\/deed-client-[^/?]*(?<!\.changed)\.tgz(?=\?|$)/;

/** Lock files have the hashes of clients: a client once served stays in `keptFolder` even if a later package lacks it. */
function keepClientFiles(packageFolder: string, keptFolder: string): void {
  const clients = fs.readdirSync(packageFolder).filter((name) => CLIENT.test(`/${name}`));
  try {
    fs.mkdirSync(keptFolder, { recursive: true });
    for (const name of clients.filter((name) => !fs.existsSync(join(keptFolder, name)))) {
      fs.writeFileSync(
        join(keptFolder, `${name}.part`),
        fs.readFileSync(join(packageFolder, name)),
      );
      fs.renameSync(join(keptFolder, `${name}.part`), join(keptFolder, name));
    }
  } catch {} // On a full disk, the package's own clients are served.
}

/** Serves files from `root`: remix-serve would use the working directory, and pages would have no styles elsewhere. */
export function serveFilesFrom(root: string, clients: string): void {
  keepClientFiles(join(root, "public"), clients);
  const { static: serveStatic } = express;
  const serveKept = serveStatic(clients, { immutable: true, maxAge: "1y" });
  express.static = ((folder, options) => {
    // A folder is not found: Express would redirect to it with its own policy.
    const files = serveStatic(join(root, folder), { ...options, redirect: false });
    return (...[request, response, next]: Parameters<typeof files>) => {
      if (!CLIENT.test(request.url ?? "")) return files(request, response, next);
      serveKept(request, response, () => files(request, response, next));
    };
  }) as typeof serveStatic;
}
