import type { Configuration } from "openid-client";
import type { App } from "#app/http/app.server.ts";
import { DeedError } from "#app/services/errors.server.ts";
import { appSingleton } from "./app-singleton.server.ts";

/** Maximum time for one request to the provider. */
const TIMEOUT_SECONDS = 10;

/** openid-client, loaded on the first sign-in through a provider, and the provider's configuration. */
export type OidcClient = { client: typeof import("openid-client"); configuration: Configuration };

const discovered = appSingleton(() => ({ client: null as Promise<OidcClient> | null }));

/**
 * The client for the provider, with its configuration discovered on first use and cached. Concurrent callers share one
 * discovery; after a failure the next caller retries. Throws not_found if no provider is configured, unavailable if it
 * cannot be reached.
 */
export async function oidcClient(app: App): Promise<OidcClient> {
  const cache = discovered(app);
  cache.client ??= discover(app);
  try {
    return await cache.client;
  } catch (error) {
    cache.client = null;
    if (error instanceof DeedError) throw error;
    app.log.error({ err: error }, "discovery of the identity provider failed");
    throw new DeedError("unavailable", {
      message: "The identity provider cannot be reached just now. Sign in by mail, or try again.",
      retryAfter: TIMEOUT_SECONDS,
    });
  }
}

async function discover({ env }: App): Promise<OidcClient> {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: id, OIDC_CLIENT_SECRET: secret } = env;
  if (!issuer || !id) throw new DeedError("not_found");
  const url = new URL(issuer);
  const client = await import("openid-client");
  const configuration = await client.discovery(url, id, secret, undefined, {
    timeout: TIMEOUT_SECONDS,
    execute: [
      // Verify the token's signature, rather than trust the TLS connection alone.
      client.enableNonRepudiationChecks,
      // The environment accepts plain http on loopback only.
      ...(url.protocol === "http:" ? [client.allowInsecureRequests] : []),
    ],
  });
  return { client, configuration };
}
