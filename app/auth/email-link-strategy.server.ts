import { AuthorizationError } from "remix-auth";
import { EmailLinkStrategy } from "remix-auth-email-link";
import type { App } from "#app/http/app.server.ts";
import { signInMail } from "#app/services/notices/mail-texts.ts";
import { parseAddress } from "./address.ts";
import { newSecret } from "./secrets.server.ts";
import { type AskedLink, issueLink, LINK_LIFETIME_MS } from "./sign-in-links.server.ts";
import { sendSignInMail } from "./sign-in-mail.server.ts";

/**
 * The start of a sign-in by mail. The strategy checks the address and asks for the mail; its own link, which
 * trusts the Host header and may be used twice, is never sent, and no route takes it back.
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
        }),
    },
    // Called at the start too, when nothing is proved: it makes nobody.
    () => Promise.reject(new AuthorizationError("only the link that was mailed signs in")),
  );

async function sendLink(app: App, asked: AskedLink): Promise<void> {
  const { email } = asked;
  const { token, code } = await issueLink(app, asked);
  const words = signInMail({
    baseUrl: app.settings.baseUrl,
    email,
    token,
    code,
    minutes: LINK_LIFETIME_MS / 60_000,
  });
  void sendSignInMail(app, { to: email, ...words });
}
