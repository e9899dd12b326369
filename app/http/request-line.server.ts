import { randomUUID } from "node:crypto";
import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { DeedError } from "#app/core/errors.server.ts";
import type { Env } from "#app/environment/env.server.ts";
import { envelope } from "./errors.server.ts";

const TOKEN_PAGES: ReadonlySet<string> = new Set(["/sign-in/confirm", "/sign-in/invitation"]);

/** Characters of a decoded segment that break routers: separators, and what a regular expression's dot skips. */
const UNROUTABLE = /[/\\\p{Cc}\u2028\u2029]/u;

/** URL parsers resolve such a segment (URL Standard, "double-dot URL path segment"); here it is an ordinary name. */
const DOT_SEGMENT = /^(?:\.|%2e){1,2}$/i;

const isRoutable = (segment: string) => {
  try {
    return !DOT_SEGMENT.test(segment) && !UNROUTABLE.test(decodeURIComponent(segment));
  } catch {
    return false;
  }
};

/** Longer runs become two slashes: routers trim a path's end in quadratic time, a second for 16 KB of slashes. */
const SLASHES = /\/{3,}/g;

/** The manifest is switched off in remix.config.js, so this path is not found, and its query is not read. */
const REMIX_MANIFEST = "/__manifest";

/** Escapes a segment so that no router decodes the part it cannot route. */
function escapeSegment(segment: string): string {
  const escapes = segment.replaceAll("%", "%25").replaceAll("\\", "%255C");
  return DOT_SEGMENT.test(segment) ? escapes.replaceAll(".", "%252E") : escapes;
}

/** Accepts the origin form and the absolute form of a target (RFC 9112 section 3.2); anything else becomes the root. */
function originForm(target: string): string {
  if (target.startsWith("/")) return target;
  const pathAndQuery = /^https?:\/\/[^/?#]*(.*)$/i.exec(target)?.[1];
  if (pathAndQuery === undefined) return "/";
  return pathAndQuery.startsWith("/") ? pathAndQuery : `/${pathAndQuery}`;
}

/** Escapes again what Express would misroute. Removes a call's query: Remix reads `_data`, and logs would show codes. */
export function readRequestLine(target: string) {
  const sent = originForm(target).replace(/#.*$/s, "");
  const queryAt = sent.indexOf("?");
  const sentPath = (queryAt < 0 ? sent : sent.slice(0, queryAt)).replace(SLASHES, "//");
  const search = queryAt < 0 ? "" : sent.slice(queryAt);
  const path = sentPath
    .split("/")
    .map((segment) => (isRoutable(segment) ? segment : escapeSegment(segment)))
    .join("/");
  const decodedPath = decodeURIComponent(path).replace(/\/+$/, "");
  if (decodedPath === "/api" || decodedPath.startsWith("/api/"))
    return { url: path, api: { path: sentPath, search }, signInToken: null };
  if (path === REMIX_MANIFEST) return { url: path, api: null, signInToken: null };
  if (!TOKEN_PAGES.has(decodedPath)) return { url: path + search, api: null, signInToken: null };
  const query = new URLSearchParams(search);
  const signInToken = query.get("token");
  query.delete("token");
  return { url: path + (query.size > 0 ? `?${query}` : ""), api: null, signInToken };
}

/** With this policy, an answer that is opened as a document may load nothing. Pages replace it with their own. */
export const CLOSED_POLICY =
  "default-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export const answerHeaders = ({ BASE_URL }: Pick<Env, "BASE_URL">): Record<string, string> => ({
  "X-Content-Type-Options": "nosniff",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Content-Security-Policy": CLOSED_POLICY,
  ...(BASE_URL.startsWith("https:") && {
    "Strict-Transport-Security": "max-age=31536000; includeSubDomains",
  }),
});

const TIMED_OUT = "ERR_HTTP_REQUEST_TIMEOUT";
const REASONS: Record<string, string> = {
  HPE_INVALID_URL: "The request target has characters that must be percent-escaped.",
  HPE_INVALID_METHOD: "The request has an unknown HTTP method.",
  HPE_HEADER_OVERFLOW: "The headers of the request are larger than 16 KiB.",
  HPE_INVALID_CHUNK_SIZE: "The chunks of the body have an invalid size.",
  [TIMED_OUT]: "The request did not arrive in time.",
};

type Installation = Pick<Env, "BASE_URL" | "DOCS_URL">;

function refusal(env: Installation, message: string) {
  const error = new DeedError("invalid_request", { message });
  const body = JSON.stringify(envelope(error, env.DOCS_URL));
  const headers = {
    ...answerHeaders(env),
    "X-Request-Id": randomUUID(),
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": String(Buffer.byteLength(body)),
    "Cache-Control": "no-store",
    Connection: "close",
  };
  return { status: error.status, headers, body };
}

function refuse(response: ServerResponse, env: Installation, message: string): void {
  const { status, headers, body } = refusal(env, message);
  response.writeHead(status, headers).end(body);
}

function refuseConnection(socket: Socket, env: Installation, message: string): void {
  const { status, headers, body } = refusal(env, message);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.write([`HTTP/1.1 ${status} Bad Request`, ...lines, "", body].join("\r\n"));
  socket.destroySoon();
}

const isHost = (name: string, at: number) => at % 2 === 0 && name.toLowerCase() === "host";

/** Refuses a request with two Hosts, or none in HTTP/1.1 (RFC 9112 section 3.2). */
export const withHost =
  (listener: RequestListener, env: Installation): RequestListener =>
  (request, response) => {
    const hosts = request.rawHeaders.filter(isHost).length;
    if (hosts > 1 || (hosts === 0 && Number(request.httpVersion) >= 1.1))
      refuse(response, env, "An HTTP/1.1 request must have one Host header.");
    else listener(request, response);
  };

/** Returns a set whose answers close with the connection: Node leaves open those whose turn had not come. */
function answersClosedWith(socket: Socket): Set<ServerResponse> {
  const answers = new Set<ServerResponse>();
  const closeAll = () => {
    for (const answer of answers) answer.emit("close");
  };
  socket.once("close", () => setImmediate(closeAll));
  return answers;
}

/** Answers requests that Node refuses or cannot parse; by itself, Node sends a bare status or nothing. */
export function answerClientErrors(server: Server, env: Installation): void {
  const answersOf = new WeakMap<Socket, Set<ServerResponse>>();
  server.prependListener("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
    const answers = answersOf.get(socket) ?? answersClosedWith(socket);
    answersOf.set(socket, answers.add(response));
    response.once("close", () => answers.delete(response));
  });
  /** Whether no answer has started, into which a refusal would be written. While a body is unreadable, none has. */
  const mayAnswer = (socket: Socket) => {
    const [first, ...others] = answersOf.get(socket) ?? [];
    if (!first) return true;
    return others.length === 0 && !first.headersSent && !first.req.complete;
  };

  server.on("clientError", (error: NodeJS.ErrnoException, stream) => {
    const socket = stream as Socket;
    const code = error.code ?? "";
    // On an unused connection, an answer would be taken for that of its first request.
    const isUnused = code === TIMED_OUT && socket.bytesRead === 0;
    if (socket.writable && !isUnused && mayAnswer(socket))
      refuseConnection(socket, env, REASONS[code] ?? "This is not a valid HTTP/1.1 request.");
    else socket.destroySoon();
  });
  server.on("checkExpectation", (_: IncomingMessage, response: ServerResponse) =>
    refuse(response, env, "Expect supports only 100-continue."),
  );
  server.on("connect", (_, stream) => {
    const socket = stream as Socket;
    if (mayAnswer(socket))
      refuseConnection(socket, env, "This is not a proxy: CONNECT is not supported.");
    else socket.destroy();
  });
}
