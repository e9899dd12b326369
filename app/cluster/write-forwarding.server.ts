import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Env } from "#app/env.server.ts";
import { BODY_LIMIT } from "#app/http/body.server.ts";
import type { Intake } from "#app/http/connection.server.ts";
import { requestAddress, trustedProxies } from "#app/http/forwarded.server.ts";
import { isWrite } from "#app/http/origin.server.ts";
import type { Log } from "#app/services/context.server.ts";
import { answerError, refuseForwarded } from "./answer.server.ts";
import { FirstReads } from "./first-reads.server.ts";
import { boundedBody, forward, type Original } from "./forward.server.ts";
import { FORWARD_HEADER, type ForwardHeader, MOST_HOPS, verify } from "./forward-header.server.ts";
import { type ClusterNode, notWritable, outcomeUnknown } from "./node.server.ts";
import { positionCookie, positionIn } from "./position-cookie.server.ts";

type Options = {
  node: ClusterNode;
  env: Env;
  secret: string;
  /** Whether some read would have to write first (a claim is past its deadline). */
  hasOverdue: () => boolean;
  log: Log;
};

/** A request as it came. `address` is the client's, which another node may vouch for. */
type Arrival = {
  original: Original;
  passage: ForwardHeader | null;
  isForged: boolean;
  address: string;
};

/** GETs that write: the pages and callbacks of signing in. */
const WRITING_READ = /^\/(?:sign-in(?:\/|$)|api\/auth\/oidc(?:\/|$))/;
/** What each node answers for itself: its own state, its files, and streams, which stay where they were opened. */
const LOCAL_READ =
  /^\/(?:build\/|metrics\/?$|api\/(?:health|events|openapi\.json)\/?$|api\/zones\/)/;
const API = /^\/api(?:\/|$)/;
/** How long a read waits here for a transaction its client has seen. */
const CATCH_UP_MS = 500;
const LOOK_EVERY_MS = 10;

/**
 * Stands before `site`, in a cluster only: what writes is passed on to the primary, byte for byte as it came, before
 * `receive` rewrites it for what answers here.
 */
export function forwardWrites(
  options: Options,
  receive: Intake,
  site: RequestListener,
): RequestListener {
  const trusted = trustedProxies(options.env.TRUSTED_PROXIES);
  const firstReads = new FirstReads();
  return (request, response) => {
    const arrival = arrivalOf(request, options.secret, trusted);
    receive(request, response, arrival.address);
    const serve = () => site(request, response);
    route(options, firstReads, arrival, request, response, serve).catch((error) => {
      options.log.error({ err: error }, "a request could not be routed");
      response.destroy();
    });
  };
}

function arrivalOf(
  request: IncomingMessage,
  secret: string,
  trusted: ReturnType<typeof trustedProxies>,
): Arrival {
  const original = {
    method: request.method ?? "GET",
    url: request.url ?? "/",
    headers: request.rawHeaders,
  };
  const header = request.headers[FORWARD_HEADER];
  const passage = typeof header === "string" ? verify(secret, original, header, Date.now()) : null;
  const address = passage?.address ?? requestAddress(request, trusted);
  return { original, passage, isForged: header !== undefined && passage === null, address };
}

async function route(
  options: Options,
  firstReads: FirstReads,
  arrival: Arrival,
  request: IncomingMessage,
  response: ServerResponse,
  serve: () => void,
): Promise<void> {
  const { node, env } = options;
  const { method, url } = arrival.original;
  const path = url.split("?")[0] ?? "/";
  if (arrival.isForged) return refuseForwarded(response);

  const writes = isWrite(method) || WRITING_READ.test(path);
  if (node.role === "primary") {
    if (writes) carryPosition(node, env, response);
    return serve();
  }
  // Without a primary a page's write fails in its own action, which shows the page of that error.
  if (writes && (node.role !== "orphan" || API.test(path)))
    return passOn(options, arrival, request, response);
  if (node.role === "orphan" || LOCAL_READ.test(path)) return serve();

  const cookies = request.headers.cookie;
  const mustAsk =
    firstReads.isFirst(cookies) || options.hasOverdue() || !(await isCaughtUp(node, cookies));
  // A read that cannot be passed on is answered here, from what this node has.
  if (mustAsk && (await send(options, arrival, null, response)) === "answered") return;
  if (!response.destroyed) serve();
}

/** A write, or a read that writes: answered by the primary or not at all. */
async function passOn(
  options: Options,
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

async function isCaughtUp(node: ClusterNode, cookies: string | undefined): Promise<boolean> {
  const wanted = positionIn(cookies);
  const giveUpAt = Date.now() + CATCH_UP_MS;
  while (wanted > 0n && node.recentPosition() < wanted) {
    if (Date.now() >= giveUpAt) return false;
    await sleep(LOOK_EVERY_MS);
  }
  return true;
}

/** Gives the client the position of what its request wrote, where it wrote anything. */
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
