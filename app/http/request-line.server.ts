/** A request line, with what Express, the log and Remix must not see removed or escaped. */
export type RequestLine = {
  /** The target for the handlers: starts with "/", decodes, and routes as it reads. */
  url: string;
  /** A call to the API as it was sent, `search` with its "?" or empty; null outside the API. */
  api: { path: string; search: string } | null;
  /** The token of a sign-in link or an invitation. */
  signInToken: string | null;
};

/** The pages that mails lead to, with a token in the query. */
const TOKEN_PAGES: ReadonlySet<string> = new Set(["/sign-in/confirm", "/sign-in/invitation"]);

/** Characters of a decoded segment that break routers: separators, and what a regular expression's dot skips. */
const UNROUTABLE = /[/\\\p{Cc}\u2028\u2029]/u;

/** Resolved by a URL parser (URL Standard, "double-dot URL path segment"); here a name like any other. */
const DOT_SEGMENT = /^(?:\.|%2e){1,2}$/i;

const isRoutable = (segment: string) => {
  try {
    return !DOT_SEGMENT.test(segment) && !UNROUTABLE.test(decodeURIComponent(segment));
  } catch {
    return false;
  }
};

/**
 * A run of slashes, which is cut to two: an empty segment matches no route either way. Routers trim a path's end with
 * an expression that is quadratic in the run's length; 16 KB of slashes would take a second.
 */
const RUN = /\/{3,}/g;

/** Remix's manifest path, switched off in remix.config.js: not found, and nothing in its query is read. */
const REMIX_OWN = "/__manifest";

/** Escapes a segment once more, so that no router decodes what makes it unroutable. */
function guarded(segment: string): string {
  const escapes = segment.replaceAll("%", "%25").replaceAll("\\", "%255C");
  return DOT_SEGMENT.test(segment) ? escapes.replaceAll(".", "%252E") : escapes;
}

/** A byte that the client did not escape, read by Node as Latin-1; usually part of a name's UTF-8, sent by curl. */
const RAW_BYTE = /[\x80-\xff]/g;
const escaped = (byte: string) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`;

/** RFC 9112 section 3.2: keeps the origin form, reduces the absolute form to it, and maps anything else to the root. */
function originForm(target: string): string {
  if (target.startsWith("/")) return target;
  const absolute = /^https?:\/\/[^/?#]*(.*)$/i.exec(target)?.[1];
  if (absolute === undefined) return "/";
  return absolute.startsWith("/") ? absolute : `/${absolute}`;
}

/**
 * Reads a request target. A segment that does not decode, hides a separator or a line break, or is a dot segment is
 * escaped once more: Express would answer it with its own HTML, route it nowhere, or resolve it. A call to the API is
 * kept as it was sent, without its query: Remix would interpret `_data` in it, and the log would show an identity
 * provider's code.
 */
export function readRequestLine(target: string): RequestLine {
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
  if (!TOKEN_PAGES.has(decoded)) return { url: path + search, api: null, signInToken: null };
  const query = new URLSearchParams(search);
  const signInToken = query.get("token");
  query.delete("token");
  return { url: path + (query.size > 0 ? `?${query}` : ""), api: null, signInToken };
}
