import { type Cookie, type CookieOptions, createCookie } from "@remix-run/node";
import type { Env } from "#app/env.server.ts";
import { isSecret } from "./secrets.server.ts";

/** The name and attributes of one of the service's cookies. */
export function cookieOptions(env: Env, name: string) {
  const secure = env.BASE_URL.startsWith("https:");
  return {
    // On https the prefix keeps other hosts of the domain from planting a cookie (RFC 6265bis, 4.1.3.2).
    name: secure ? `__Host-${name}` : name,
    path: "/",
    httpOnly: true,
    sameSite: "lax",
    secure,
  } as const;
}

/** Undoes Remix's base64 of JSON: a value is sent as it is, as in the cookies that browsers already hold. */
const VERBATIM: CookieOptions = {
  encode: (encoded) => (encoded === "" ? "" : JSON.parse(atob(encoded))),
  decode: (value) => btoa(JSON.stringify(value)),
};

/** A cookie whose value is ASCII text that needs no escaping. */
export function textCookie(env: Env, name: string): Cookie {
  const options = cookieOptions(env, name);
  return createCookie(options.name, { ...options, ...VERBATIM });
}

/** The Set-Cookie value that gives the browser a session's token for `maxAge` seconds; without a token, clears it. */
export const sessionCookie = (env: Env, token = "", maxAge = 0): Promise<string> =>
  textCookie(env, "session").serialize(token, { maxAge });

/** The session token the request carries; null if it has none or it is malformed. */
export async function sessionToken(
  env: Env,
  request: Pick<Request, "headers">,
): Promise<string | null> {
  const token = await textCookie(env, "session").parse(request.headers.get("Cookie"));
  return typeof token === "string" && isSecret(token) ? token : null;
}
