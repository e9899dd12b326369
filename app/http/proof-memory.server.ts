import type { IncomingMessage, ServerResponse } from "node:http";
import type { App } from "./app.server.ts";
import type { Site } from "./connection.server.ts";
import { countRequest } from "./metrics.server.ts";
import { newNonce } from "./page-headers.server.ts";

const PROOF = /^\/(?:p|api\/proofs)\/[0-9a-z]{1,64}$/;
const [MOST_ANSWERS, LARGEST_BODY] = [1_000, 16 * 1024]; // 16 MiB together

/** What tells answers apart: a page names its second. Null where a session or Remix's `_data` may, or it is no GET. */
function keyOf({ method, url = "", headers }: IncomingMessage, now: number): string | null {
  const [path = "", query] = url.split("?", 2);
  const accepted = String(headers["accept-encoding"] ?? "");
  if (method !== "GET" || !PROOF.test(path) || headers.cookie || accepted.length > 100) return null;
  if (query && new URLSearchParams(query).has("_data")) return null;
  return `${path} ${accepted} ${path.startsWith("/p/") ? Math.floor(now / 1_000) : ""}`;
}

/** Resolves with the body once the answer is whole, taken by its client or not; with null where none was made. */
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
 * Answers what can meet a crowd, a public proof as page or JSON, as before while nothing in the database has changed,
 * by whichever process: that is asked at each request. Who asks while an answer is made waits for it, once.
 */
export function withProofMemory(
  app: Pick<App, "db" | "clock" | "limiter" | "closing">,
  site: Site,
) {
  const othersChanges = app.db.$client.prepare("pragma data_version").pluck();
  const ownChanges = app.db.$client.prepare("select total_changes()").pluck();
  const kept = new Map<string, { headers: Map<string, string>; body: string }>();
  const making = new Map<string, Promise<void>>();
  let state: unknown;

  /** Names what the database holds. Forgets what was kept of another, and everything where it is too much. */
  const look = (): unknown => {
    let now: unknown = {};
    try {
      now = `${othersChanges.get()} ${ownChanges.get()}`;
    } catch {} // Held by another process: like no other state.
    if (now !== state || kept.size >= MOST_ANSWERS) kept.clear();
    state = now;
    return now;
  };
  const make = async (key: string, response: ServerResponse, before = look()) => {
    const body = await bodyOf(response);
    making.delete(key);
    if (response.statusCode !== 200 || !body || body.length > LARGEST_BODY) return;
    const headers = new Map(Object.entries(response.getHeaders() as Record<string, string>));
    if (look() === before) kept.set(key, { headers, body: body.toString("latin1") });
  };
  return async (...[request, response, connection]: Parameters<Site>) => {
    const key = app.closing.aborted ? null : keyOf(request, app.clock());
    if (key === null) return site(request, response, connection);
    const underWay = making.get(key);
    if (underWay) await underWay;
    look();
    const hit = kept.get(key);
    if (hit && app.limiter.tryConsume("proofs", connection.address) === null) {
      if (connection.api) countRequest("GET", 200);
      const policy = String(hit.headers.get("content-security-policy"));
      const own = policy.replace(/'nonce-[^']+'/, `'nonce-${newNonce()}'`);
      response
        .setHeaders(hit.headers)
        .setHeader("content-security-policy", own)
        .end(hit.body, "latin1");
      return;
    }
    if (!hit && !underWay) making.set(key, make(key, response));
    site(request, response, connection);
  };
}
