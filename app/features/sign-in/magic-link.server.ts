import { findOrOpenAccount, signInRefusal } from "#app/core/accounts/accounts.server.ts";
import { maskEmail } from "#app/core/accounts/mask.ts";
import { DeedError } from "#app/core/errors.server.ts";
import { sendSignInMail } from "#app/core/mail/mail.server.ts";
import { mailboxOf, parseAddress } from "#app/core/names/address.ts";
import { signInMail } from "#app/features/notices/mail-texts.ts";
import type { App } from "#app/http/app.server.ts";
import {
  bindToBrowser,
  isCode,
  knownBrowser,
  pendingSignIn,
  rememberBrowser,
  type SignedIn,
} from "#app/http/caller/cookies.server.ts";
import {
  loggingRefusal,
  logRefusal,
  startSession,
  userAgentOf,
} from "#app/http/caller/session.server.ts";
import { networkOf } from "#app/http/connection.server.ts";
import { consumeBudgets } from "#app/http/limits.server.ts";
import { safeCallbackPath } from "./callback-path.ts";
import {
  type Consume,
  consumeCode,
  consumeToken,
  issueLink,
  LINK_LIFETIME_MS,
} from "./sign-in-links.server.ts";

/** The canonical form of a typed address. Throws invalid_request. */
export function addressIn(typed: string): string {
  const email = parseAddress(typed);
  if (email) return email;
  const message = 'The field "email" is not an email address.';
  throw new DeedError("invalid_request", { message });
}

/**
 * Draws on the budgets for mail: the client's, and those of the address. Strangers share one budget per requesting
 * network and one per mailbox; a browser that has signed in to the address before has its own pair. `client` is the
 * requesting address. Throws rate_limited.
 */
export async function consumeMailBudgets(
  app: App,
  request: Request,
  client: string,
  email: string,
): Promise<void> {
  const mailbox = mailboxOf(email);
  const known = await knownBrowser(app, request, email);
  const ofAddress = known
    ? { knownMailAddress: `${mailbox} ${known}`, knownMailbox: `${mailbox} ${known}` }
    : { mailAddress: `${mailbox} ${networkOf(client)}`, mailbox };
  await consumeBudgets(app, { mailIp: client, ...ofAddress });
}

/**
 * Mails a sign-in link and code to the address, if it may sign in. For any other address all but the sending is done
 * too, so that neither the answer nor the time it takes tells which may. `client` is the requesting address. `cookie`
 * is a Set-Cookie value; the code works only with it. Throws invalid_request if the address is invalid, rate_limited.
 */
export async function startMagicLink(
  app: App,
  request: Request,
  client: string,
  input: { email: string; callbackPath?: string | undefined },
): Promise<{ cookie: string }> {
  const email = addressIn(input.email);
  await loggingRefusal(app, client, "mail", () => consumeMailBudgets(app, request, client, email));
  const { browserHash, cookie } = await bindToBrowser(app, request, email);
  const { baseUrl } = app.settings;
  const refusal = signInRefusal(app, email);
  const callbackPath = safeCallbackPath(baseUrl, input.callbackPath);
  const link = await issueLink(app, { email, callbackPath, browserHash });
  const words = signInMail({ baseUrl, email, ...link, minutes: LINK_LIFETIME_MS / 60_000 });
  if (refusal === null) void sendSignInMail(app, { to: email, ...words });
  else logRefusal(app, client, "mail", refusal, maskEmail(email));
  return { cookie };
}

/** What was mailed: the link's token, or the code with the address it was sent to. */
export type MailedCredential = { token: string } | { email: string; code: string };

/**
 * Signs in the holder of a mailed token or code, creating the account on its first sign-in, all in one transaction.
 * `client` is the requesting address. Throws the same invalid_sign_in for a token or code that is wrong, used or
 * expired, and for a code entered in another browser than the one that requested it; the log has the reason.
 */
export async function finishMagicLink(
  app: App,
  request: Request,
  client: string,
  credential: MailedCredential,
): Promise<SignedIn> {
  const { authenticate } = await import("./authenticator.server.ts");
  const by = "token" in credential ? "link" : "code";
  return loggingRefusal(app, client, by, () =>
    authenticate(app, "mail", request, async () => {
      const consume = await consumptionOf(app, request, credential);
      const { account, callbackPath, cookie } = await startSession(app, request, by, (tx, ctx) => {
        const link = consume(tx, ctx);
        if ("refused" in link) return link;
        return {
          account: findOrOpenAccount(ctx, tx, link.email),
          callbackPath: link.callbackPath,
        };
      });
      const cookies = [cookie, await rememberBrowser(app, request, account.person.email)];
      return { account, callbackPath, cookies };
    }),
  );
}

async function consumptionOf(
  app: App,
  request: Request,
  credential: MailedCredential,
): Promise<Consume> {
  if ("token" in credential) return consumeToken(credential.token);
  const email = parseAddress(credential.email);
  const code = credential.code.replace(/\s/g, "");
  const pending = await pendingSignIn(app, request);
  if (!pending) return () => ({ refused: "other_browser" });
  if (!email || !isCode(code)) return () => ({ refused: "wrong_code" });
  const { browserHash } = pending;
  const userAgent = userAgentOf(request);
  return consumeCode(app.secrets, { email, browserHash, code, userAgent });
}
