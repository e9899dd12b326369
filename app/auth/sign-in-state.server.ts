import { createCookieSessionStorage } from "@remix-run/node";
import * as z from "zod";
import type { App } from "#app/http/app.server.ts";
import type { Account } from "#app/services/accounts/accounts.server.ts";
import { hashSecret, newSecret } from "./secrets.server.ts";
import { cookieOptions } from "./session-cookie.server.ts";

/** Who has signed in, and where to go next: a path on this origin. */
export type SignInResult = { account: Account; callbackPath: string };

/** How long a sign-in may take from start to return. */
export const SIGN_IN_STATE_LIFETIME_MS = 15 * 60_000;

/** The state of one trip to the identity provider and back. `startedAt`: epoch milliseconds. */
export const OidcState = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  callbackPath: z.string(),
  startedAt: z.number(),
});
export type OidcState = z.infer<typeof OidcState>;

/** What a browser must remember during a sign-in. It grants no access. */
type SignInState = {
  /** The address a mail was requested for, to show on the next page. */
  email: string;
  /** The secret that ties every link requested in this browser to it: codes work only with it (ASVS 6.6.2). */
  browser: string;
  oidc: OidcState;
};

/** A short-lived signed cookie, as the session storage that remix-auth requires. */
export const signInStateStorage = ({ env, secrets }: App) =>
  createCookieSessionStorage<SignInState>({
    cookie: {
      ...cookieOptions(env, "sign-in"),
      secrets: [...secrets],
      maxAge: SIGN_IN_STATE_LIFETIME_MS / 1000,
    },
  });

/**
 * Ties a requested mail to the requesting browser. Returns the hash of the browser's secret, created on its first
 * request, and the Set-Cookie value that keeps the secret and the address for 15 minutes.
 */
export async function bindToBrowser(
  app: App,
  request: Request,
  email: string,
): Promise<{ browserHash: string; cookie: string }> {
  const storage = signInStateStorage(app);
  const session = await storage.getSession(request.headers.get("Cookie"));
  const secret = session.get("browser") ?? newSecret();
  session.set("browser", secret);
  session.set("email", email);
  return { browserHash: hashSecret(secret), cookie: await storage.commitSession(session) };
}

/** What this browser requested in the last 15 minutes; null if nothing, or if it keeps no cookies. */
export async function pendingSignIn(
  app: App,
  request: Request,
): Promise<{ browserHash: string; email: string } | null> {
  const session = await signInStateStorage(app).getSession(request.headers.get("Cookie"));
  const secret = session.get("browser");
  return secret ? { browserHash: hashSecret(secret), email: session.get("email") ?? "" } : null;
}
