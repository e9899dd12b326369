import { and, desc, eq, gt, sql } from "drizzle-orm";
import {
  logAccountEvent,
  type Person,
  voidSignInLinks,
} from "#app/core/accounts/accounts.server.ts";
import type { Context } from "#app/core/context.server.ts";
import { DeedError } from "#app/core/errors.server.ts";
import { iso } from "#app/core/time.ts";
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

/** Ends every session of the person, and voids the links and codes mailed to their address. */
export async function endAllSessions(ctx: Context, person: Person): Promise<void> {
  const { accountId, personId, email } = person;
  await write(ctx.db, (tx) => {
    tx.delete(sessions).where(eq(sessions.personId, personId)).run();
    voidSignInLinks(tx, email);
    logAccountEvent(tx, accountId, "signed_out_everywhere", ctx.clock(), { email });
  });
  ctx.log.info({ account: accountId }, "signed out everywhere");
  ctx.feed.wake(accountId);
}

export async function endSessionById(app: App, person: Person, id: string): Promise<void> {
  const { accountId, personId, email } = person;
  await write(app.db, (tx) => {
    const ended = tx
      .delete(sessions)
      .where(and(eq(sessions.id, id), eq(sessions.personId, personId)))
      .returning({ userAgent: sessions.userAgent })
      .get();
    if (!ended) throw new DeedError("session_not_found");
    logAccountEvent(tx, accountId, "session_ended", app.clock(), { email, ...ended });
  });
  app.log.info({ account: accountId, session: id }, "session ended");
  app.feed.wake(accountId);
}

export function listSessions(ctx: Context, personId: string, current: string) {
  return ctx.db
    .select()
    .from(sessions)
    .where(and(eq(sessions.personId, personId), gt(sessions.expiresAt, ctx.clock())))
    .orderBy(desc(sessions.lastUsedAt), desc(sessions.id))
    .all()
    .map(({ id, userAgent, createdAt, lastUsedAt, expiresAt }) => ({
      id,
      userAgent,
      current: id === current,
      createdAt: iso(createdAt),
      lastUsedAt: iso(lastUsedAt),
      expiresAt: iso(expiresAt),
    }));
}

const activeByIds = prepared((db) =>
  db
    .select({ id: sessions.id })
    .from(sessions)
    .where(
      sql`${sessions.id} in (select value from json_each(${sql.placeholder("ids")})) and ${sessions.expiresAt} > ${sql.placeholder("now")}`,
    ),
);

/** Does not extend them. */
export function activeSessions(ctx: Context, ids: Iterable<string>): Set<string> {
  const rows = activeByIds(ctx.db).all({
    ids: JSON.stringify([...new Set(ids)]),
    now: ctx.clock(),
  });
  return new Set(rows.map(({ id }) => id));
}
