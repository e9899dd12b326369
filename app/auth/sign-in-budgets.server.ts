import type { App } from "#app/http/app.server.ts";
import { networkOf } from "#app/http/forwarded.server.ts";
import { consumeBudget } from "#app/http/limits.server.ts";
import { mailboxOf } from "./address.ts";
import { knownBrowser } from "./known-browser.server.ts";

/**
 * Draws on the budgets of mails to an address. Strangers have one for each network they ask from, and all of
 * them together the mailbox's; a browser that signed in to the address before has both to itself.
 * `client` is the address that asks. Throws rate_limited.
 */
export async function consumeMailBudget(
  app: App,
  request: Request,
  client: string,
  email: string,
): Promise<void> {
  const mailbox = mailboxOf(email);
  const known = knownBrowser(app, request, email);
  if (known) {
    await consumeBudget(app, "knownMailAddress", `${mailbox} ${known}`);
    await consumeBudget(app, "knownMailbox", `${mailbox} ${known}`);
  } else {
    await consumeBudget(app, "mailAddress", `${mailbox} ${networkOf(client)}`);
    await consumeBudget(app, "mailbox", mailbox);
  }
}
