import { createCookieSessionStorage } from "@remix-run/node";
import { perApp } from "./per-app.server.ts";
import { secretsOf } from "./secrets.server.ts";
import { cookieAttributes, cookieName } from "./session-cookie.server.ts";

/** How long a sign-in that was begun may take to come back. */
export const FLOW_LIFETIME_MS = 15 * 60_000;

/** What a browser in the middle of signing in must remember: a signed cookie that signs nobody in. */
export type Flow = {
  /** The address a mail was asked for, to be shown on the next page. */
  email: string;
  oidc: {
    state: string;
    nonce: string;
    verifier: string;
    callbackPath: string;
    /** Epoch milliseconds. */
    startedAt: number;
  };
};

/** The session storage remix-auth works with. */
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
