import { Authenticator } from "remix-auth";
import { appSingleton } from "./app-singleton.server.ts";
import { OidcStrategy } from "./oidc-strategy.server.ts";
import type { SignInResult } from "./sign-in-result.ts";
import { signInStateStorage } from "./sign-in-state.server.ts";

export const EMAIL_LINK = "email-link";
export const OIDC = "oidc";

/** remix-auth with the sign-in methods this installation offers. The mail strategy is loaded on first use. */
export const authenticator = appSingleton(async (app) => {
  const { emailLinkStrategy } = await import("./email-link-strategy.server.ts");
  const made = new Authenticator<SignInResult>(signInStateStorage(app));
  made.use(emailLinkStrategy<SignInResult>(app), EMAIL_LINK);
  if (app.env.OIDC_ISSUER) made.use(new OidcStrategy(app), OIDC);
  return made;
});
