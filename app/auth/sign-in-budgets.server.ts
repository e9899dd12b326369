import type { App } from "#app/http/app.server.ts";
import { networkOf } from "#app/http/forwarded.server.ts";
import { consumeBudgets } from "#app/http/limits.server.ts";
import { mailboxOf } from "./address.ts";
import { knownBrowser } from "./known-browser.server.ts";

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
