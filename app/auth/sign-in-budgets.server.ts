import type { App } from "#app/http/app.server.ts";
import { networkOf } from "#app/http/forwarded.server.ts";
import { spend } from "#app/http/limits.server.ts";
import { mailboxOf } from "./address.ts";
import { knownBrowser } from "./known-browser.server.ts";

/**
 * Draws on the budgets of mails to an address. Strangers have one for each network they ask from, and all of
 * them together the mailbox's; a browser that signed in to the address before has both to itself.
 * `client` is the address that asks. Throws rate_limited.
 */
export async function spendMail(
  app: App,
  request: Request,
  client: string,
  email: string,
): Promise<void> {
  const mailbox = mailboxOf(email);
  const known = knownBrowser(app, request, email);
  if (known) {
    await spend(app, "knownMailAddress", `${mailbox} ${known}`);
    await spend(app, "knownMailbox", `${mailbox} ${known}`);
  } else {
    await spend(app, "mailAddress", `${mailbox} ${networkOf(client)}`);
    await spend(app, "mailbox", mailbox);
  }
}
