import type { Left } from "./limits.server.ts";

/**
 * The fields RateLimit-Policy and RateLimit of draft-ietf-httpapi-ratelimit-headers-11: one policy for each window of a
 * budget, `name`, or `name-<seconds>` where there are several.
 */
export function rateLimitFields(name: string, windows: readonly Left[]): [string, string][] {
  const named = windows.map((window) => ({
    ...window,
    policy: `"${windows.length === 1 ? name : `${name}-${window.seconds}`}"`,
  }));
  const policies = named.map(({ policy, count, seconds }) => `${policy};q=${count};w=${seconds}`);
  const limits = named.map(
    ({ policy, remaining, resetMs }) => `${policy};r=${remaining};t=${Math.ceil(resetMs / 1000)}`,
  );
  return [
    ["RateLimit-Policy", policies.join(", ")],
    ["RateLimit", limits.join(", ")],
  ];
}
