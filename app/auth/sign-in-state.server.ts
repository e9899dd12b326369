import { createCookieSessionStorage } from "@remix-run/node";
import * as z from "zod";
import type { App } from "#app/http/app.server.ts";
import { appSingleton } from "./app-singleton.server.ts";
import { hashSecret, newSecret, secretsOf } from "./secrets.server.ts";
import { cookieAttributes, cookieName } from "./session-cookie.server.ts";

/** How long a sign-in that was begun may take to come back. */
export const SIGN_IN_STATE_LIFETIME_MS = 15 * 60_000;

/** What a way to the identity provider and back is held together by. `startedAt`: epoch milliseconds. */
export const OidcFlow = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  callbackPath: z.string(),
  startedAt: z.number(),
});
export type OidcFlow = z.infer<typeof OidcFlow>;

/** What a browser in the middle of signing in must remember. It signs nobody in. */
type Flow = {
  /** The address a mail was asked for, to be shown on the next page. */
  email: string;
  /** A secret that every link asked for here is tied to: codes work with it alone (ASVS 6.6.2). */
  browser: string;
  oidc: OidcFlow;
};

/** A short-lived signed cookie: the session storage that remix-auth works with. */
export const signInStateStorage = appSingleton((app) =>
  createCookieSessionStorage<Flow>({
    cookie: {
      ...cookieAttributes(app.env),
      name: cookieName(app.env, "sign-in"),
      secrets: secretsOf(app.env),
      maxAge: SIGN_IN_STATE_LIFETIME_MS / 1000,
    },
  }),
);

/**
 * Ties a mail that is asked for to the browser that asks: the hash of its secret, made at its first asking,
 * and the Set-Cookie value that keeps secret and address for 15 minutes.
 */
export async function tieToBrowser(
  app: App,
  request: Request,
  email: string,
): Promise<{ browserHash: string; cookie: string }> {
  const storage = signInStateStorage(app);
  const flow = await storage.getSession(request.headers.get("Cookie"));
  const secret = flow.get("browser") ?? newSecret();
  flow.set("browser", secret);
  flow.set("email", email);
  return { browserHash: hashSecret(secret), cookie: await storage.commitSession(flow) };
}

/** What this browser asked for in the last 15 minutes; null where it asked for nothing, or keeps no cookies. */
export async function askedHere(
  app: App,
  request: Request,
): Promise<{ browserHash: string; email: string } | null> {
  const flow = await signInStateStorage(app).getSession(request.headers.get("Cookie"));
  const secret = flow.get("browser");
  return secret ? { browserHash: hashSecret(secret), email: flow.get("email") ?? "" } : null;
}
