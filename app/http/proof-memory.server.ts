import type { IncomingMessage, ServerResponse } from "node:http";
import type { App } from "./app.server.ts";
import type { Site } from "./connection.server.ts";
import { countRequest } from "./metrics.server.ts";

const PROOF = /^\/(?:p|api\/proofs)\/[0-9a-z]{1,64}$/;
const [MOST_ANSWERS, LARGEST_BODY] = [1_000, 16 * 1024]; // 16 MiB together

/** The cache key; a page shows its second. Null for requests that are not a plain GET: with a session, or `_data`. */
function keyOf({ method, url = "", headers }: IncomingMessage, now: number): string | null {
  const [path = "", query] = url.split("?", 2);
  const accepted = String(headers["accept-encoding"] ?? "");
  if (method !== "GET" || !PROOF.test(path) || headers.cookie || accepted.length > 100) return null;
  if (query && new URLSearchParams(query).has("_data")) return null;
  return `${path} ${accepted} ${path.startsWith("/p/") ? Math.floor(now / 1_000) : ""}`;
}

/** Resolves with the body once the answer is complete, or with null if the connection closes before that. */
const bodyOf = (response: ServerResponse) =>
  new Promise<Buffer | null>((resolve) => {
    const chunks: Buffer[] = [];
    response.once("close", () => resolve(null));
    for (const name of ["write", "end"] as const) {
      const send = response[name] as (...args: unknown[]) => never;
      response[name] = (chunk?: unknown, ...rest: unknown[]) => {
        if (chunk && typeof chunk !== "function") chunks.push(Buffer.from(chunk as Uint8Array));
        if (name === "end") resolve(Buffer.concat(chunks));
        return send.call(response, chunk, ...rest);
      };
    }
  });

/**
 * Repeats the last answer to a public proof, page or JSON, until any process changes the database, which is checked on
 * each request. Requests that arrive while an answer is being made wait for it.
 */
export function withProofMemory(app: App, site: Site): Site {
  const othersChanges = app.db.$client.prepare("pragma data_version").pluck();
  const ownChanges = app.db.$client.prepare("select total_changes()").pluck();
  const cache = new Map<string, { headers: Map<string, string>; body: string }>();
  const pending = new Map<string, Promise<void>>();
  let state: unknown;

  /** Identifies the state of the database. Clears the cache if that has changed, or if the cache is full. */
  const currentState = (): unknown => {
    let now: unknown = {};
    try {
      now = `${othersChanges.get()} ${ownChanges.get()}`;
    } catch {} // Locked by another process: equals no other state.
    if (now !== state || cache.size >= MOST_ANSWERS) cache.clear();
    state = now;
    return now;
  };
  const make = async (key: string, response: ServerResponse, before = currentState()) => {
    const body = await bodyOf(response);
    pending.delete(key);
    if (response.statusCode !== 200 || !body || body.length > LARGEST_BODY) return;
    const headers = new Map(Object.entries(response.getHeaders() as Record<string, string>));
    if (currentState() === before) cache.set(key, { headers, body: body.toString("latin1") });
  };
  return async (...[request, response, connection]: Parameters<Site>) => {
    const key = app.closing.aborted ? null : keyOf(request, app.clock());
    if (key === null) return site(request, response, connection);
    const inFlight = pending.get(key);
    if (inFlight) await inFlight;
    currentState();
    const hit = cache.get(key);
    if (hit && app.limiter.tryConsume({ proofs: connection.address }) === null) {
      if (connection.api) countRequest("GET", 200);
      response.setHeaders(hit.headers);
      response.end(hit.body, "latin1");
      return;
    }
    if (!hit && !inFlight) pending.set(key, make(key, response));
    site(request, response, connection);
  };
}
