import { subscribe, unsubscribe } from "node:diagnostics_channel";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { type RequestListener, Server } from "node:http";
import { join } from "node:path";
import express from "express";
import type { Env } from "#app/environment/env.server.ts";
import { answerClientErrors, withHost } from "./request-line.server.ts";

/** Longer than a reverse proxy keeps an idle connection (usually 60 s): it must not be closed during a request. */
const KEEP_ALIVE_MS = 65_000;
const EVENTS = ["request", "clientError", "checkExpectation", "connect"];

const LISTENING = "tracing:net.server.listen:asyncEnd";

/** On globalThis: it must survive rebuilds in development. */
const WRAPPED = Symbol.for("deed.remix-serve");
type Wrapped = { server: Server; remixServe: RequestListener };
const registry = globalThis as { [WRAPPED]?: Wrapped };

/** remix-serve exports neither its server nor a hook: this takes the next HTTP server that listens, and keeps to it. */
export function wrapListener(
  env: Pick<Env, "BASE_URL" | "DOCS_URL">,
  wrapper: (remixServe: RequestListener) => RequestListener,
): void {
  const wrap = ({ server, remixServe }: Wrapped) => {
    for (const event of EVENTS) server.removeAllListeners(event);
    // Node would answer a missing Host with an empty body; `withHost` answers with the contract's error.
    Object.assign(server, { keepAliveTimeout: KEEP_ALIVE_MS, requireHostHeader: false });
    // Node closes idle connections once, when a stop begins, and would wait for those of later answers.
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

/** Not that of a checkout with changes: the next one may be called the same. */
const CLIENT = /^\/deed-client-[^/?]*(?<!\.changed)\.tgz(?=\?|$)/;

/** Lock files have the hash of a client once given out: it stays in `kept`, whatever a later package has. */
function keepClients(given: string, kept: string): void {
  const clients = readdirSync(given).filter((name) => CLIENT.test(`/${name}`));
  try {
    mkdirSync(kept, { recursive: true });
    for (const name of clients.filter((one) => !existsSync(join(kept, one)))) {
      writeFileSync(join(kept, `${name}.part`), readFileSync(join(given, name)));
      renameSync(join(kept, `${name}.part`), join(kept, name));
    }
  } catch {} // On a full disk those of the package are served.
}

/** remix-serve looks in the working directory: started anywhere else, Deed's pages would have no styles. */
export function serveFilesFrom(root: string, clients: string): void {
  keepClients(join(root, "public"), clients);
  const { static: serveStatic } = express;
  const kept = serveStatic(clients, { immutable: true, maxAge: "1y" });
  express.static = ((folder, options) => {
    const files = serveStatic(join(root, folder), options);
    return (...[request, response, next]: Parameters<typeof files>) => {
      if (!CLIENT.test(request.url ?? "")) return files(request, response, next);
      kept(request, response, () => files(request, response, next));
    };
  }) as typeof serveStatic;
}
