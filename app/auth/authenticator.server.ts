import { Authenticator } from "remix-auth";
import type { App } from "#app/http/app.server.ts";
import { OidcStrategy } from "./oidc-strategy.server.ts";
import { type SignInResult, signInStateStorage } from "./sign-in-state.server.ts";

export const EMAIL_LINK = "email-link";
export const OIDC = "oidc";

/** remix-auth with the sign-in methods this installation offers. The mail strategy is loaded on first use. */
export async function authenticator(app: App): Promise<Authenticator<SignInResult>> {
  const { emailLinkStrategy } = await import("./email-link-strategy.server.ts");
  const methods = new Authenticator<SignInResult>(signInStateStorage(app));
  methods.use(emailLinkStrategy<SignInResult>(app), EMAIL_LINK);
  if (app.env.OIDC_ISSUER) methods.use(new OidcStrategy(app), OIDC);
  return methods;
}
