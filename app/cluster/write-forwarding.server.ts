import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "#app/core/context.server.ts";
import { DeedError } from "#app/core/errors.server.ts";
import type { Env } from "#app/environment/env.server.ts";
import { BODY_LIMIT } from "#app/http/body.server.ts";
import { clientAddresses, type Intake, isWrite, type Site } from "#app/http/connection.server.ts";
import { answerError, sendError } from "#app/http/errors.server.ts";
import { Clients, positionCookie } from "./clients.server.ts";
import { boundedBody, forward, REFUSAL_HEADER } from "./forward.server.ts";
import { FORWARD_HEADER, MAX_HOPS, verify } from "./forward-header.server.ts";
import { type ClusterNode, notWritableError, outcomeUnknownError } from "./node.server.ts";
import { answerState, type NodeState } from "./node-state.server.ts";

type Options = {
  node: ClusterNode;
  env: Env;
  address: string;
  secret: string;
  state: () => NodeState;
  /** Tells whether a read must write first because a claim is past its deadline. */
  hasOverdue: () => boolean;
  log: Log;
};

type Arrival = ReturnType<typeof arrivalOf>;

const WRITING_READ = /^\/(?:sign-in|api\/auth\/oidc)(?:\/|$)/;
/** These posts write nothing: they check a file or a record, and are posts because crawlers follow links. */
const READ_ONLY_POST = /^\/(?:verify|check|api\/checks)\/?$/;
/** Each node answers these reads itself: its own state, its files, and streams, which stay on their node. */
const LOCAL_READ =
  /^\/(?:build\/|metrics\/?$|api\/(?:health(?:\/(?:live|ready))?|events|openapi(?:-3\.0)?\.json)\/?$|api\/zones\/)/;
/** Only the primary has test worlds, because it moves their clocks and does their work. */
const TEST_PAGE = /\/test_[0-9a-f]{24}_/;
const TEST_KEY = /^bearer[ \t]+deed_test_/i;
const API = /^\/api(?:\/|$)/;
const CATCH_UP_MS = 500;
const POLL_MS = 10;

/** Forwards writes byte for byte; `receive` rewrites a request only for the handlers on this node. */
export function forwardWrites(options: Options, receive: Intake, site: Site): RequestListener {
  const clientAddress = clientAddresses(options.env.TRUSTED_PROXIES);
  const clients = new Clients();
  return (request, response) => {
    if (answerState(request, response, options, options.state)) return;
    const arrival = arrivalOf(request, response, options.secret, clientAddress);
    const connection = receive(request, response, arrival.address);
    const serve = () => site(request, response, connection);
    route(options, clients, arrival, serve).catch((error) => {
      options.log.error({ err: error }, "a request could not be routed");
      response.destroy();
    });
  };
}

function arrivalOf(
  request: IncomingMessage,
  response: ServerResponse,
  secret: string,
  clientAddress: (request: IncomingMessage) => string,
) {
  const { method = "GET", url = "/", rawHeaders, headers } = request;
  const original = { method, url, headers: rawHeaders };
  const header = headers[FORWARD_HEADER];
  const forwardHeader =
    typeof header === "string" ? verify(secret, original, header, Date.now()) : null;
  const address = forwardHeader?.address ?? clientAddress(request);
  const isForged = header !== undefined && forwardHeader === null;
  return { request, response, original, forwardHeader, isForged, headers, address };
}

function refuseForwarded(response: ServerResponse): void {
  const message = "This node does not accept forwarded requests from you.";
  response.setHeader(REFUSAL_HEADER, "secret");
  const error = new DeedError("invalid_request", { message });
  sendError(response, error, "text/plain", `${message}\n`);
}

async function route(options: Options, clients: Clients, arrival: Arrival, serve: () => void) {
  const { node } = options;
  const { response, original } = arrival;
  const path = original.url.split("?")[0] ?? "/";
  if (arrival.isForged) return refuseForwarded(response);

  const isTest = TEST_PAGE.test(path) || TEST_KEY.test(String(arrival.headers.authorization ?? ""));
  const isWriting =
    isTest || (isWrite(original.method) && !READ_ONLY_POST.test(path)) || WRITING_READ.test(path);
  if (node.role === "primary") {
    if (isWriting) setPositionCookie(options, response);
    return serve();
  }
  // Without a primary, a page's write fails in its own action, which shows the error page.
  if (isWriting && (node.role !== "orphan" || API.test(path)))
    return forwardWrite(options, clients, arrival);
  if (node.role === "orphan" || LOCAL_READ.test(path) || READ_ONLY_POST.test(path)) return serve();

  const mustAskPrimary =
    clients.isFirstRead(arrival) ||
    options.hasOverdue() ||
    !(await isCaughtUp(node, clients.requiredPosition(arrival)));
  // If a read cannot be forwarded, the local copy answers it.
  if (mustAskPrimary && (await forwardToPrimary(options, arrival, null)) === "answered")
    return clients.noteRead(arrival);
  if (!response.destroyed) serve();
}

async function forwardWrite(options: Options, clients: Clients, arrival: Arrival): Promise<void> {
  const { request, response, original } = arrival;
  const refuse = (error: DeedError) =>
    answerError(response, original.url, error, options.env.DOCS_URL);
  if (options.node.primary === null) return refuse(notWritableError());
  const body = isWrite(original.method)
    ? await boundedBody(request, BODY_LIMIT).catch(() => undefined)
    : null;
  if (body === undefined) return;
  const outcome = await forwardToPrimary(options, arrival, body);
  if (outcome === "answered") {
    const cookies = [response.getHeader("Set-Cookie") ?? []].flat().map(String);
    clients.noteWrite(arrival, cookies);
  }
  if (outcome === "unsent") refuse(notWritableError());
  if (outcome === "lost") refuse(outcomeUnknownError());
}

async function forwardToPrimary(
  { node, secret, log }: Options,
  { response, original, forwardHeader, address }: Arrival,
  body: Buffer | null,
) {
  const target = node.primary;
  const hops = (forwardHeader?.hops ?? 0) + 1;
  if (target === null || hops > MAX_HOPS) return "unsent";
  const outcome = await forward(target, secret, original, { hops, address }, body, response);
  if (outcome !== "answered" && !response.destroyed)
    log.warn({ primary: target, method: original.method, outcome }, "a request was not passed on");
  return outcome;
}

async function isCaughtUp(node: ClusterNode, position: bigint): Promise<boolean> {
  const giveUpAt = Date.now() + CATCH_UP_MS;
  while (position > 0n && node.recentPosition() < position) {
    if (Date.now() >= giveUpAt) return false;
    await sleep(POLL_MS);
  }
  return true;
}

function setPositionCookie({ node, env }: Options, response: ServerResponse): void {
  const positionBefore = node.writtenPosition;
  const isHttps = env.BASE_URL.startsWith("https:");
  const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => ServerResponse;
  response.writeHead = (...args: unknown[]) => {
    response.writeHead = writeHead;
    if (node.writtenPosition > positionBefore && !response.headersSent)
      response.appendHeader("Set-Cookie", positionCookie(node.writtenPosition, isHttps));
    return writeHead(...args);
  };
}
