import { and, desc, eq, gt } from "drizzle-orm";
import type { App } from "#app/http/app.server.ts";
import { logAccountEvent } from "#app/services/accounts/account-events.server.ts";
import { voidSignInLinks } from "#app/services/accounts/accounts.server.ts";
import { DeedError } from "#app/services/errors.server.ts";
import { wakeSubscribers } from "#app/services/feed/events.server.ts";
import { write } from "#db/client.ts";
import { sessions } from "#db/schema.ts";
import { endSessionOfToken } from "./session.server.ts";
import { clearedSessionCookie, sessionToken } from "./session-cookie.server.ts";

/** Ends the request's session, if it has one. `cookie` clears it from the browser. */
export async function endSession(app: App, request: Request): Promise<{ cookie: string }> {
  const token = sessionToken(app.env, request);
  const accountId =
    token && (await write(app.db, (tx) => endSessionOfToken(tx, token, app.clock())));
  if (accountId) {
    app.log.info({ account: accountId }, "signed out");
    wakeSubscribers(app.db, accountId);
  }
  return { cookie: clearedSessionCookie(app.env) };
}

/** Ends every session of the account, including this one, and voids the links and codes mailed to its address. */
export async function endAllSessions(app: App, accountId: string): Promise<{ cookie: string }> {
  await write(app.db, (tx) => {
    tx.delete(sessions).where(eq(sessions.accountId, accountId)).run();
    voidSignInLinks(tx, accountId);
    logAccountEvent(tx, accountId, "signed_out_everywhere", app.clock());
  });
  app.log.info({ account: accountId }, "signed out everywhere");
  wakeSubscribers(app.db, accountId);
  return { cookie: clearedSessionCookie(app.env) };
}

/** Ends one session of the account. Throws session_not_found. */
export async function endSessionById(app: App, accountId: string, id: string): Promise<void> {
  await write(app.db, (tx) => {
    const ended = tx
      .delete(sessions)
      .where(and(eq(sessions.id, id), eq(sessions.accountId, accountId)))
      .returning({ userAgent: sessions.userAgent })
      .get();
    if (!ended) throw new DeedError("session_not_found");
    logAccountEvent(tx, accountId, "session_ended", app.clock(), ended);
  });
  app.log.info({ account: accountId, session: id }, "session ended");
  wakeSubscribers(app.db, accountId);
}

/** A session as shown to its account. Times are in epoch milliseconds. */
export type ListedSession = Pick<
  typeof sessions.$inferSelect,
  "id" | "userAgent" | "createdAt" | "lastUsedAt" | "expiresAt"
>;

/** The account's active sessions, last used first. */
export function listSessions(app: App, accountId: string): ListedSession[] {
  return app.db
    .select({
      id: sessions.id,
      userAgent: sessions.userAgent,
      createdAt: sessions.createdAt,
      lastUsedAt: sessions.lastUsedAt,
      expiresAt: sessions.expiresAt,
    })
    .from(sessions)
    .where(and(eq(sessions.accountId, accountId), gt(sessions.expiresAt, app.clock())))
    .orderBy(desc(sessions.lastUsedAt), desc(sessions.id))
    .all();
}
