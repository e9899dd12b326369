/**
 * What is taken out of, or made harmless in, a request line before Express, morgan and Remix see it.
 */
export type RequestLine = {
  /** The target to hand on: starts with "/" and decodes. */
  url: string;
  /** Query string of a call to the API, with its "?" or empty; null outside the API. */
  search: string | null;
  /** The token of a sign-in link. */
  signInToken: string | null;
  /** A percent-escape of the path did not decode. */
  malformedPath: boolean;
};

const decodes = (text: string) => {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
};

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
 * Splits a request target. Express answers HTML to an escape that does not decode, so such a segment is
 * escaped once more. The query of an API call is set aside: Remix would read `_data` in it as its own,
 * and morgan would print an identity provider's code.
 */
export function readRequestLine(target: string): RequestLine {
  const whole = originForm(target).replace(RAW_BYTE, escaped);
  const queryAt = whole.indexOf("?");
  const rawPath = queryAt < 0 ? whole : whole.slice(0, queryAt);
  const search = queryAt < 0 ? "" : whole.slice(queryAt);
  let malformedPath = false;
  const path = rawPath
    .split("/")
    .map((segment) => {
      if (decodes(segment)) return segment;
      malformedPath = true;
      return segment.replaceAll("%", "%25");
    })
    .join("/");
  const decoded = decodeURIComponent(path).replace(/\/+$/, "");
  if (decoded === "/api" || decoded.startsWith("/api/"))
    return { url: path, search, signInToken: null, malformedPath };
  if (decoded !== "/sign-in/confirm")
    return { url: path + search, search: null, signInToken: null, malformedPath };
  const query = new URLSearchParams(search);
  const signInToken = query.get("token");
  query.delete("token");
  const rest = query.size > 0 ? `?${query}` : "";
  return { url: path + rest, search: null, signInToken, malformedPath };
}
