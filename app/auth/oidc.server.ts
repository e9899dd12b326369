import type { App } from "#app/http/app.server.ts";
import { consumeBudget } from "#app/http/limits.server.ts";
import { DeedError } from "#app/services/errors.server.ts";
import { authenticator, OIDC } from "./authenticator.server.ts";
import { rememberBrowser } from "./known-browser.server.ts";
import { OIDC_CALLBACK_PATH } from "./oidc-strategy.server.ts";
import { loggingRefusal } from "./refusal.server.ts";
import { startSession } from "./session.server.ts";
import { type SignInResult, signInStateStorage } from "./sign-in-state.server.ts";

/** The label of the identity provider's button; null if no provider is configured. */
export const identityProviderLabel = ({ env }: App): string | null =>
  env.OIDC_ISSUER ? (env.OIDC_LABEL ?? new URL(env.OIDC_ISSUER).host) : null;

/**
 * Starts a sign-in at the identity provider. Returns where to send the browser, and the cookie that ties its return to
 * this start. `client` is the requesting address. Throws not_found without a provider, rate_limited, unavailable if the
 * provider cannot be reached.
 */
export async function startOidc(
  app: App,
  client: string,
  request: Request,
  callbackPath: string,
): Promise<{ location: string; cookie: string }> {
  const url = new URL("/api/auth/oidc", app.settings.baseUrl);
  url.searchParams.set("callbackPath", callbackPath);
  try {
    await authenticate(app, client, request, url);
  } catch (thrown) {
    const location = thrown instanceof Response && thrown.headers.get("Location");
    if (!location) throw thrown;
    return { location, cookie: thrown.headers.get("Set-Cookie") ?? "" };
  }
  throw new Error("the strategy began no sign-in");
}

/**
 * Completes a sign-in with the query of `url`, the callback from the identity provider. `client` is the requesting
 * address; `cookies` are the response's Set-Cookie values. Throws invalid_sign_in, not_found, rate_limited,
 * unavailable.
 */
export async function finishOidc(
  app: App,
  client: string,
  request: Request,
  url: URL,
): Promise<SignInResult & { cookies: string[] }> {
  return loggingRefusal(app, client, "provider", async () => {
    // Always the registered URL, however the callback was spelled: the provider compares it with the one from the start.
    const back = new URL(OIDC_CALLBACK_PATH + url.search, app.settings.baseUrl);
    const result = await authenticate(app, client, request, back);
    app.log.info({ by: "provider", account: result.account.id }, "signed in");
    const { id, email } = result.account.person;
    const { cookie } = await startSession(app, request, id, "provider");
    const storage = signInStateStorage(app);
    const clearedState = await storage.destroySession(
      await storage.getSession(request.headers.get("Cookie")),
    );
    return {
      ...result,
      cookies: [cookie, clearedState, await rememberBrowser(app, request, email)],
    };
  });
}

/** The strategy reads `url`; from the request it needs only the cookies. */
async function authenticate(
  app: App,
  client: string,
  request: Request,
  url: URL,
): Promise<SignInResult> {
  if (!app.env.OIDC_ISSUER) throw new DeedError("not_found");
  // Budgeted because each start makes the provider answer a discovery and each return an exchange.
  await consumeBudget(app, "mailIp", client);
  const cookie = request.headers.get("Cookie");
  const asked = new Request(url, cookie ? { headers: { cookie } } : {});
  return (await authenticator(app)).authenticate(OIDC, asked);
}
