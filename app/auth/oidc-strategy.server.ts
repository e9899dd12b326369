import { redirect, type SessionStorage } from "@remix-run/node";
import { type AuthenticateOptions, Strategy } from "remix-auth";
import type { App, OidcClient } from "#app/http/app.server.ts";
import { accountForIdentity, type Identity } from "#app/services/accounts/identities.server.ts";
import { parseAddress } from "./address.ts";
import { safeCallbackPath } from "./callback-path.ts";
import { SignInRefused } from "./refusal.server.ts";
import { OidcState, SIGN_IN_STATE_LIFETIME_MS, type SignInResult } from "./sign-in-state.server.ts";

/** Where the provider sends the browser back to, as registered with it. */
export const OIDC_CALLBACK_PATH = "/api/auth/oidc/callback";

type OidcResult = { identity: Identity; callbackPath: string };

/**
 * OpenID Connect as a remix-auth strategy: authorization code flow with PKCE (RFC 7636), state and nonce. Off the
 * callback path it throws the redirect to the provider; on it, it returns the identity the provider asserts. Any fault
 * in a callback is invalid_sign_in.
 */
export class OidcStrategy extends Strategy<SignInResult, OidcResult> {
  name = "oidc";
  readonly #app: App;

  constructor(app: App) {
    super(async ({ identity, callbackPath }) => ({
      account: await accountForIdentity(app, identity),
      callbackPath,
    }));
    this.#app = app;
  }

  override async authenticate(
    request: Request,
    storage: SessionStorage,
    options: AuthenticateOptions,
  ): Promise<SignInResult> {
    const provider = await this.#app.oidcClient();
    if (new URL(request.url).pathname !== OIDC_CALLBACK_PATH) {
      return this.#leave(provider, request, storage);
    }
    const session = await storage.getSession(request.headers.get("Cookie"));
    const pending = OidcState.safeParse(session.get("oidc"));
    if (
      !pending.success ||
      this.#app.clock() - pending.data.startedAt > SIGN_IN_STATE_LIFETIME_MS
    ) {
      throw new SignInRefused("other_browser");
    }
    const identity = await this.#identityFrom(provider, request, pending.data);
    const { callbackPath } = pending.data;
    return this.success(await this.verify({ identity, callbackPath }), request, storage, options);
  }

  async #leave(
    { client, configuration }: OidcClient,
    request: Request,
    storage: SessionStorage,
  ): Promise<never> {
    const { baseUrl } = this.#app.settings;
    const pending: OidcState = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier: client.randomPKCECodeVerifier(),
      callbackPath: safeCallbackPath(
        baseUrl,
        new URL(request.url).searchParams.get("callbackPath"),
      ),
      startedAt: this.#app.clock(),
    };
    const session = await storage.getSession(request.headers.get("Cookie"));
    session.set("oidc", pending);
    const location = client.buildAuthorizationUrl(configuration, {
      redirect_uri: baseUrl + OIDC_CALLBACK_PATH,
      scope: "openid email",
      state: pending.state,
      nonce: pending.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(pending.verifier),
      code_challenge_method: "S256",
    });
    throw redirect(location.href, {
      headers: { "Set-Cookie": await storage.commitSession(session) },
    });
  }

  async #identityFrom(
    { client, configuration }: OidcClient,
    request: Request,
    pending: OidcState,
  ): Promise<Identity> {
    try {
      const tokens = await client.authorizationCodeGrant(configuration, new URL(request.url), {
        expectedState: pending.state,
        expectedNonce: pending.nonce,
        pkceCodeVerifier: pending.verifier,
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
}

/**
 * The messages of an error and its causes, which are fixed sentences. Omits what the provider returned, which may
 * include tokens.
 */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  return [error.message, reasonOf(error.cause)].filter(Boolean).join(": ");
}
