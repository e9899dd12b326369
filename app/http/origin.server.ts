import type { Env } from "#app/env.server.ts";
import { DeedError } from "#app/services/errors.server.ts";
import { getApp } from "./app.server.ts";

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);
const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i;

export const isWrite = (method: string): boolean => !SAFE_METHODS.has(method);

type Provenance = {
  origin: string | null | undefined;
  fetchSite: string | null | undefined;
  host: string | null | undefined;
};

function isOwnOrigin(env: Env, origin: string, host: string | null | undefined): boolean {
  if (origin === env.BASE_URL) return true;
  return (
    !env.baseUrlGiven &&
    typeof host === "string" &&
    LOOPBACK_HOST.test(host) &&
    origin.toLowerCase() === `http://${host.toLowerCase()}`
  );
}

/**
 * Whether a write comes from another site: its `Origin` is not the service's, or its `Sec-Fetch-Site` is cross-site or
 * same-site. `Origin: null` is the service's if `Sec-Fetch-Site`, which no page can set, says same-origin: some proxies
 * and privacy settings remove the origin. A request with neither header comes from a program, not a browser.
 */
export function isCrossOrigin(env: Env, { origin, fetchSite, host }: Provenance): boolean {
  if (fetchSite === "cross-site" || fetchSite === "same-site") return true;
  if (origin === "null" && fetchSite === "same-origin") return false;
  return typeof origin === "string" && !isOwnOrigin(env, origin, host);
}

/** Throws cross_origin for a write from another site. */
export function checkOrigin(request: Request, env: Env = getApp().env): void {
  if (!isWrite(request.method)) return;
  const provenance = {
    origin: request.headers.get("Origin"),
    fetchSite: request.headers.get("Sec-Fetch-Site"),
    host: request.headers.get("Host"),
  };
  if (isCrossOrigin(env, provenance)) throw new DeedError("cross_origin");
}
