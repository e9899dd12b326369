import { AuthorizationError } from "remix-auth";
import { EmailLinkStrategy } from "remix-auth-email-link";
import type { App } from "#app/http/app.server.ts";
import { signInRefusal } from "#app/services/accounts/accounts.server.ts";
import { maskEmail } from "#app/services/accounts/mask.ts";
import { signInMail } from "#app/services/notices/mail-texts.ts";
import { parseAddress } from "./address.ts";
import { logRefusal } from "./refusal.server.ts";
import { newSecret } from "./secrets.server.ts";
import { issueLink, LINK_LIFETIME_MS, type LinkRequest } from "./sign-in-links.server.ts";
import { sendSignInMail } from "./sign-in-mail.server.ts";

/**
 * The start of a sign-in by mail. remix-auth-email-link reads the form, has the address validated and the mail sent,
 * and ends in a redirect. It also builds a link, which is discarded: that link trusts the Host header, signs in
 * on GET and can be used twice. Ours is a token and a code, stored as hashes and consumed once, by POST.
 */
export const emailLinkStrategy = <User>(app: App) =>
  new EmailLinkStrategy<User>(
    {
      secret: newSecret(),
      verifyEmailAddress: async (email) => {
        if (parseAddress(email) !== email) throw new AuthorizationError("not a mail address");
      },
      sendEmail: ({ emailAddress, form }) =>
        sendLink(app, {
          email: emailAddress,
          callbackPath: String(form.get("callbackPath")),
          browserHash: String(form.get("browserHash")),
          client: String(form.get("client")),
        }),
    },
    // Also called at the start, when nothing has been proved yet, so it must never return a user.
    () => Promise.reject(new AuthorizationError("only the link that was mailed signs in")),
  );

/**
 * Mails a link and a code. An address that may not sign in gets no mail; everything else is done for it too, so that
 * the time this takes tells nobody which addresses may.
 */
async function sendLink(app: App, request: LinkRequest & { client: string }): Promise<void> {
  const { email, client } = request;
  const refusal = signInRefusal(app, email);
  const { token, code } = await issueLink(app, request);
  const words = signInMail({
    baseUrl: app.settings.baseUrl,
    email,
    token,
    code,
    minutes: LINK_LIFETIME_MS / 60_000,
  });
  if (refusal === null) void sendSignInMail(app, { to: email, ...words });
  else logRefusal(app, client, "mail", refusal, maskEmail(email));
}
