import { and, desc, eq, gt } from "drizzle-orm";
import {
  logAccountEvent,
  type Person,
  voidSignInLinks,
} from "#app/core/accounts/accounts.server.ts";
import type { Context } from "#app/core/context.server.ts";
import { orThrow } from "#app/core/errors.server.ts";
import { isoFields } from "#app/core/time.ts";
import type { App } from "#app/http/app.server.ts";
import { prepared, write } from "#db/client.ts";
import { sessions } from "#db/schema.ts";
import { sessionToken } from "./cookies.server.ts";
import { endSessionOfToken } from "./session.server.ts";

export async function endSession(app: App, request: Request): Promise<void> {
  const token = await sessionToken(app.env, request);
  const accountId =
    token && (await write(app.db, (tx) => endSessionOfToken(tx, token, app.clock())));
  if (accountId) {
    app.log.info({ account: accountId }, "signed out");
    app.feed.wake(accountId);
  }
}

export async function endAllSessions(ctx: Context, { accountId, personId, email }: Person) {
  await write(ctx.db, (tx) => {
    tx.delete(sessions).where(eq(sessions.personId, personId)).run();
    voidSignInLinks(tx, email);
    logAccountEvent(tx, accountId, "signed_out_everywhere", ctx.clock(), { email });
  });
  ctx.log.info({ account: accountId }, "signed out everywhere");
  ctx.feed.wake(accountId);
}

export async function endSessionById(app: App, { accountId, personId, email }: Person, id: string) {
  await write(app.db, (tx) => {
    const isThisSession = and(eq(sessions.id, id), eq(sessions.personId, personId));
    const ended = tx.delete(sessions).where(isThisSession).returning().get();
    const { userAgent } = orThrow(ended, "session_not_found");
    logAccountEvent(tx, accountId, "session_ended", app.clock(), { email, userAgent });
  });
  app.log.info({ account: accountId, session: id }, "session ended");
  app.feed.wake(accountId);
}

export function listSessions(ctx: Context, personId: string, currentId: string) {
  return ctx.db
    .select()
    .from(sessions)
    .where(and(eq(sessions.personId, personId), gt(sessions.expiresAt, ctx.clock())))
    .orderBy(desc(sessions.lastUsedAt), desc(sessions.id))
    .all()
    .map(({ id, userAgent, ...row }) => ({
      ...{ id, userAgent, current: id === currentId },
      ...isoFields(row, "createdAt", "lastUsedAt", "expiresAt"),
    }));
}

/** Selects the sessions that are in force among those with ids in a JSON list. Does not extend them. */
export const activeSessions = prepared((db) =>
  db.$client
    .prepare<[ids: string, now: number], string>(
      "select id from sessions where id in (select value from json_each(?)) and expires_at > ?",
    )
    .pluck(),
);
