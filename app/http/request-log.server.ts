import type { Log } from "#app/services/context.server.ts";
import { type Site, sentLine } from "./connection.server.ts";

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

/** What is answered from public/, where it is there. */
const FILE = /^\/(?:build\/|favicon|robots\.txt)/;

/**
 * Has the line of each request written once its answer is out, or its client gone, in place of morgan's; of a file
 * that was there none is. `ms`: from here to there.
 */
export const withRequestLog =
  (log: Log, site: Site): Site =>
  (request, response, connection) => {
    const from = performance.now();
    const { method, url } = sentLine(request);
    response.once("close", () => {
      if (FILE.test(url) && response.headersSent && response.statusCode < 400) return;
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
    site(request, response, connection);
  };
