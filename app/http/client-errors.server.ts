import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Env } from "#app/env.server.ts";
import { DeedError } from "#app/services/errors.server.ts";
import { answerHeaders } from "./answer-headers.server.ts";
import { envelope } from "./errors.server.ts";

const TIMED_OUT = "ERR_HTTP_REQUEST_TIMEOUT";
/** Why Node's parser gave up, for people; its other codes need no more than the first sentence. */
const REASONS: Record<string, string> = {
  HPE_INVALID_URL: "The request target has characters that must be percent-escaped.",
  HPE_INVALID_METHOD: "The request has a method that HTTP does not know.",
  HPE_HEADER_OVERFLOW: "The headers of the request are larger than 16 KiB.",
  HPE_INVALID_CHUNK_SIZE: "The chunks of the body cannot be told apart.",
  [TIMED_OUT]: "The request did not arrive in time.",
};
const UNREADABLE = "This is not a request that HTTP/1.1 allows.";
const NO_HOST = "A request of HTTP/1.1 names its Host.";
const EXPECTATION = "Expect may ask for nothing but 100-continue.";
const NO_PROXY = "This is no proxy: it takes no CONNECT.";

/** What a refusal says of the installation. */
type Told = Pick<Env, "BASE_URL" | "DOCS_URL">;

/** The refusal as the head and body of an answer; the connection closes behind it. */
function refusal(env: Told, message: string) {
  const error = new DeedError("invalid_request", { message });
  const body = JSON.stringify(envelope(error, env.DOCS_URL));
  const headers = {
    ...answerHeaders(env),
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": String(Buffer.byteLength(body)),
    "Cache-Control": "no-store",
    Connection: "close",
  };
  return { status: error.status, headers, body };
}

/** In the place of an answer that its request has a right to. */
function refuse(response: ServerResponse, env: Told, message: string): void {
  const { status, headers, body } = refusal(env, message);
  response.writeHead(status, headers).end(body);
}

/** Where there is no answer to write to: the last bytes of the connection. */
function refuseConnection(socket: Socket, env: Told, message: string): void {
  const { status, headers, body } = refusal(env, message);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.write([`HTTP/1.1 ${status} Bad Request`, ...lines, "", body].join("\r\n"));
  socket.destroySoon();
}

/** Passes on requests that name their Host, as HTTP/1.1 asks (RFC 9112 section 3.2), and refuses the others. */
export const withHost =
  (listener: RequestListener, env: Told): RequestListener =>
  (request, response) => {
    if (request.headers.host === undefined && Number(request.httpVersion) >= 1.1)
      refuse(response, env, NO_HOST);
    else listener(request, response);
  };

/**
 * Answers what Node refuses by itself, and what it cannot read as a request, with the envelope of invalid_request
 * instead of a bare status or none: such a request reaches no handler.
 */
export function answerClientErrors(server: Server, env: Told): void {
  /** Answers not yet through, by connection. */
  const open = new WeakMap<Socket, Set<ServerResponse>>();
  server.prependListener("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
    const answers = open.get(socket) ?? new Set();
    open.set(socket, answers.add(response));
    response.once("close", () => answers.delete(response));
  });
  /** Into an answer under way nothing else is written; one whose own body cannot be read has not begun. */
  const mayAnswer = (socket: Socket) => {
    const [first, ...others] = open.get(socket) ?? [];
    if (!first) return true;
    return others.length === 0 && !first.headersSent && !first.req.complete;
  };

  server.on("clientError", (error: NodeJS.ErrnoException, stream) => {
    const socket = stream as Socket;
    const code = error.code ?? "";
    // A connection opened ahead of need has asked nothing: an answer would be taken for that of its first request.
    const isUnused = code === TIMED_OUT && socket.bytesRead === 0;
    if (socket.writable && !isUnused && mayAnswer(socket))
      refuseConnection(socket, env, REASONS[code] ?? UNREADABLE);
    else socket.destroySoon();
  });
  server.on("checkExpectation", (_: IncomingMessage, response: ServerResponse) =>
    refuse(response, env, EXPECTATION),
  );
  server.on("connect", (_, socket) => refuseConnection(socket as Socket, env, NO_PROXY));
}
