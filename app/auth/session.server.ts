import { redirect } from "@remix-run/node";
import { and, desc, eq, gt, lte, sql } from "drizzle-orm";
import { type App, getApp } from "#app/http/app.server.ts";
import { connectionOf } from "#app/http/connection.server.ts";
import { DeedError } from "#app/services/errors.server.ts";
import { wakeFollowers } from "#app/services/events.server.ts";
import { newId } from "#app/services/ids.server.ts";
import { prepared, write } from "#db/client.ts";
import { accounts, sessions } from "#db/schema.ts";
import { HOME_PATH } from "./callback-path.ts";
import { hashSecret, newSecret } from "./secrets.server.ts";
import { clearedSessionCookie, sessionCookie, sessionToken } from "./session-cookie.server.ts";

/** A signed-in browser. `expiresAt`: epoch milliseconds, 30 days after its last use. */
export type Session = { id: string; accountId: string; email: string; expiresAt: number };

export const SESSION_LIFETIME_MS = 30 * 24 * 3_600_000;
/** A session in use is written down once in this time, so that reads stay reads. */
const TOUCH_EVERY_MS = 3_600_000;
const LONGEST_USER_AGENT = 200;

const byToken = prepared((db) =>
  db
    .select({
      id: sessions.id,
      accountId: sessions.accountId,
      email: accounts.email,
      lastUsedAt: sessions.lastUsedAt,
      expiresAt: sessions.expiresAt,
    })
    .from(sessions)
    .innerJoin(accounts, eq(accounts.id, sessions.accountId))
    .where(
      and(
        eq(sessions.tokenHash, sql.placeholder("hash")),
        gt(sessions.expiresAt, sql.placeholder("now")),
      ),
    )
    .prepare(),
);

const asked = new WeakMap<Request, Promise<Session | null>>();

/** The session the request's cookie stands for, read once a Request; null without a valid one. */
export function sessionOf(request: Request): Promise<Session | null> {
  const known = asked.get(request);
  if (known) return known;
  const session = readSession(getApp(), request);
  asked.set(request, session);
  return session;
}

async function readSession(app: App, request: Request): Promise<Session | null> {
  const token = sessionToken(app.env, request);
  if (!token) return null;
  const now = app.clock();
  const row = byToken(app.db).get({ hash: hashSecret(token), now });
  if (!row) return null;
  const { lastUsedAt, ...session } = row;
  if (now - lastUsedAt < TOUCH_EVERY_MS) return session;
  const expiresAt = now + SESSION_LIFETIME_MS;
  const touched = write(app.db, (tx) =>
    tx
      .update(sessions)
      .set({ lastUsedAt: now, expiresAt })
      .where(and(eq(sessions.id, row.id), eq(sessions.lastUsedAt, lastUsedAt)))
      .run(),
  );
  connectionOf(request).setCookie(sessionCookie(app.env, token, SESSION_LIFETIME_MS / 1000));
  // Not awaited: a database that is busy, or takes no writes, still knows who is signed in.
  touched.catch((error: unknown) =>
    app.log.debug({ err: error }, "a session's use could not be written down"),
  );
  return { ...session, expiresAt };
}

/** For pages: the session, or a redirect to the sign-in page that leads back here. */
export async function requireSession(request: Request): Promise<Session> {
  const session = await sessionOf(request);
  if (session) return session;
  const { pathname, search } = new URL(request.url);
  const isRead = request.method === "GET" || request.method === "HEAD";
  const back = isRead ? pathname + search : HOME_PATH;
  throw redirect(`/sign-in?next=${encodeURIComponent(back)}`, { status: 303 });
}

/**
 * Starts a session for the account and ends the one this browser held before.
 * `cookie` is the Set-Cookie value that hands it over: the only copy of its token.
 */
export async function startSession(
  app: App,
  request: Request,
  accountId: string,
): Promise<{ cookie: string }> {
  const token = newSecret();
  const before = sessionToken(app.env, request);
  const now = app.clock();
  await write(app.db, (tx) => {
    tx.delete(sessions).where(lte(sessions.expiresAt, now)).run();
    if (before)
      tx.delete(sessions)
        .where(eq(sessions.tokenHash, hashSecret(before)))
        .run();
    tx.insert(sessions)
      .values({
        id: newId("ses", now),
        accountId,
        tokenHash: hashSecret(token),
        userAgent: userAgentOf(request),
        createdAt: now,
        lastUsedAt: now,
        expiresAt: now + SESSION_LIFETIME_MS,
      })
      .run();
  });
  return { cookie: sessionCookie(app.env, token, SESSION_LIFETIME_MS / 1000) };
}

const userAgentOf = (request: Request) =>
  (request.headers.get("User-Agent") ?? "")
    .replace(/[^\x20-\x7e]/g, "")
    .slice(0, LONGEST_USER_AGENT);

/** Ends the session the request holds, if it holds one. `cookie` takes it out of the browser. */
export async function endSession(app: App, request: Request): Promise<{ cookie: string }> {
  const token = sessionToken(app.env, request);
  if (token) {
    const ended = await write(app.db, (tx) =>
      tx
        .delete(sessions)
        .where(eq(sessions.tokenHash, hashSecret(token)))
        .returning({ accountId: sessions.accountId })
        .get(),
    );
    if (ended) {
      app.log.info({ account: ended.accountId }, "signed out");
      wakeFollowers(app.db, ended.accountId);
    }
  }
  return { cookie: clearedSessionCookie(app.env) };
}

/** Ends every session of the account, this one included. */
export async function endAllSessions(app: App, accountId: string): Promise<{ cookie: string }> {
  await write(app.db, (tx) => tx.delete(sessions).where(eq(sessions.accountId, accountId)).run());
  app.log.info({ account: accountId }, "signed out everywhere");
  wakeFollowers(app.db, accountId);
  return { cookie: clearedSessionCookie(app.env) };
}

/** Ends one session of the account. Throws session_not_found. */
export async function endSessionById(app: App, accountId: string, id: string): Promise<void> {
  const { changes } = await write(app.db, (tx) =>
    tx
      .delete(sessions)
      .where(and(eq(sessions.id, id), eq(sessions.accountId, accountId)))
      .run(),
  );
  if (changes === 0) throw new DeedError("session_not_found");
  app.log.info({ account: accountId, session: id }, "session ended");
  wakeFollowers(app.db, accountId);
}

/** A session as its account may see it. Instants in epoch milliseconds. */
export type ListedSession = Pick<
  typeof sessions.$inferSelect,
  "id" | "userAgent" | "createdAt" | "lastUsedAt" | "expiresAt"
>;

/** The account's sessions that stand, last used first. */
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
