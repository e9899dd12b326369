import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "#app/core/context.server.ts";
import { DeedError } from "#app/core/errors.server.ts";
import { BODY_LIMIT } from "#app/http/body.server.ts";
import { clientAddresses, type Intake, isWrite, type Site } from "#app/http/connection.server.ts";
import { answerError, sendError } from "#app/http/errors.server.ts";
import type { Env } from "#app/ops/environment/env.server.ts";
import { FirstReads, LastWrites, positionCookie } from "./clients.server.ts";
import { boundedBody, forward, REFUSAL_HEADER } from "./forward.server.ts";
import { FORWARD_HEADER, MOST_HOPS, verify } from "./forward-header.server.ts";
import { type ClusterNode, notWritable, outcomeUnknown } from "./node.server.ts";
import { answerState, type NodeState } from "./node-state.server.ts";

type Options = {
  node: ClusterNode;
  env: Env;
  address: string;
  secret: string;
  state: () => NodeState;
  /** Whether a read would have to write first: a claim is past its deadline. */
  hasOverdue: () => boolean;
  log: Log;
};

type Arrival = ReturnType<typeof arrivalOf>;

const WRITING_READ = /^\/(?:sign-in|api\/auth\/oidc)(?:\/|$)/;
/** A page whose form is a post because it has a file, and which writes nothing. */
const NO_WRITE = /^\/verify\/?$/;
/** Reads each node answers itself: its own state, its files, and streams, which stay on the node that opened them. */
const LOCAL_READ =
  /^\/(?:build\/|metrics\/?$|api\/(?:health(?:\/(?:live|ready))?|events|openapi\.json)\/?$|api\/zones\/)/;
const API = /^\/api(?:\/|$)/;
/** How long a read waits for a transaction its client has already seen. */
const CATCH_UP_MS = 500;
const LOOK_EVERY_MS = 10;

/** Writes are forwarded byte for byte as they arrived; `receive` rewrites the request for local handlers only. */
export function forwardWrites(options: Options, receive: Intake, site: Site): RequestListener {
  const clientAddress = clientAddresses(options.env.TRUSTED_PROXIES);
  const memory = { firstReads: new FirstReads(), lastWrites: new LastWrites() };
  return (request, response) => {
    if (answerState(request, response, options, options.state)) return;
    const arrival = arrivalOf(request, options.secret, clientAddress);
    const connection = receive(request, response, arrival.address);
    const serve = () => site(request, response, connection);
    route(options, memory, arrival, request, response, serve).catch((error) => {
      options.log.error({ err: error }, "a request could not be routed");
      response.destroy();
    });
  };
}

function arrivalOf(
  request: IncomingMessage,
  secret: string,
  clientAddress: (request: IncomingMessage) => string,
) {
  const original = {
    method: request.method ?? "GET",
    url: request.url ?? "/",
    headers: request.rawHeaders,
  };
  const header = request.headers[FORWARD_HEADER];
  const passage = typeof header === "string" ? verify(secret, original, header, Date.now()) : null;
  const address = passage?.address ?? clientAddress(request);
  return { original, passage, isForged: header !== undefined && passage === null, address };
}

function refuseForwarded(response: ServerResponse): void {
  const error = new DeedError("invalid_request", {
    message: "This node does not accept forwarded requests from you.",
  });
  response.setHeader(REFUSAL_HEADER, "secret");
  sendError(response, error, "text/plain", `${error.message}\n`);
}

async function route(
  options: Options,
  { firstReads, lastWrites }: { firstReads: FirstReads; lastWrites: LastWrites },
  arrival: Arrival,
  request: IncomingMessage,
  response: ServerResponse,
  serve: () => void,
): Promise<void> {
  const { node, env } = options;
  const { method, url } = arrival.original;
  const path = url.split("?")[0] ?? "/";
  if (arrival.isForged) return refuseForwarded(response);

  const writes = (isWrite(method) && !NO_WRITE.test(path)) || WRITING_READ.test(path);
  if (node.role === "primary") {
    if (writes) carryPosition(node, env, response);
    return serve();
  }
  // Without a primary, a page's write fails in its own action, which renders the error page.
  if (writes && (node.role !== "orphan" || API.test(path)))
    return passOn(options, lastWrites, arrival, request, response);
  if (node.role === "orphan" || LOCAL_READ.test(path) || NO_WRITE.test(path)) return serve();

  const { headers } = request;
  const read = { headers, address: arrival.address };
  const mustAsk =
    firstReads.isFirst(read) ||
    options.hasOverdue() ||
    !(await isCaughtUp(node, lastWrites.wanted(read)));
  // A read that cannot be forwarded is answered here from the local copy.
  if (mustAsk && (await send(options, arrival, null, response)) === "answered")
    return firstReads.mark(read);
  if (!response.destroyed) serve();
}

async function passOn(
  options: Options,
  lastWrites: LastWrites,
  arrival: Arrival,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method, url } = arrival.original;
  const refuse = (error: ReturnType<typeof notWritable>) =>
    answerError(response, url, error, options.env.DOCS_URL);
  if (options.node.primary === null) return refuse(notWritable());
  let body: Buffer | null = null;
  if (isWrite(method)) {
    try {
      body = await boundedBody(request, BODY_LIMIT);
    } catch {
      return;
    }
  }
  const outcome = await send(options, arrival, body, response);
  if (outcome === "answered") {
    const cookies = [response.getHeader("Set-Cookie") ?? []].flat().map(String);
    lastWrites.note({ headers: request.headers, address: arrival.address }, cookies);
  }
  if (outcome === "unsent") refuse(notWritable());
  if (outcome === "lost") refuse(outcomeUnknown());
}

async function send(
  { node, secret, log }: Options,
  { original, passage, address }: Arrival,
  body: Buffer | null,
  response: ServerResponse,
) {
  const target = node.primary;
  const hops = (passage?.hops ?? 0) + 1;
  if (target === null || hops > MOST_HOPS) return "unsent";
  const outcome = await forward(target, secret, original, { hops, address }, body, response);
  if (outcome !== "answered" && !response.destroyed)
    log.warn({ primary: target, method: original.method, outcome }, "a request was not passed on");
  return outcome;
}

async function isCaughtUp(node: ClusterNode, wanted: bigint): Promise<boolean> {
  const giveUpAt = Date.now() + CATCH_UP_MS;
  while (wanted > 0n && node.recentPosition() < wanted) {
    if (Date.now() >= giveUpAt) return false;
    await sleep(LOOK_EVERY_MS);
  }
  return true;
}

function carryPosition(node: ClusterNode, env: Env, response: ServerResponse): void {
  const before = node.written;
  const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => ServerResponse;
  response.writeHead = (...args: unknown[]) => {
    response.writeHead = writeHead;
    if (node.written > before && !response.headersSent)
      response.appendHeader(
        "Set-Cookie",
        positionCookie(node.written, env.BASE_URL.startsWith("https:")),
      );
    return writeHead(...args);
  };
}
