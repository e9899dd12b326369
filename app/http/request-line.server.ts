/**
 * What is taken out of, or made harmless in, a request line before Express, the log and Remix see it.
 */
export type RequestLine = {
  /** The target to hand on: starts with "/", decodes, and routes as it reads. */
  url: string;
  /** A call to the API as it was sent, its query with the "?" or empty; null outside the API. */
  api: { path: string; search: string } | null;
  /** The token of a sign-in link. */
  signInToken: string | null;
};

/** What routers trip over once a segment is decoded: separators, and what a regular expression's dot skips. */
const UNROUTABLE = /[/\\\p{Cc}\u2028\u2029]/u;

/** What a URL parser resolves (URL Standard, "double-dot URL path segment"); here it is a name like any other. */
const DOT_SEGMENT = /^(?:\.|%2e){1,2}$/i;

/** What needs no second look: neither escapes, nor a query, nor bytes outside ASCII, nor a dot segment. */
const PLAIN = /^(?!.*\/\.{1,2}(?:\/|$))\/[\w.~/-]*$/;

const isRoutable = (segment: string) => {
  try {
    return !DOT_SEGMENT.test(segment) && !UNROUTABLE.test(decodeURIComponent(segment));
  } catch {
    return false;
  }
};

/**
 * A longer run of slashes says no more than two: an empty segment, which is nobody's. Routers trim a path's end by an
 * expression that takes the square of a run's length: 16 KB of slashes cost a second.
 */
const RUN = /\/{3,}/g;

/** Remix's own path, switched off (remix.config.js): nobody's, like any other, and nothing in its query is read. */
const REMIX_OWN = "/__manifest";

/** Escaped once more, so that nobody behind reads in the segment what makes it unroutable. */
function guarded(segment: string): string {
  const escapes = segment.replaceAll("%", "%25").replaceAll("\\", "%255C");
  return DOT_SEGMENT.test(segment) ? escapes.replaceAll(".", "%252E") : escapes;
}

/** Node reads bytes a client did not escape as Latin-1; mostly they are a name's UTF-8, sent by curl. */
const RAW_BYTE = /[\x80-\xff]/g;
const escaped = (byte: string) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`;

/** RFC 9112 section 3.2: origin form as it is, absolute form reduced to it, anything else the root. */
function originForm(target: string): string {
  if (target.startsWith("/")) return target;
  const absolute = /^https?:\/\/[^/?#]*(.*)$/i.exec(target)?.[1];
  if (absolute === undefined) return "/";
  return absolute.startsWith("/") ? absolute : `/${absolute}`;
}

/**
 * Splits a request target. A segment that does not decode gets Express's own HTML, one that hides a
 * separator or a line break reaches no route, a dot segment leads elsewhere: such a segment is escaped once more.
 * A call to the API is kept as it was sent, its query aside: Remix would read `_data` in it as its own, and the
 * log would have an identity provider's code.
 */
export function readRequestLine(target: string): RequestLine {
  if (PLAIN.test(target) && !target.includes("///")) {
    const api = /^\/api(?:\/|$)/.test(target) ? { path: target, search: "" } : null;
    return { url: target, api, signInToken: null };
  }
  const whole = originForm(target).replace(/#.*$/s, "").replace(RAW_BYTE, escaped);
  const queryAt = whole.indexOf("?");
  const sent = (queryAt < 0 ? whole : whole.slice(0, queryAt)).replace(RUN, "//");
  const search = queryAt < 0 ? "" : whole.slice(queryAt);
  const path = sent
    .split("/")
    .map((segment) => (isRoutable(segment) ? segment : guarded(segment)))
    .join("/");
  const decoded = decodeURIComponent(path).replace(/\/+$/, "");
  if (decoded === "/api" || decoded.startsWith("/api/"))
    return { url: path, api: { path: sent, search }, signInToken: null };
  if (path === REMIX_OWN) return { url: path, api: null, signInToken: null };
  if (decoded !== "/sign-in/confirm") return { url: path + search, api: null, signInToken: null };
  const query = new URLSearchParams(search);
  const signInToken = query.get("token");
  query.delete("token");
  return { url: path + (query.size > 0 ? `?${query}` : ""), api: null, signInToken };
}
