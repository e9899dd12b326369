import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { DeedError } from "#app/core/errors.server.ts";
import type { Env } from "#app/ops/environment/env.server.ts";
import { envelope } from "./errors.server.ts";
import { answerHeaders } from "./headers.server.ts";

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

/** Refuses when there is no response object: writes the last bytes of the connection. */
function refuseConnection(socket: Socket, env: Installation, message: string): void {
  const { status, headers, body } = refusal(env, message);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.write([`HTTP/1.1 ${status} Bad Request`, ...lines, "", body].join("\r\n"));
  socket.destroySoon();
}

const isHost = (name: string, at: number) => at % 2 === 0 && name.toLowerCase() === "host";

/** Refuses requests with two Hosts, and HTTP/1.1 requests without one (RFC 9112 section 3.2). */
export const withHost =
  (listener: RequestListener, env: Installation): RequestListener =>
  (request, response) => {
    const hosts = request.rawHeaders.filter(isHost).length;
    if (hosts > 1 || (hosts === 0 && Number(request.httpVersion) >= 1.1))
      refuse(response, env, "An HTTP/1.1 request must have one Host header.");
    else listener(request, response);
  };

/** A connection's unfinished answers. Node leaves open the ones that had not had their turn when it closed. */
function closingWith(socket: Socket): Set<ServerResponse> {
  const answers = new Set<ServerResponse>();
  const closeAll = () => {
    for (const answer of answers) answer.emit("close");
  };
  socket.once("close", () => setImmediate(closeAll));
  return answers;
}

/**
 * Answers requests that reach no handler, because Node refuses or cannot parse them, with the envelope of
 * invalid_request instead of a bare status or nothing.
 */
export function answerClientErrors(server: Server, env: Installation): void {
  const open = new WeakMap<Socket, Set<ServerResponse>>();
  server.prependListener("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
    const answers = open.get(socket) ?? closingWith(socket);
    open.set(socket, answers.add(response));
    response.once("close", () => answers.delete(response));
  });
  /** A refusal must not be written into a started answer. An answer whose request body is unreadable has not started. */
  const mayAnswer = (socket: Socket) => {
    const [first, ...others] = open.get(socket) ?? [];
    if (!first) return true;
    return others.length === 0 && !first.headersSent && !first.req.complete;
  };

  server.on("clientError", (error: NodeJS.ErrnoException, stream) => {
    const socket = stream as Socket;
    const code = error.code ?? "";
    // On a connection that has sent nothing, an answer would be taken for that of its first request.
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
