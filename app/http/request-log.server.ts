import type { IncomingMessage, ServerResponse } from "node:http";
import type { Log } from "#app/services/context.server.ts";
import { sentLine } from "./connection.server.ts";

/** Where a slug follows: whoever knows one may read what it leads to. */
const BEFORE_SLUG = /(\/(?:p|h|proofs|proof_links)\/)[^/?#]+/gi;
/** What looks like a slug, or like the better part of one, anywhere. Ids have a prefix and stay. */
const SLUG = /(?<![0-9a-z_])[0-9a-hjkmnp-tv-z]{16,}/gi;

const decoded = (url: string) => {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
};

/** A request target fit for a log: as it is, or decoded and with "*" for each slug where it has one. */
export function loggedTarget(url: string): string {
  const plain = decoded(url);
  const hidden = plain.replace(BEFORE_SLUG, "$1*").replace(SLUG, "*");
  return hidden === plain ? url : hidden;
}

/** Writes the line of a request once its answer is out, or its client gone. `ms`: from here to there. */
export function logRequest(log: Log, request: IncomingMessage, response: ServerResponse): void {
  const from = performance.now();
  const { method, url } = sentLine(request);
  response.once("close", () => {
    log.info(
      {
        method,
        path: loggedTarget(url),
        // Null where the client left before an answer.
        status: response.headersSent ? response.statusCode : null,
        ms: Math.round(1_000 * (performance.now() - from)) / 1_000,
      },
      "request",
    );
  });
}
