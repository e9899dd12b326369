import type { App } from "#app/http/app.server.ts";
import { deleteAccount } from "#app/services/accounts.server.ts";
import type { Session } from "./session.server.ts";
import { clearedSessionCookie } from "./session-cookie.server.ts";
import { forgetLinks } from "./sign-in-links.server.ts";

/** Erases the session's account with everything it owns, links mailed to its address included. */
export async function eraseAccount(app: App, session: Session): Promise<{ cookie: string }> {
  await forgetLinks(app, session.email);
  await deleteAccount(app, session.accountId);
  return { cookie: clearedSessionCookie(app.env) };
}
