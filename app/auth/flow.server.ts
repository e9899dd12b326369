import { createCookieSessionStorage } from "@remix-run/node";
import * as z from "zod";
import type { App } from "#app/http/app.server.ts";
import { perApp } from "./per-app.server.ts";
import { secretsOf } from "./secrets.server.ts";
import { cookieAttributes, cookieName } from "./session-cookie.server.ts";

/** How long a sign-in that was begun may take to come back. */
export const FLOW_LIFETIME_MS = 15 * 60_000;

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
  oidc: OidcFlow;
};

/** A short-lived signed cookie: the session storage that remix-auth works with. */
export const flowStorage = perApp((app) =>
  createCookieSessionStorage<Flow>({
    cookie: {
      ...cookieAttributes(app.env),
      name: cookieName(app.env, "sign-in"),
      secrets: secretsOf(app.env),
      maxAge: FLOW_LIFETIME_MS / 1000,
    },
  }),
);

/** The Set-Cookie value that remembers the address a mail was asked for. */
export async function sentCookie(app: App, email: string): Promise<string> {
  const storage = flowStorage(app);
  const flow = await storage.getSession();
  flow.set("email", email);
  return storage.commitSession(flow);
}

/** The address this browser last asked a mail for; null after 15 minutes, or where it asked for none. */
export async function sentAddress(app: App, request: Request): Promise<string | null> {
  const flow = await flowStorage(app).getSession(request.headers.get("Cookie"));
  return flow.get("email") ?? null;
}
