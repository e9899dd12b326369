import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import type { Playground } from "../playground.ts";
import { Hooks } from "./hooks.ts";
import { head, page } from "./layout.ts";
import { checkOrigin, Refusal, readFields } from "./request.ts";
import { type PanelContext, ROUTES } from "./routes.ts";
import { Stage } from "./stage.ts";

export type Panel = { url: string; stop(): Promise<void> };

export type PanelOptions = {
  playground: Playground;
  /** Origin of the service the panel's pages link to. The panel is at the same host name. */
  serviceUrl: string;
  /** The folder to which the service writes its mails. */
  outbox: string;
  /** By default only on loopback. Wherever it listens, it answers only requests for localhost. */
  host?: string;
  /** 0 for any free port. */
  port?: number;
  /** The folder with copies of the files it serves (scripts/build.mjs); by default the sources. */
  files?: string;
  /** First label of the service's records. */
  challengeLabel?: string;
};

/** This project's folder. */
const SOURCES = join(import.meta.dirname, "../../..");
const CSS = "text/css; charset=utf-8";

/** The product's own files, so that the panel looks like the product. */
const FILES: Record<string, { path: string; type: string }> = {
  "/panel.css": { path: "packages/playground/panel/panel.css", type: CSS },
  "/favicon.svg": { path: "public/favicon.svg", type: "image/svg+xml" },
};

const fileAt = (pathname: string) =>
  /^\/styles\/[a-z]+\.css$/.test(pathname)
    ? { path: `app${pathname}`, type: CSS }
    : FILES[pathname];

const HEADERS = {
  "Cache-Control": "no-store",
  "Referrer-Policy": "same-origin",
  "X-Content-Type-Options": "nosniff",
};

// Browsers apply form-action also to where a form's answer redirects.
const policy = (serviceUrl: string) =>
  `default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self' ${serviceUrl}; base-uri 'none'; frame-ancestors 'none'`;

const refusalPage = ({ status, message }: Refusal) =>
  [status, page("Not possible", head("Not possible", message))] as const;

async function answer(
  panel: PanelContext,
  request: IncomingMessage,
  response: ServerResponse,
  files: string | undefined,
) {
  checkOrigin(request);
  const method = request.method === "HEAD" ? "GET" : (request.method ?? "");
  const { pathname, hostname } = new URL(request.url ?? "/", `http://${request.headers.host}`);
  // Only there does the browser have the visitor's session.
  const serviceHost = new URL(panel.serviceUrl).hostname;
  const ownUrl = `http://${serviceHost}:${request.socket.localPort}`;
  if (method === "GET" && hostname !== serviceHost)
    return response.writeHead(303, { Location: ownUrl + pathname }).end();
  const file = fileAt(pathname);
  if (file && method === "GET") {
    const path = files ? join(files, pathname) : join(SOURCES, file.path);
    const content = await readFile(path).catch(() => {
      throw new Refusal(404, "There is no such page.");
    });
    response.setHeader("Content-Type", file.type);
    return response.end(content);
  }
  if (pathname === "/hooks" && method === "GET")
    return send(
      response,
      200,
      panel.hooks.page(`http://127.0.0.1:${request.socket.localPort}`).text,
    );
  if (pathname === "/hooks" && method === "POST") {
    await panel.hooks.take(request);
    return response.writeHead(204).end();
  }
  const matchingRoutes = ROUTES.filter(([, path]) => path.test(pathname));
  const route = matchingRoutes.find(([accepted]) => accepted === method);
  if (matchingRoutes.length === 0) throw new Refusal(404, "There is no such page.");
  if (!route) throw new Refusal(405, "This page does not accept that method.");
  const form = method === "POST" ? await readFields(request) : new URLSearchParams();
  const { cookie = "" } = request.headers;
  const outcome = await route[2](panel, pathname.split("/").slice(1), form, cookie);
  if ("to" in outcome) {
    response.setHeader("Set-Cookie", outcome.cookies ?? []);
    return response.writeHead(303, { Location: outcome.to }).end();
  }
  return send(response, outcome.status, outcome.page.text);
}

const send = (response: ServerResponse, status: number, text: string) =>
  response.writeHead(status, { "Content-Type": "text/html; charset=utf-8" }).end(text);

/** Serves a playground's registrar panel. */
export function startPanel(options: PanelOptions): Promise<Panel> {
  const { playground, serviceUrl, outbox, host = "127.0.0.1", port = 0 } = options;
  const { challengeLabel = "_service-challenge" } = options;
  const stage = new Stage(playground, challengeLabel);
  const panel: PanelContext = { playground, serviceUrl, stage, outbox, hooks: new Hooks() };
  const server = createServer(async (request, response) => {
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    response.setHeader("Content-Security-Policy", policy(serviceUrl));
    try {
      await answer(panel, request, response, options.files);
    } catch (error) {
      const refusal = error instanceof Refusal ? error : new Refusal(500, "The panel failed.");
      if (refusal !== error) console.error(error);
      const [status, shown] = refusalPage(refusal);
      response.setHeader("Connection", "close");
      send(response, status, shown.text);
    }
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      const address = server.address();
      const boundPort = typeof address === "object" && address ? address.port : port;
      resolve({
        url: `http://${new URL(serviceUrl).hostname}:${boundPort}`,
        stop: () =>
          new Promise((done) => {
            server.close(() => done());
            server.closeAllConnections();
          }),
      });
    });
  });
}
