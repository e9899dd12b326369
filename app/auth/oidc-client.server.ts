import type { Configuration } from "openid-client";
import type { App } from "#app/http/app.server.ts";
import { DeedError } from "#app/services/errors.server.ts";
import { appSingleton } from "./app-singleton.server.ts";

/** Longest the provider may take over one request. */
const TIMEOUT_SECONDS = 10;

/** openid-client, loaded with the first sign-in by a provider, and the provider's description. */
export type OidcClient = { client: typeof import("openid-client"); configuration: Configuration };

const discovered = appSingleton(() => ({ client: null as Promise<OidcClient> | null }));

/**
 * The provider's description, discovered at first need and kept, and what speaks to it. Simultaneous askers share one discovery;
 * after a failure the next asker tries anew. Throws not_found where no provider is configured, unavailable
 * where it cannot be reached.
 */
export async function oidcClient(app: App): Promise<OidcClient> {
  const held = discovered(app);
  held.client ??= discover(app);
  try {
    return await held.client;
  } catch (error) {
    held.client = null;
    if (error instanceof DeedError) throw error;
    app.log.error({ err: error }, "the identity provider could not be discovered");
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
      // The token's signature counts, not only the connection it came over.
      client.enableNonRepudiationChecks,
      // The environment takes plain http on loopback only.
      ...(url.protocol === "http:" ? [client.allowInsecureRequests] : []),
    ],
  });
  return { client, configuration };
}
