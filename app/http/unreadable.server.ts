import type { IncomingMessage, Server, ServerResponse } from "node:http";
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

/**
 * Answers what Node cannot read as a request with the envelope of invalid_request instead of a bare 400:
 * such a request reaches no handler.
 */
export function answerUnreadable(server: Server, docsUrl: string): void {
  /** Connections with an answer under way, into which nothing else may be written. */
  const answering = new WeakSet<Socket>();
  server.prependListener("request", (request: IncomingMessage, response: ServerResponse) => {
    answering.add(request.socket);
    response.once("close", () => answering.delete(request.socket));
  });
  server.on("clientError", (error: NodeJS.ErrnoException, stream) => {
    const socket = stream as Socket;
    if (socket.writable && !answering.has(socket) && error.code !== TIMED_OUT)
      socket.write(refusal(docsUrl, error.code ?? ""));
    socket.destroySoon();
  });
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
