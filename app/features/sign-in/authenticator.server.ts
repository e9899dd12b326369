import { Authenticator, Strategy } from "remix-auth";
import { EmailLinkStrategy } from "remix-auth-email-link";
import type { App } from "#app/http/app.server.ts";
import { type SignedIn, signInStateStorage } from "#app/http/caller/cookies.server.ts";

/** Checks the request that the browser returns with, and starts a session. Throws invalid_sign_in. */
type SignIn = () => Promise<SignedIn>;

const UNUSED_OPTIONS = { secret: "", sendEmail: () => Promise.reject(new Error("not used")) };

/**
 * Signs in by mail. Of remix-auth-email-link, only `verify` is usable: its links trust the Host header, sign in on GET,
 * work any number of times and cannot be canceled. It has no codes, and reads forms of any size.
 */
class MailStrategy extends EmailLinkStrategy<SignedIn> {
  constructor(signIn: SignIn) {
    super(UNUSED_OPTIONS, signIn);
  }

  override authenticate(): Promise<SignedIn> {
    return this.verify({ email: "", form: new FormData(), magicLinkVerify: true });
  }
}

class ProviderStrategy extends Strategy<SignedIn, undefined> {
  name = "provider";

  authenticate(): Promise<SignedIn> {
    return this.verify(undefined);
  }
}

const STRATEGIES = { mail: MailStrategy, provider: ProviderStrategy };

/** Signs in with one of remix-auth's strategies, on the original request. Rejects with whatever `signIn` throws. */
export const authenticate = (
  app: App,
  by: keyof typeof STRATEGIES,
  request: Request,
  signIn: SignIn,
): Promise<SignedIn> =>
  new Authenticator<SignedIn>(signInStateStorage(app))
    .use(new STRATEGIES[by](signIn), by)
    .authenticate(by, request);
