import morgan from "morgan";
import type { Log } from "#app/services/context.server.ts";
import { sentPath } from "./handover.server.ts";

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

/**
 * Has the service's own log write the line of each request. remix-serve asks morgan for its "tiny" format
 * once the build is loaded: by then that is this one, and leaves morgan itself nothing to print.
 */
export function logRequests(log: Log): void {
  morgan.format("tiny", (tokens, request, response) => {
    const number = (token: "status" | "response-time") => {
      const text = tokens[token](request, response);
      return text === undefined ? null : Number(text);
    };
    log.info(
      {
        method: tokens.method(request, response),
        path: loggedTarget(sentPath(request) ?? tokens.url(request, response) ?? ""),
        // Null where the client left before an answer.
        status: number("status"),
        ms: number("response-time"),
      },
      "request",
    );
    return null;
  });
}
