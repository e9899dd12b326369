import type { Env } from "#app/env.server.ts";
import { textCookie } from "./session-cookie.server.ts";

const LIFETIME_SECONDS = 15 * 60;
const probe = (env: Env) => textCookie(env, "cookies");

/** The Set-Cookie value that a page before a sign-in sends, to learn whether the browser keeps cookies. */
export const probeCookie = (env: Env): Promise<string> =>
  probe(env).serialize("kept", { maxAge: LIFETIME_SECONDS });

/** Whether the browser sent the probe back. Without cookies a sign-in would use up its link and sign nobody in. */
export const keepsCookies = async (env: Env, request: Request): Promise<boolean> =>
  (await probe(env).parse(request.headers.get("Cookie"))) === "kept";
