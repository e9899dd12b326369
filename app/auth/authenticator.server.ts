import { Authenticator } from "remix-auth";
import type { Arrival } from "./arrival.ts";
import { flowStorage } from "./flow.server.ts";
import { OidcStrategy } from "./oidc-strategy.server.ts";
import { perApp } from "./per-app.server.ts";

export const EMAIL_LINK = "email-link";
export const OIDC = "oidc";

/** remix-auth, with the ways to sign in that this installation has. The one by mail is loaded with the first sign-in. */
export const authenticator = perApp(async (app) => {
  const { emailLinkStrategy } = await import("./email-link-strategy.server.ts");
  const made = new Authenticator<Arrival>(flowStorage(app));
  made.use(emailLinkStrategy<Arrival>(app), EMAIL_LINK);
  if (app.env.OIDC_ISSUER) made.use(new OidcStrategy(app), OIDC);
  return made;
});
