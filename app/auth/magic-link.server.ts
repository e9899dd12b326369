import { Authenticator, AuthorizationError } from "remix-auth";
import { EmailLinkStrategy } from "remix-auth-email-link";
import type { App } from "#app/http/app.server.ts";
import { type Account, accountForEmail } from "#app/services/accounts.server.ts";
import { DeedError } from "#app/services/errors.server.ts";
import { signInMail } from "#app/services/mail-texts.ts";
import { parseAddress } from "./address.ts";
import { callbackPath } from "./callback-path.ts";
import { flowStorage } from "./flow.server.ts";
import { perApp } from "./per-app.server.ts";
import { newSecret } from "./secrets.server.ts";
import { startSession } from "./session.server.ts";
import {
  consumeCode,
  consumeToken,
  issueLink,
  LINK_LIFETIME_MS,
  type ProvedAddress,
} from "./sign-in-links.server.ts";

const STRATEGY = "email-link";
const SENT = "/sign-in/sent";

/**
 * remix-auth's edge. The strategy checks the address and starts the mail; its own link, which trusts the
 * Host header and may be used twice, is never sent, and no route takes it back.
 */
const authenticator = perApp((app) =>
  new Authenticator<Account>(flowStorage(app)).use(
    new EmailLinkStrategy<Account>(
      {
        secret: newSecret(),
        verifyEmailAddress: async (email) => {
          if (parseAddress(email) !== email) throw new AuthorizationError("not a mail address");
        },
        sendEmail: ({ emailAddress, form }) =>
          sendLink(app, emailAddress, String(form.get("callbackPath"))),
      },
      () => Promise.reject(new AuthorizationError("only the link that was mailed signs in")),
    ),
    STRATEGY,
  ),
);

async function sendLink(app: App, email: string, path: string): Promise<void> {
  const { token, code } = await issueLink(app, { email, callbackPath: path });
  const words = signInMail({
    baseUrl: app.settings.baseUrl,
    email,
    token,
    code,
    minutes: LINK_LIFETIME_MS / 60_000,
  });
  // Not awaited: how long a mail takes, or that it failed, tells the asker nothing.
  app.mailer.send({ to: email, ...words }).catch((error: unknown) => {
    app.log.error({ err: error }, "a sign-in mail could not be sent");
  });
}

/**
 * Mails a sign-in link and code to the address, whether an account has it or not: no account is looked up.
 * Throws invalid_request where the address is none. Returns its canonical form.
 */
export async function startMagicLink(
  app: App,
  asked: { email: string; callbackPath?: string | undefined },
): Promise<{ email: string }> {
  const email = parseAddress(asked.email);
  if (!email) throw new DeedError("invalid_request", { message: "email must be a mail address." });
  const path = callbackPath(app.settings.baseUrl, asked.callbackPath);
  const { host } = new URL(app.settings.baseUrl);
  const start = new Request(new URL("/sign-in", app.settings.baseUrl), {
    method: "POST",
    // The origin the strategy puts into the link that is thrown away; without one it refuses to start.
    headers: { "X-Forwarded-Host": host },
    body: new URLSearchParams({ email, callbackPath: path }),
  });
  try {
    await authenticator(app).authenticate(STRATEGY, start, { successRedirect: SENT });
  } catch (thrown) {
    if (!(thrown instanceof Response && thrown.headers.get("Location") === SENT)) throw thrown;
  }
  return { email };
}

/** What was mailed: the link's token, or the code with the address it went to. */
export type MailedProof = { token: string } | { email: string; code: string };

export type SignedIn = {
  account: Account;
  callbackPath: string;
  /** The Set-Cookie value of the new session. */
  cookie: string;
};

/**
 * Signs in whoever holds what was mailed, creating the account at its first sign-in.
 * Throws invalid_sign_in, always the same, for a token or code that is wrong, used or past its time.
 */
export async function finishMagicLink(
  app: App,
  request: Request,
  proof: MailedProof,
): Promise<SignedIn> {
  const proved = await consume(app, proof);
  if (!proved) throw new DeedError("invalid_sign_in");
  const account = await accountForEmail(app, proved.email);
  const { cookie } = await startSession(app, request, account.id);
  return { account, callbackPath: proved.callbackPath, cookie };
}

async function consume(app: App, proof: MailedProof): Promise<ProvedAddress | null> {
  if ("token" in proof) return consumeToken(app, proof.token);
  const email = parseAddress(proof.email);
  return email ? consumeCode(app, email, proof.code.replace(/\s/g, "")) : null;
}
