import dns from "node:dns";
import { Resolver } from "node:dns/promises";
import { type IncomingHttpHeaders, request as overHttp } from "node:http";
import { request as overHttps } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { type AddressPolicy, addressPolicy, inNetworks } from "@deed/dns/wire/address.ts";
import { readUpTo } from "#app/core/read-up-to.ts";
import { DAY, SECOND, unlessAborted, withTimeLimit } from "#app/core/time.ts";
import { hostOf } from "#app/environment/formats.ts";
import { failureOf, OutboundError } from "./failures.ts";

declare module "#app/core/context.server.ts" {
  interface Context {
    outbound: Outbound;
  }
}

const CALL_TIMEOUT_MS = 5_000;
const MAX_BYTES = 64 * 1024;
const MAX_ADDRESSES = 4;
const MAX_URL_LENGTH = 2_048;
const DEFAULT_PORTS: Record<string, number> = { "https:": 443, "http:": 80 };
const FIRST_FREE_PORT = 1_024;
const RESOLVER = { timeout: 1_500, tries: 2 };

export type OutboundRequest = {
  method: "GET" | "POST";
  url: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  maxBytes?: number;
};

export type OutboundAnswer = { status: number; headers: IncomingHttpHeaders; body: Buffer };

export type Outbound = {
  /** Says why a URL cannot be called, as the end of a sentence about it; null if its text shows no reason. */
  problem(url: string): string | null;
  /** Throws an OutboundError. `signal` ends the call like a timeout. */
  call(request: OutboundRequest, signal?: AbortSignal): Promise<OutboundAnswer>;
};

export type Resolve = (name: string, signal: AbortSignal) => Promise<string[]>;

/** Does not use getaddrinfo, which blocks one of the process's four shared threads if a name's servers never answer. */
const resolveName: Resolve = async (name, signal) => {
  const resolver = new Resolver(RESOLVER);
  resolver.setServers(dns.getServers());
  const cancel = () => resolver.cancel();
  signal.addEventListener("abort", cancel);
  try {
    const queries = [resolver.resolve4(name), resolver.resolve6(name)];
    return (await Promise.all(queries.map((query) => query.catch(() => [])))).flat();
  } finally {
    signal.removeEventListener("abort", cancel);
  }
};

/** For a server that the operator chose: as `allowed`, it permits plain http to names too. */
export const ANYWHERE: readonly string[] = ["0.0.0.0/0", "::/0"];
type Policy = { allowed: readonly string[]; denied: readonly string[]; resolve?: Resolve };

/**
 * Calls public addresses, and those in `allowed` CIDRs also over plain http; never those in `denied`. Resolves a name once,
 * and connects to the addresses that were checked. Does not follow redirects.
 */
export function createOutbound({ allowed, denied, resolve = resolveName }: Policy): Outbound {
  const isAllowed = addressPolicy(allowed, denied);
  const isListed = inNetworks(allowed);
  const isException = (host: string) =>
    isIP(host) === 0 ? allowed === ANYWHERE : isAllowed(host) && isListed(host);
  const rules = { isAllowed, isException };
  return {
    problem: (url) => urlProblem(url, rules),
    async call(request, signal) {
      const problem = urlProblem(request.url, rules);
      if (problem) throw new OutboundError("bad_url", `the URL ${problem}`);
      const url = new URL(request.url);
      return withTimeLimit(CALL_TIMEOUT_MS, signal, async (limit) => {
        const addresses = await addressesOf(url, rules, resolve, limit);
        return send(request, url, addresses, limit);
      });
    },
  };
}

/** `isException` tells which hosts the operator allows, even over plain http. */
type OutboundRules = { isAllowed: AddressPolicy; isException: AddressPolicy };

/** The URL parser first normalizes every form of a host: 0x7f.1 becomes 127.0.0.1, an IDN becomes A-labels. */
function urlProblem(text: string, rules: OutboundRules): string | null {
  if (text.length > MAX_URL_LENGTH) return `has more than ${MAX_URL_LENGTH} characters`;
  const url = URL.parse(text);
  if (!url) return "is not a URL";
  if (url.protocol !== "https:" && url.protocol !== "http:") return "must start with https://";
  if (url.username !== "" || url.password !== "") return "must not have a user name or password";
  if (url.hash !== "") return "must not have a part after #";
  const port = url.port === "" ? DEFAULT_PORTS[url.protocol] : Number(url.port);
  if (port !== DEFAULT_PORTS[url.protocol] && Number(port) < FIRST_FREE_PORT)
    return `must use port ${DEFAULT_PORTS[url.protocol]}, or one from ${FIRST_FREE_PORT} up`;
  const host = hostOf(text);
  if (isIP(host) !== 0 && !rules.isAllowed(host))
    return `leads to ${host}, which is not a public address`;
  // Plain http would not notice if the name led to another host.
  if (url.protocol === "http:" && !rules.isException(host))
    return "must start with https://; only an address that the operator allows may use http://";
  return null;
}

async function addressesOf(url: URL, rules: OutboundRules, resolve: Resolve, limit: AbortSignal) {
  const host = hostOf(url.href);
  if (isIP(host) !== 0) return [host];
  const addresses = await unlessAborted(resolve(host, limit), limit).catch((error) => {
    throw limit.aborted ? timeoutError() : error;
  });
  if (addresses.length === 0) throw new OutboundError("name_not_found", `${host} has no address`);
  const allowedAddresses = addresses.filter(rules.isAllowed);
  if (allowedAddresses.length === 0)
    throw new OutboundError("forbidden_address", `${host} has no address that Deed may call`);
  return allowedAddresses.slice(0, MAX_ADDRESSES);
}

/** The socket gets the checked addresses, whatever name it asks for. */
const pinnedLookup =
  (addresses: readonly string[]): LookupFunction =>
  (_, options, callback) => {
    const pinned = addresses.map((address) => ({ address, family: isIP(address) }));
    const [first] = pinned;
    if (options.all) callback(null, pinned);
    else callback(null, first?.address ?? "", first?.family);
  };

function send(
  { method, headers, body, maxBytes = MAX_BYTES }: OutboundRequest,
  url: URL,
  addresses: readonly string[],
  signal: AbortSignal,
): Promise<OutboundAnswer> {
  const request = url.protocol === "https:" ? overHttps : overHttp;
  return new Promise((resolve, reject) => {
    const call = request(url, {
      method,
      headers: { ...headers, ...(body && { "Content-Length": Buffer.byteLength(body) }) },
      lookup: pinnedLookup(addresses),
      // Each call has its own connection, so that none is reused for another host.
      agent: false,
      signal,
    });
    let hasAnswered = false;
    // After the status, an error only ends the body.
    const fail = (error: OutboundError) => hasAnswered || reject(error);
    call.on("error", (error) => fail(signal.aborted ? timeoutError() : failureOf(error)));
    // A 101 answer closes the connection; it is neither a response nor an error.
    call.once("close", () => fail(new OutboundError("not_http", "the connection was closed")));
    call.once("response", async (response) => {
      hasAnswered = true;
      const { statusCode: status = 0, headers } = response;
      resolve({ status, headers, body: await readUpTo(maxBytes, chunksUntilError(response)) });
      call.destroy();
    });
    call.end(body);
  });
}

/** Ends where the body breaks off, so that the part that came is kept. */
async function* chunksUntilError(chunks: AsyncIterable<Uint8Array>) {
  try {
    yield* chunks;
  } catch {}
}

const timeoutError = () =>
  new OutboundError("timeout", `no answer within ${CALL_TIMEOUT_MS / 1_000} s`);

/** Returns the wait that a Retry-After header asks for (RFC 9110 section 10.2.3), in milliseconds, at most a day. */
export function retryAfterMs(header: string | undefined, now: number): number {
  if (header === undefined) return 0;
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * SECOND : Date.parse(header) - now;
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(ms, 0), DAY);
}
