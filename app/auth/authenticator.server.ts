import { Authenticator } from "remix-auth";
import type { Arrival } from "./arrival.ts";
import { emailLinkStrategy } from "./email-link-strategy.server.ts";
import { flowStorage } from "./flow.server.ts";
import { OidcStrategy } from "./oidc-strategy.server.ts";
import { perApp } from "./per-app.server.ts";

export const EMAIL_LINK = "email-link";
export const OIDC = "oidc";

/** remix-auth, with the ways to sign in that this installation has. */
export const authenticator = perApp((app) => {
  const made = new Authenticator<Arrival>(flowStorage(app));
  made.use(emailLinkStrategy<Arrival>(app), EMAIL_LINK);
  if (app.env.OIDC_ISSUER) made.use(new OidcStrategy(app), OIDC);
  return made;
});
