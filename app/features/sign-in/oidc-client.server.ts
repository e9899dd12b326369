import type { CustomFetch } from "openid-client";
import type { Log } from "#app/core/context.server.ts";
import { DeedError } from "#app/core/errors.server.ts";
import type { App, OidcClient } from "#app/http/app.server.ts";
import type { Env } from "#app/ops/environment/env.server.ts";

/** Maximum time for one request to the provider. */
const TIMEOUT_SECONDS = 10;

/**
 * Node's own, taken while this module is loaded: remix-serve then puts Remix's in place, which leaves a rejection
 * unhandled, and so ends the process, when it aborts a request with a body.
 */
const nodeFetch = globalThis.fetch as CustomFetch;

/**
 * A function that returns the client for the provider, whose configuration is discovered on first use and cached.
 * Concurrent callers share one discovery; after a failure the next caller retries. It throws not_found if no provider
 * is configured, unavailable if it cannot be reached.
 */
export function createOidcClient(env: Env, log: Log): App["oidcClient"] {
  let cached: Promise<OidcClient> | null = null;
  return async () => {
    cached ??= discoverProvider(env);
    try {
      return await cached;
    } catch (error) {
      cached = null;
      if (error instanceof DeedError) throw error;
      log.error({ err: error }, "discovery of the identity provider failed");
      throw new DeedError("unavailable", {
        message:
          "The identity provider cannot be reached right now. Sign in by mail, or try again.",
        retryAfter: TIMEOUT_SECONDS,
      });
    }
  };
}

/** Reads the provider's metadata. Throws not_found if no provider is configured. */
export async function discoverProvider(env: Env, timeout = TIMEOUT_SECONDS): Promise<OidcClient> {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: id, OIDC_CLIENT_SECRET: secret } = env;
  if (!issuer || !id) throw new DeedError("not_found");
  const url = new URL(issuer);
  const client = await import("openid-client");
  const configuration = await client.discovery(url, id, secret, undefined, {
    [client.customFetch]: nodeFetch,
    timeout,
    execute: [
      // Verify the token's signature, rather than trust the TLS connection alone.
      client.enableNonRepudiationChecks,
      // The environment accepts plain http on loopback only.
      ...(url.protocol === "http:" ? [client.allowInsecureRequests] : []),
    ],
  });
  return { client, configuration };
}
