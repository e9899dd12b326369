import type { CustomFetch } from "openid-client";
import * as z from "zod";
import { accountForIdentity } from "#app/core/accounts/identities.server.ts";
import type { Log } from "#app/core/context.server.ts";
import { DeedError } from "#app/core/errors.server.ts";
import { parseAddress } from "#app/core/names/address.ts";
import type { Env } from "#app/environment/env.server.ts";
import type { App, OidcClient } from "#app/http/app.server.ts";
import {
  SIGN_IN_STATE_LIFETIME_MS,
  signInState,
  signInStateStorage,
} from "#app/http/caller/cookies.server.ts";
import { loggingRefusal, SignInRefused, startSession } from "#app/http/caller/session.server.ts";

const TIMEOUT_SECONDS = 10;

/** Node's own fetch, which Remix replaces later by one that ends the process when it aborts a request with a body. */
const nodeFetch = globalThis.fetch as CustomFetch;

/** Returns the provider's client, discovered on first use, and again after a failure. Throws not_found, unavailable. */
export function createOidcClient(env: Env, log: Log): App["oidcClient"] {
  let discovery: Promise<OidcClient> | null = null;
  return async () => {
    discovery ??= discoverProvider(env);
    try {
      return await discovery;
    } catch (error) {
      discovery = null;
      if (error instanceof DeedError) throw error;
      log.error({ err: error }, "discovery of the identity provider failed");
      throw new DeedError("unavailable", {
        message:
          "The identity provider cannot be reached right now. Sign in by email, or try again.",
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
      // Verify the token's signature instead of trusting the TLS connection alone.
      client.enableNonRepudiationChecks,
      // The settings allow plain http on loopback only.
      ...(url.protocol === "http:" ? [client.allowInsecureRequests] : []),
    ],
  });
  return { client, configuration };
}

/** The path to which the provider sends the browser back; it is registered with the provider. */
const CALLBACK_PATH = "/api/auth/oidc/callback";

/** One trip to the identity provider and back. `startedAt` is in epoch milliseconds. */
const SignInTrip = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  callbackPath: z.string(),
  startedAt: z.number(),
});
type SignInTrip = z.infer<typeof SignInTrip>;

export const identityProviderLabel = ({ env }: App): string | null =>
  env.OIDC_ISSUER ? (env.OIDC_LABEL ?? new URL(env.OIDC_ISSUER).host) : null;

/** Returns the client, on a budget, because a start makes a discovery call to the provider, and a return an exchange. */
async function providerFor(app: App, client: string): Promise<OidcClient> {
  if (!app.env.OIDC_ISSUER) throw new DeedError("not_found");
  app.limiter.consume({ mailIp: client });
  return app.oidcClient();
}

/** Starts a trip with PKCE (RFC 7636); the cookie ties the return to it. Throws not_found, rate_limited, unavailable. */
export async function startOidc(app: App, client: string, request: Request, callbackPath: string) {
  const { client: openid, configuration } = await providerFor(app, client);
  const trip: SignInTrip = {
    state: openid.randomState(),
    nonce: openid.randomNonce(),
    verifier: openid.randomPKCECodeVerifier(),
    callbackPath,
    startedAt: app.clock(),
  };
  const session = await signInState(app, request);
  session.set("oidc", trip);
  const location = openid.buildAuthorizationUrl(configuration, {
    redirect_uri: app.settings.baseUrl + CALLBACK_PATH,
    scope: "openid email",
    state: trip.state,
    nonce: trip.nonce,
    code_challenge: await openid.calculatePKCECodeChallenge(trip.verifier),
    code_challenge_method: "S256",
  });
  const cookie = await signInStateStorage(app).commitSession(session);
  return { location: location.href, cookie };
}

/** Ends a trip at the callback `url`. Throws invalid_sign_in, not_found, rate_limited, unavailable. */
export async function finishOidc(app: App, client: string, request: Request, url: URL) {
  const { authenticate } = await import("./authenticator.server.ts");
  return loggingRefusal(app, client, "provider", () =>
    authenticate(app, "provider", request, async () => {
      const provider = await providerFor(app, client);
      const state = await signInState(app, request);
      const { data: trip } = SignInTrip.safeParse(state.get("oidc"));
      if (!trip || app.clock() - trip.startedAt > SIGN_IN_STATE_LIFETIME_MS)
        throw new SignInRefused("other_browser");
      // This is the registered URL, however the callback was spelled: the provider compares it with the one at the start.
      const callbackUrl = new URL(CALLBACK_PATH + url.search, app.settings.baseUrl);
      const identity = await identityFrom(provider, callbackUrl, trip);
      const { account, cookies } = await startSession(app, request, "provider", (tx, ctx) => ({
        account: accountForIdentity(ctx, tx, identity),
      }));
      cookies.splice(1, 0, await signInStateStorage(app).destroySession(state));
      return { account, callbackPath: trip.callbackPath, cookies };
    }),
  );
}

async function identityFrom({ client, configuration }: OidcClient, url: URL, trip: SignInTrip) {
  try {
    const tokens = await client.authorizationCodeGrant(configuration, url, {
      expectedState: trip.state,
      expectedNonce: trip.nonce,
      pkceCodeVerifier: trip.verifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (!claims) throw new Error("no ID token");
    const { email, email_verified } =
      claims.email === undefined && configuration.serverMetadata().userinfo_endpoint
        ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
        : claims;
    const address = typeof email === "string" ? parseAddress(email) : null;
    if (!address) throw new Error("no usable email address in the provider's claims");
    const emailVerified = email_verified === true;
    return { issuer: claims.iss, subject: claims.sub, email: address, emailVerified };
  } catch (error) {
    throw new SignInRefused("provider", reasonOf(error));
  }
}

/** Returns the library's fixed sentences, without the provider's own text, which may contain tokens. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  return [error.message, reasonOf(error.cause)].filter(Boolean).join(": ");
}
