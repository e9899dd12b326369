import type { Env } from "#app/env.server.ts";
import { isSecret } from "./secrets.server.ts";

/** On https the __Host- prefix keeps other hosts of the domain from planting a session (RFC 6265bis, 4.1.3.2). */
const isSecure = (env: Env) => env.BASE_URL.startsWith("https:");

/** The name of one of the service's cookies: prefixed with __Host- if the origin is https. */
export const cookieName = (env: Env, name: string): string =>
  isSecure(env) ? `__Host-${name}` : name;

/** The attributes of all the service's cookies. */
export const cookieAttributes = (env: Env) =>
  ({ path: "/", httpOnly: true, sameSite: "lax", secure: isSecure(env) }) as const;

/** The Set-Cookie value of a cookie that lasts `maxAge` seconds. `value` must need no escaping. */
export const serializedCookie = (env: Env, name: string, value: string, maxAge: number): string =>
  `${cookieName(env, name)}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${
    isSecure(env) ? "; Secure" : ""
  }`;

/** The Set-Cookie value that gives the browser a session's token for `maxAge` seconds. */
export const sessionCookie = (env: Env, token: string, maxAge: number): string =>
  serializedCookie(env, "session", token, maxAge);

/** The Set-Cookie value that clears the session cookie. */
export const clearedSessionCookie = (env: Env): string => sessionCookie(env, "", 0);

/** The values a request carries for one of the service's cookies. Several if another path or host planted one. */
export function cookieValues(env: Env, request: Request, name: string): string[] {
  const prefix = `${cookieName(env, name)}=`;
  return (request.headers.get("Cookie") ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(prefix))
    .map((pair) => pair.slice(prefix.length));
}

/** The session token the request carries; null if none is well-formed. */
export const sessionToken = (env: Env, request: Request): string | null =>
  cookieValues(env, request, "session").find(isSecret) ?? null;
