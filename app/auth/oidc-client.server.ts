import {
  allowInsecureRequests,
  type Configuration,
  discovery,
  enableNonRepudiationChecks,
} from "openid-client";
import type { App } from "#app/http/app.server.ts";
import { DeedError } from "#app/services/errors.server.ts";
import { perApp } from "./per-app.server.ts";

/** Longest the provider may take over one request. */
const TIMEOUT_SECONDS = 10;

const discovered = perApp(() => ({ configuration: null as Promise<Configuration> | null }));

/**
 * The provider's description, discovered at first need and kept. Simultaneous askers share one discovery;
 * after a failure the next asker tries anew. Throws not_found where no provider is configured, unavailable
 * where it cannot be reached.
 */
export async function oidcConfiguration(app: App): Promise<Configuration> {
  const held = discovered(app);
  held.configuration ??= discover(app);
  try {
    return await held.configuration;
  } catch (error) {
    held.configuration = null;
    if (error instanceof DeedError) throw error;
    app.log.error({ err: error }, "the identity provider could not be discovered");
    throw new DeedError("unavailable", {
      message: "The identity provider cannot be reached just now. Sign in by mail, or try again.",
      retryAfter: TIMEOUT_SECONDS,
    });
  }
}

async function discover({ env }: App): Promise<Configuration> {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: id, OIDC_CLIENT_SECRET: secret } = env;
  if (!issuer || !id) throw new DeedError("not_found");
  const url = new URL(issuer);
  return discovery(url, id, secret, undefined, {
    timeout: TIMEOUT_SECONDS,
    execute: [
      // The token's signature counts, not only the connection it came over.
      enableNonRepudiationChecks,
      // The environment takes plain http on loopback only.
      ...(url.protocol === "http:" ? [allowInsecureRequests] : []),
    ],
  });
}
