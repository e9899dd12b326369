import { createCookieSessionStorage } from "@remix-run/node";
import { z } from "zod";
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
