import type { App } from "#app/http/app.server.ts";
import { networkOf } from "#app/http/forwarded.server.ts";
import { consumeBudget } from "#app/http/limits.server.ts";
import { mailboxOf } from "./address.ts";
import { knownBrowser } from "./known-browser.server.ts";

/**
 * Draws on the budgets for mail to an address. Strangers share one budget per requesting network and one per mailbox; a
 * browser that has signed in to the address before has its own pair. `client` is the requesting address. Throws
 * rate_limited.
 */
export async function consumeMailBudget(
  app: App,
  request: Request,
  client: string,
  email: string,
): Promise<void> {
  const mailbox = mailboxOf(email);
  const known = await knownBrowser(app, request, email);
  if (known) {
    await consumeBudget(app, "knownMailAddress", `${mailbox} ${known}`);
    await consumeBudget(app, "knownMailbox", `${mailbox} ${known}`);
  } else {
    await consumeBudget(app, "mailAddress", `${mailbox} ${networkOf(client)}`);
    await consumeBudget(app, "mailbox", mailbox);
  }
}
