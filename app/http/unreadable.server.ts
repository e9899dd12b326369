import { subscribe } from "node:diagnostics_channel";
import { type IncomingMessage, Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { DeedError } from "#app/services/errors.server.ts";
import { envelope } from "./errors.server.ts";

/** Why Node's parser gave up, for people; its other codes need no more than the first sentence. */
const REASONS: Record<string, string> = {
  HPE_INVALID_URL: "The request target has characters that must be percent-escaped.",
  HPE_INVALID_METHOD: "The request has a method that HTTP does not know.",
  HPE_HEADER_OVERFLOW: "The headers of the request are larger than 16 KiB.",
};
const UNREADABLE = "This is not a request that HTTP/1.1 allows.";
const TIMED_OUT = "ERR_HTTP_REQUEST_TIMEOUT";

/** On globalThis, because the development server imports the build anew after every change. */
const WATCHED = Symbol.for("deed.unreadable");
const registry = globalThis as { [WATCHED]?: (docsUrl: string) => void };

/**
 * Answers what Node cannot read as a request with the envelope of invalid_request instead of a bare 400:
 * such a request reaches no handler. Safe to call again: the newest `docsUrl` applies.
 */
export function answerUnreadable(docsUrl: string): void {
  registry[WATCHED] ??= watch();
  registry[WATCHED](docsUrl);
}

function watch(): (docsUrl: string) => void {
  let docsUrl = "";
  /** Connections with an answer under way, into which nothing else may be written. */
  const answering = new WeakSet<Socket>();
  subscribe("http.server.request.start", (message) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    answering.add(request.socket);
    response.once("close", () => answering.delete(request.socket));
  });
  // The one place that a server remix-serve makes can be met before its first request.
  subscribe("net.server.socket", (message) => {
    const { server } = (message as { socket: Socket & { server?: unknown } }).socket;
    if (!(server instanceof Server) || server.listenerCount("clientError") > 0) return;
    server.on("clientError", (error: NodeJS.ErrnoException, stream) => {
      const socket = stream as Socket;
      if (socket.writable && !answering.has(socket) && error.code !== TIMED_OUT)
        socket.write(refusal(docsUrl, error.code ?? ""));
      socket.destroySoon();
    });
  });
  return (newest) => {
    docsUrl = newest;
  };
}

function refusal(docsUrl: string, code: string): string {
  const error = new DeedError("invalid_request", { message: REASONS[code] ?? UNREADABLE });
  const body = JSON.stringify(envelope(error, docsUrl));
  return [
    `HTTP/1.1 ${error.status} Bad Request`,
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Cache-Control: no-store",
    "X-Content-Type-Options: nosniff",
    "Connection: close",
    "",
    body,
  ].join("\r\n");
}
