import type { ServerResponse } from "node:http";
import { escapeUntrusted } from "#app/dns/verdict/escape-untrusted.ts";
import type { Log } from "#app/services/context.server.ts";
import { withoutKeys } from "#app/services/keys/key-text.server.ts";
import type { Site } from "./connection.server.ts";
import { observeRequest } from "./metrics.server.ts";

/** Path segments followed by a slug, which is a bearer secret. */
const BEFORE_SLUG = /(\/(?:p|h|w|proofs|handoffs|proof_links)\/)[^/?#]+/gi;
/** Anything that looks like a slug or most of one. Ids have a prefix and are not hidden. */
const SLUG = /(?<![0-9a-z_])[0-9a-hjkmnp-tv-z]{16,}/gi;
const LONGEST = 512;

const decoded = (url: string) => {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
};

/**
 * A request target that is safe to log: unchanged, or decoded with "*" for each slug and the secret of each API key. Cut
 * after 512 characters.
 */
export function loggedTarget(url: string): string {
  const plain = decoded(url);
  const hidden = withoutKeys(plain).replace(BEFORE_SLUG, "$1*").replace(SLUG, "*");
  return escapeUntrusted(hidden === plain ? url : hidden, LONGEST);
}

/** Files served from public/. */
const FILE = /^\/(?:build\/|favicon|preview\.png|robots\.txt)/;

const isStream = (response: ServerResponse) =>
  String(response.getHeader("Content-Type")).startsWith("text/event-stream");

/**
 * Logs and counts each request once its answer is sent or its client has left, in place of morgan. Files that were found are not
 * logged. `ms` is the time from this call until then.
 */
export const withRequestLog =
  (log: Log, site: Site): Site =>
  (request, response, connection) => {
    const from = performance.now();
    const { method, url } = connection.sent;
    response.once("close", () => {
      if (FILE.test(url) && response.headersSent && response.statusCode < 400) return;
      // Null if the client left before an answer.
      const status = response.headersSent ? response.statusCode : null;
      const ms = Math.round(1_000 * (performance.now() - from)) / 1_000;
      if (!isStream(response)) observeRequest(connection.api ? "api" : "page", status, ms);
      log.info({ method, path: loggedTarget(url), status, ms }, "request");
    });
    site(request, response, connection);
  };
