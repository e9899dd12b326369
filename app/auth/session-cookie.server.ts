import type { Env } from "#app/env.server.ts";
import { isSecret } from "./secrets.server.ts";

/** On https the __Host- prefix keeps other hosts of the domain from planting a session (RFC 6265bis, 4.1.3.2). */
const isSecure = (env: Env) => env.BASE_URL.startsWith("https:");

/** A cookie's name on this service: under the __Host- prefix where the origin is https. */
export const cookieName = (env: Env, name: string): string =>
  isSecure(env) ? `__Host-${name}` : name;

/** The attributes every cookie of the service carries. */
export const cookieAttributes = (env: Env) =>
  ({ path: "/", httpOnly: true, sameSite: "lax", secure: isSecure(env) }) as const;

/** The Set-Cookie value that hands a session's token to the browser, for `maxAge` seconds. */
export const sessionCookie = (env: Env, token: string, maxAge: number): string =>
  `${cookieName(env, "session")}=${token}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${
    isSecure(env) ? "; Secure" : ""
  }`;

/** The Set-Cookie value that takes the session out of the browser. */
export const clearedSessionCookie = (env: Env): string => sessionCookie(env, "", 0);

/** The session token the request carries; null where there is none of its form. */
export function sessionToken(env: Env, request: Request): string | null {
  const prefix = `${cookieName(env, "session")}=`;
  const tokens = (request.headers.get("Cookie") ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(prefix))
    .map((pair) => pair.slice(prefix.length));
  return tokens.find(isSecret) ?? null;
}
