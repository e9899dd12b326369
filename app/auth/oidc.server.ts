import type { App } from "#app/http/app.server.ts";
import { consumeBudget } from "#app/http/limits.server.ts";
import { DeedError } from "#app/services/errors.server.ts";
import { authenticator, OIDC } from "./authenticator.server.ts";
import { rememberBrowser } from "./known-browser.server.ts";
import { CALLBACK } from "./oidc-strategy.server.ts";
import { startSession } from "./session.server.ts";
import type { SignInResult } from "./sign-in-result.ts";
import { signInStateStorage } from "./sign-in-state.server.ts";

/** What the button to the identity provider says; null where the installation has none. */
export const identityProviderLabel = ({ env }: App): string | null =>
  env.OIDC_ISSUER ? (env.OIDC_LABEL ?? new URL(env.OIDC_ISSUER).host) : null;

/**
 * Begins a sign-in at the identity provider: where the browser goes, and the cookie that ties its return
 * to this start. `client` is the address that asks. Throws not_found without a provider, rate_limited,
 * unavailable while the provider cannot be reached.
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
    await arrive(app, client, request, url);
  } catch (thrown) {
    const location = thrown instanceof Response && thrown.headers.get("Location");
    if (!location) throw thrown;
    return { location, cookie: thrown.headers.get("Set-Cookie") ?? "" };
  }
  throw new Error("the strategy began no sign-in");
}

/**
 * Ends a sign-in that came back from the identity provider with the query of `url`. `client` is the address
 * it came from, `cookies` are the Set-Cookie values of the answer. Throws invalid_sign_in, not_found,
 * rate_limited, unavailable.
 */
export async function finishOidc(
  app: App,
  client: string,
  request: Request,
  url: URL,
): Promise<SignInResult & { cookies: string[] }> {
  // As registered, whichever spelling was called: the provider compares it with that of the start.
  const back = new URL(CALLBACK + url.search, app.settings.baseUrl);
  const arrival = await arrive(app, client, request, back);
  app.log.info({ by: "provider", account: arrival.account.id }, "signed in");
  const { id, email } = arrival.account;
  const { cookie } = await startSession(app, request, id, "provider");
  const storage = signInStateStorage(app);
  const spent = await storage.destroySession(
    await storage.getSession(request.headers.get("Cookie")),
  );
  return { ...arrival, cookies: [cookie, spent, rememberBrowser(app, request, email)] };
}

/** `url` is what the strategy goes by; of the request it needs the cookies. */
async function arrive(app: App, client: string, request: Request, url: URL): Promise<SignInResult> {
  if (!app.env.OIDC_ISSUER) throw new DeedError("not_found");
  // The way out costs the provider a discovery, the way back an exchange.
  await consumeBudget(app, "mailIp", client);
  const cookie = request.headers.get("Cookie");
  const asked = new Request(url, cookie ? { headers: { cookie } } : {});
  return (await authenticator(app)).authenticate(OIDC, asked);
}
