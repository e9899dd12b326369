import type { IncomingMessage, ServerResponse } from "node:http";
import type { Env } from "#app/env.server.ts";
import { answerHeaders } from "./answer-headers.server.ts";
import { writeChunk } from "./chunk.server.ts";
import { requestAddress, trustedProxies } from "./forwarded.server.ts";
import { isCrossOrigin, isWrite } from "./origin.server.ts";
import { readRequestLine } from "./request-line.server.ts";

/** What a Request does not say of the connection it came on. */
export type Connection = {
  /** The client's address, IPv4-mapped ones folded. */
  address: string;
  /** Aborts once the response can no longer be written to, finished or not. */
  closed: AbortSignal;
  /** Taken out of the URL of a sign-in link before anything could log it. */
  signInToken: string | null;
  /** A call to the API as it was sent; its URL has no query, and a path that routes. Null outside the API. */
  api: { path: string; search: string } | null;
  /** The method as sent, where Remix could not have carried it. */
  foreignMethod: string | null;
  /** Bytes written and not yet taken by the client. */
  buffered: () => number;
  /** Cuts the connection. */
  drop: () => void;
  /**
   * Keeps the answer open when its body is out, which `onOpen` says: from then on `write` adds to it, and `end` ends
   * it. `onClose` is called at its end, however it came. What answered is done with it, and keeps nothing for it.
   */
  hold: (told: { onOpen: () => void; onClose: () => void }) => void;
  /** False where more waits for the client than a socket holds as a rule. */
  write: (bytes: Uint8Array) => boolean;
  end: () => void;
  /** Sends a cookie with the answer, whoever makes it; nothing once its headers are out. */
  setCookie: (line: string) => void;
  /** Gives the answer a Content-Security-Policy of its own in place of the one that allows nothing. */
  setPolicy: (policy: string) => void;
};

const records = new Map<string, Connection>();
/** What the log tells of a request that what answers it sees as another. */
const asSent = new WeakMap<IncomingMessage, { method: string; url: string }>();
let count = 0;
const HEADER = "x-deed-connection";
const CARRIED_METHODS = new Set(["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"]);
const HOST = /^(?:[a-z0-9._-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;
/** How long the rest of a refused body is read and thrown away before the connection is cut. */
const DRAIN_MS = 1_000;
/** Where a page's write from another site ends; see app/routes/cross-origin.ts. */
const REFUSED_PATH = "/cross-origin";

/** Takes a request in before anything else sees it; `address` is the client's where another node vouches for it. */
export type Intake = (
  request: IncomingMessage,
  response: ServerResponse,
  address?: string | undefined,
) => Connection;

/** What answers a request that was taken in. */
export type Site = (
  request: IncomingMessage,
  response: ServerResponse,
  connection: Connection,
) => void;

/**
 * What every request goes through first: a target, a method and a Host that nothing behind trips over, the headers
 * every answer has, and a record of the connection, which `connectionOf` finds again.
 */
export function createIntake(env: Env): Intake {
  const trusted = trustedProxies(env.TRUSTED_PROXIES);
  const always = new Map(Object.entries(answerHeaders(env)));
  return (request, response, address) => {
    response.setHeaders(always);
    return receive(env, address ?? requestAddress(request, trusted), request, response);
  };
}

function receive(
  env: Env,
  address: string,
  request: IncomingMessage,
  response: ServerResponse,
): Connection {
  const headers = request.headers;
  for (const name of Object.keys(headers)) if (name.startsWith("x-deed-")) delete headers[name];

  const line = readRequestLine(request.url ?? "/");
  normaliseHost(env, request);

  const method = request.method ?? "GET";
  const foreignMethod = CARRIED_METHODS.has(method) ? null : method;
  // Remix cannot carry it (a Request refuses TRACE): as OPTIONS it reaches no action.
  if (foreignMethod) request.method = "OPTIONS";
  const isRefused =
    line.api === null && isWrite(method) && !foreignMethod && isForeign(env, request);
  if (isRefused || foreignMethod) asSent.set(request, { method, url: line.url });
  if (isRefused) request.method = "GET";
  request.url = isRefused ? REFUSED_PATH : line.url;

  const id = (++count).toString(36);
  headers[HEADER] = id;
  const connection = recordOf(response, address, { ...line, foreignMethod });
  records.set(id, connection);
  response.once("close", () => records.delete(id));
  response.once("finish", () => drainUnread(request));
  return connection;
}

function recordOf(
  response: ServerResponse,
  address: string,
  facts: Pick<Connection, "signInToken" | "api" | "foreignMethod">,
): Connection {
  // Made where somebody asks for it: few do.
  let closing: AbortController | null = null;
  return {
    address,
    get closed() {
      if (closing) return closing.signal;
      const made = new AbortController();
      closing = made;
      if (response.closed) made.abort();
      else response.once("close", () => made.abort());
      return made.signal;
    },
    signInToken: facts.signInToken,
    api: facts.api,
    foreignMethod: facts.foreignMethod,
    buffered: () => response.writableLength,
    drop: () => response.destroy(),
    hold({ onOpen, onClose }) {
      const { end } = response;
      response.end = () => {
        response.end = end;
        onOpen();
        return response;
      };
      if (response.closed) queueMicrotask(onClose);
      else response.once("close", onClose);
    },
    write: (bytes) => writeChunk(response, bytes),
    end: () => void response.end(),
    setCookie: (line) => {
      if (!response.headersSent) response.appendHeader("Set-Cookie", line);
    },
    setPolicy: (policy) => {
      if (!response.headersSent) response.setHeader("Content-Security-Policy", policy);
    },
  };
}

/** The last Host that was looked at and found usable: mostly it is the next one too. */
let lastUsable = "";

function isUsable(host: string): boolean {
  if (host !== "" && host === lastUsable) return true;
  const usable = HOST.test(host) && URL.canParse(`http://${host}`);
  if (usable) lastUsable = host;
  return usable;
}

/** The Host that Remix sees is the service's own where BASE_URL says it, and always one that a URL can hold. */
function normaliseHost(env: Env, request: IncomingMessage): void {
  const { headers } = request;
  delete headers["x-forwarded-host"];
  const host = headers.host ?? "";
  if (env.baseUrlGiven || !isUsable(host)) headers.host = new URL(env.BASE_URL).host;
}

/** Whether a page's write is another site's. It never reaches an action; Remix alone would answer it with a 500. */
function isForeign(env: Env, { headers }: IncomingMessage): boolean {
  const { origin, host, "sec-fetch-site": fetchSite } = headers;
  return isCrossOrigin(env, {
    origin,
    host,
    fetchSite: Array.isArray(fetchSite) ? fetchSite[0] : fetchSite,
  });
}

/** After an answer sent before the body was read: throws the rest away without keeping it. */
function drainUnread(request: IncomingMessage): void {
  if (request.complete) return;
  request.removeAllListeners("data");
  request.resume();
  setTimeout(() => {
    if (!request.complete) request.socket.destroy();
  }, DRAIN_MS).unref();
}

/** The method and target a request came with, a sign-in token left out. */
export const sentLine = (request: IncomingMessage): { method: string; url: string } =>
  asSent.get(request) ?? { method: request.method ?? "", url: request.url ?? "" };

const GONE = AbortSignal.abort();

/**
 * The connection a request came on. Call it before the first await: once the client has left, or where
 * no server carried the request, what comes back has no address and no sign-in token.
 */
export function connectionOf(request: Request): Connection {
  const id = request.headers.get(HEADER);
  const known = id === null ? undefined : records.get(id);
  if (known) return known;
  return {
    address: "unknown",
    closed: id === null ? request.signal : GONE,
    signInToken: null,
    api: null,
    foreignMethod: null,
    buffered: () => 0,
    drop: () => {},
    hold: () => {},
    write: () => true,
    end: () => {},
    setCookie: () => {},
    setPolicy: () => {},
  };
}
