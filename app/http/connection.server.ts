import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import proxyaddr from "proxy-addr";
import { DeedError } from "#app/core/errors.server.ts";
import { HOUR } from "#app/core/time.ts";
import type { Env } from "#app/environment/env.server.ts";
import { answerHeaders, readRequestLine } from "./request-line.server.ts";

const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** Folds an IPv4-mapped address (RFC 4291 section 2.5.5.2) into IPv4, and drops a zone id. */
export function foldAddress(address: string): string {
  const bare = address.split("%")[0] ?? "";
  return MAPPED_IPV4.exec(bare)?.[1] ?? bare;
}

/** Returns the network of an address: its IPv4 /24, or its IPv6 /48, which is the most a site gets (RFC 6177). */
export function networkOf(address: string): string {
  const foldedAddress = foldAddress(address);
  if (isIP(foldedAddress) !== 6) return foldedAddress.split(".").slice(0, 3).join(".");
  return ipaddr.IPv6.parse(foldedAddress).parts.slice(0, 3).join(":");
}

const PROXY_HEADER = /^(?:forwarded|via|x-real-ip|x-forwarded-.+)$/;

/** Whether a request comes over loopback, without a header that proxies add. */
export function isLocal({ headers, socket }: IncomingMessage): boolean {
  const neighbour = foldAddress(socket.remoteAddress ?? "");
  if (neighbour !== "::1" && !neighbour.startsWith("127.")) return false;
  return !Object.keys(headers).some((name) => PROXY_HEADER.test(name));
}

export function clientAddresses(trustedProxies: string[]): (request: IncomingMessage) => string {
  const isTrusted = proxyaddr.compile(trustedProxies);
  return (request) => {
    // If an entry is no address, the last trusted hop counts as the client.
    const hops = proxyaddr.all(request, isTrusted).map((hop) => foldAddress(hop ?? ""));
    return hops.findLast((hop) => isIP(hop)) ?? "";
  };
}

/** Reports X-Forwarded-For from an untrusted neighbour, at most once an hour, since anybody can send it. */
export function forwardingWatch(trustedProxies: string[], report: (neighbour: string) => void) {
  const isTrusted = proxyaddr.compile(trustedProxies);
  let quietUntil = Number.NEGATIVE_INFINITY;
  return ({ headers, socket }: IncomingMessage): void => {
    if (!headers["x-forwarded-for"] || performance.now() < quietUntil) return;
    const neighbour = foldAddress(socket.remoteAddress ?? "");
    if (!isIP(neighbour) || isTrusted(neighbour, 0)) return;
    quietUntil = performance.now() + HOUR;
    report(neighbour);
  };
}

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);
export const ALLOW_SAFE = { Allow: [...SAFE_METHODS].join(", ") };
const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i;

export const isWrite = (method: string): boolean => !SAFE_METHODS.has(method);

function isOwnOrigin(env: Env, origin: string, host: string): boolean {
  if (origin === env.BASE_URL) return true;
  const isOwnLoopback = origin.toLowerCase() === `http://${host.toLowerCase()}`;
  return !env.isBaseUrlGiven && LOOPBACK_HOST.test(host) && isOwnLoopback;
}

/**
 * Some proxies and privacy settings send `Origin: null`; then `Sec-Fetch-Site` decides, which no page can set. Without
 * either header the caller is a program. `header`: returns the header with a lower-case name.
 */
function isCrossOrigin(env: Env, header: (name: string) => unknown): boolean {
  const [origin, fetchSite, host = ""] = ["origin", "sec-fetch-site", "host"].map(header);
  if (fetchSite === "cross-site" || fetchSite === "same-site") return true;
  if (origin === "null" && fetchSite === "same-origin") return false;
  return typeof origin === "string" && !isOwnOrigin(env, origin, String(host));
}

export function checkOrigin({ method, headers }: Request, env: Env): void {
  if (isWrite(method) && isCrossOrigin(env, (name) => headers.get(name)))
    throw new DeedError("cross_origin");
}

/** The connection that Remix is answering: a Request has no field for it, and each loader gets its own copy. */
export const connections = new AsyncLocalStorage<Connection>();

const CARRIED_METHODS = new Set(["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"]);
const HOST = /^(?:[a-z0-9._-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;
const DRAIN_MS = 1_000;
/** The most bytes to read and drop: V8 only frees what was read after 64 MB. */
const DRAIN_BYTES = 1024 * 1024;
const REFUSED_PATH = "/cross-origin";

export type Intake = ReturnType<typeof createIntake>;
export type Connection = ReturnType<Intake>;
export type Site = (...args: [...Parameters<RequestListener>, connection: Connection]) => void;

/** This error is made once, because making a DOMException takes as long as everything else here. */
const CONNECTION_CLOSED = new DOMException("The connection is closed.", "AbortError");

export function createIntake(env: Env, watch = (_: IncomingMessage): void => {}) {
  const clientAddress = clientAddresses(env.TRUSTED_PROXIES);
  const commonHeaders = new Map(Object.entries(answerHeaders(env)));
  /** `address` is the client's, if another node confirms it. */
  return (request: IncomingMessage, response: ServerResponse, address?: string) => {
    if (address === undefined) watch(request);
    const requestId: string = randomUUID();
    response.setHeaders(commonHeaders).setHeader("X-Request-Id", requestId);
    const { headers, method = "GET" } = request;
    for (const name of Object.keys(headers)) if (name.startsWith("x-deed-")) delete headers[name];
    const { url, api, signInToken } = readRequestLine(request.url ?? "/");
    const isLocalRequest = isLocal(request);
    normalizeHost(env, headers);
    const foreignMethod = CARRIED_METHODS.has(method) ? null : method;
    // A Request refuses TRACE; as OPTIONS it does not reach an action.
    if (foreignMethod) request.method = "OPTIONS";
    // A cross-origin write must not reach an action, and Remix would answer it with a 500.
    const isRefused =
      !api && isWrite(method) && !foreignMethod && isCrossOrigin(env, (name) => headers[name]);
    if (isRefused) request.method = "GET";
    // isCrossOrigin allows this, but Remix answers such a form with a 500.
    if (headers.origin === "null" && headers["sec-fetch-site"] === "same-origin")
      delete headers.origin;
    request.url = isRefused ? REFUSED_PATH : url;

    // This listener runs before Node's own, which would read the rest of the body.
    response.prependOnceListener("finish", () => drainUnread(request));
    const closing = new AbortController();
    response.once("close", () => closing.abort(CONNECTION_CLOSED));
    return {
      /** The id in the answer and in each log line, made here because a caller could send anything. */
      requestId,
      address: address ?? clientAddress(request),
      isLocal: isLocalRequest,
      closed: closing.signal,
      /** The token of a sign-in link, which is removed from the URL before that can be logged. */
      signInToken,
      /** The original URL of a call, whose Request has no query and a path that routers can read; null for pages. */
      api,
      foreignMethod,
      sent: { method, url },
      bufferedBytes: () => response.writableLength,
      /** Waits while so much is unsent that Node asks to. It never resolves if the connection closes. */
      drained: async () =>
        response.writableNeedDrain && new Promise((resolve) => response.once("drain", resolve)),
      drop: () => void response.destroy(),
      setCookie: (cookie: string) => {
        // If the database is busy, several loaders of a page may renew its session.
        const earlierCookies = [response.getHeader("Set-Cookie")].flat();
        if (response.headersSent || earlierCookies.includes(cookie)) return;
        response.appendHeader("Set-Cookie", cookie);
      },
      setPolicy: (policy: string) => {
        if (!response.headersSent) response.setHeader("Content-Security-Policy", policy);
      },
    };
  };
}

/** Replaces a host that no URL can have by that of BASE_URL; if BASE_URL is set, replaces every host. */
function normalizeHost(env: Env, headers: IncomingMessage["headers"]): void {
  delete headers["x-forwarded-host"];
  const host = headers.host ?? "";
  const isUsable = HOST.test(host) && URL.canParse(`http://${host}`);
  if (env.isBaseUrlGiven || !isUsable) headers.host = new URL(env.BASE_URL).host;
}

function drainUnread(request: IncomingMessage): void {
  if (request.complete) return;
  let bytesLeft = DRAIN_BYTES;
  request.removeAllListeners("data");
  request.on("data", ({ length }: Buffer) => {
    bytesLeft -= length;
    if (bytesLeft < 0) request.pause();
  });
  request.read(0);
  request.resume();
  setTimeout(() => {
    if (!request.complete) request.socket.destroy();
  }, DRAIN_MS).unref();
}

/** Returns the connection of a Request; one that no server received gets a connection without address and token. */
export const connectionOf = (request: Request): Connection =>
  connections.getStore() ?? {
    requestId: "",
    address: "unknown",
    isLocal: false,
    closed: request.signal,
    signInToken: null,
    api: null,
    foreignMethod: null,
    sent: { method: request.method, url: request.url },
    bufferedBytes: () => 0,
    drained: async () => false,
    drop: () => {},
    setCookie: () => {},
    setPolicy: () => {},
  };
