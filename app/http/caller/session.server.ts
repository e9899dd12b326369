import { eq, lte, sql } from "drizzle-orm";
import {
  type Account,
  AccountRefused,
  logAccountEvent,
  type Person,
  readAccount,
  voidSignInLinks,
} from "#app/core/accounts/accounts.server.ts";
import { commit } from "#app/core/commit.server.ts";
import type { TxContext } from "#app/core/context.server.ts";
import { DeedError } from "#app/core/errors.server.ts";
import { newId } from "#app/core/ids.server.ts";
import { type App, getApp } from "#app/http/app.server.ts";
import { formOf } from "#app/http/body.server.ts";
import { connectionOf } from "#app/http/connection.server.ts";
import { chargeAccount } from "#app/http/limits.server.ts";
import { count } from "#app/http/metrics.server.ts";
import { throwPage } from "#app/http/page-errors.server.ts";
import { json, redirect } from "#app/remix/node.server.ts";
import { prepared, type Tx, write } from "#db/client.ts";
import { people, sessions } from "#db/schema.ts";
import {
  hashSecret,
  newSecret,
  rememberBrowser,
  sessionCookie,
  sessionToken,
} from "./cookies.server.ts";

export type RefusalReason =
  | "unknown_link"
  | "expired"
  | "wrong_code"
  | "too_many_tries"
  | "other_browser"
  | "provider"
  | "account"
  | "rate_limited"
  | "sign_up"
  | "disabled";

export type SignInMethod = "mail" | "link" | "code" | "provider";

/** An invalid_sign_in error whose reason is for the log and not for the client. */
export class SignInRefused extends DeedError {
  /** `detail` is for the operator; it must not contain tokens or codes, and mail addresses only masked. */
  constructor(
    readonly reason: RefusalReason,
    readonly detail?: string,
  ) {
    super("invalid_sign_in");
  }
}

/** Operators block clients by this line (docs/operate/monitoring.md): one line per refusal, with the client first. */
export function logRefusal(
  app: Pick<App, "log">,
  client: string,
  method: SignInMethod,
  reason: RefusalReason,
  detail?: string,
): void {
  count("deed_sign_ins_refused_total", { by: method, reason });
  app.log.warn({ client, by: method, reason, ...(detail ? { detail } : {}) }, "sign-in refused");
}

export async function loggingRefusal<T>(
  app: Pick<App, "log">,
  client: string,
  by: SignInMethod,
  step: () => Promise<T>,
): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof SignInRefused) logRefusal(app, client, by, error.reason, error.detail);
    else if (error instanceof AccountRefused && error.reason !== "identity")
      logRefusal(app, client, by, error.reason);
    else if (error instanceof DeedError) {
      if (error.code === "rate_limited") logRefusal(app, client, by, "rate_limited");
      if (error.code === "invalid_sign_in") logRefusal(app, client, by, "account", error.message);
    }
    throw error;
  }
}

/** `expiresAt` is in epoch milliseconds, 30 days after the session's last use. */
export type Session = Person & { id: string; expiresAt: number };

export const SESSION_LIFETIME_MS = 30 * 24 * 3_600_000;
const LIFETIME_SECONDS = SESSION_LIFETIME_MS / 1000;
const TOUCH_EVERY_MS = 3_600_000;
const MAX_USER_AGENT = 200;

const sessionByToken = prepared((db) => {
  const { id, personId, lastUsedAt, expiresAt } = sessions;
  const { accountId, email } = people;
  return db
    .select({ id, personId, accountId, email, lastUsedAt, expiresAt })
    .from(sessions)
    .innerJoin(people, eq(people.id, personId))
    .where(sql`token_hash = ${sql.placeholder("hash")} and expires_at > ${sql.placeholder("now")}`);
});

export async function sessionOf(request: Request): Promise<Session | null> {
  const app = getApp();
  const connection = connectionOf(request);
  const token = await sessionToken(app.env, request);
  if (!token) return null;
  const now = app.clock();
  const row = sessionByToken(app.db).get({ hash: hashSecret(token), now });
  if (!row) return null;
  const { lastUsedAt, ...session } = row;
  if (now - lastUsedAt < TOUCH_EVERY_MS) return session;
  const expiresAt = now + SESSION_LIFETIME_MS;
  const lastUseWritten = write(app.db, (tx) => {
    const isUnchanged = sql`id = ${row.id} and last_used_at = ${lastUsedAt}`;
    tx.update(sessions).set({ lastUsedAt: now, expiresAt }).where(isUnchanged).run();
    setLastSeen(tx, row.personId, now);
  });
  connection.setCookie(await sessionCookie(app.env, token, LIFETIME_SECONDS));
  // The write is not awaited, because the session is valid even while the database is busy or read-only.
  lastUseWritten.catch((error: unknown) =>
    app.log.debug({ err: error }, "the last use of a session could not be written"),
  );
  return { ...session, expiresAt };
}

/** Returns the account that a session cookie signs in to, without counting as a use of the session. */
export async function accountOfCookies(app: App, cookies: string): Promise<string | null> {
  const token = await sessionToken(app.env, { headers: new Headers({ Cookie: cookies }) });
  const row = token && sessionByToken(app.db).get({ hash: hashSecret(token), now: app.clock() });
  return row ? row.accountId : null;
}

const FIELDS_OF_EVERY_FORM = ["intent", "at"];
const TYPED_FIELDS = /^(domains?|reference|name|addresses|url|email|title|requestedFor|returnUrl)$/;

/** Reads a page's session, on a call's budgets. Throws a redirect to sign in, a page with the text, or rate_limited. */
export async function requireSession(request: Request): Promise<Session> {
  const session = await sessionOf(request);
  if (session) {
    await chargeAccount(getApp(), session.accountId).catch(throwPage);
    return session;
  }
  const { pathname, search } = new URL(request.url);
  const isReadOnly = request.method === "GET" || request.method === "HEAD";
  const fields = isReadOnly ? [] : [...((await formOf(request).catch(() => null)) ?? [])];
  const entered = fields.filter(([name, text]) => text && !FIELDS_OF_EVERY_FORM.includes(name));
  const typed = entered.filter(([name]) => TYPED_FIELDS.test(name)).map(([, text]) => text);
  if (entered.length > 0) throw json({ place: pathname + search, fields, typed }, { status: 401 });
  // A form posts to its own page, with a query that belongs to the form.
  const nextPath = isReadOnly ? pathname + search : pathname;
  throw redirect(`/sign-in?next=${encodeURIComponent(nextPath)}`, { status: 303 });
}

const setLastSeen = (tx: Tx, personId: string, at: number) =>
  tx.update(people).set({ lastSeenAt: at }).where(eq(people.id, personId)).run();

type Find<T> = (tx: Tx, ctx: TxContext) => (T & { account: Account }) | { refused: RefusalReason };

/**
 * Ends this browser's earlier session, and cancels the address's other links and codes. Throws invalid_sign_in if
 * `findAccount` refuses, but keeps its writes; if it throws, nothing is written. Only `cookies[0]` has the token.
 */
export async function startSession<T>(
  app: App,
  request: Request,
  by: "link" | "code" | "provider",
  findAccount: Find<T>,
): Promise<T & { account: Account; cookies: string[] }> {
  const token = newSecret();
  const userAgent = userAgentOf(request);
  const previousToken = await sessionToken(app.env, request);
  const signIn = await commit(app, (tx, ctx, now) => {
    const found = findAccount(tx, ctx);
    if ("refused" in found) return found;
    const { id, person } = found.account;
    tx.delete(sessions).where(lte(sessions.expiresAt, now)).run();
    if (previousToken) endSessionOfToken(tx, previousToken, now);
    voidSignInLinks(tx, person.email);
    logAccountEvent(tx, id, `signed_in_by_${by}`, now, { email: person.email, userAgent });
    setLastSeen(tx, person.id, now);
    const times = { createdAt: now, lastUsedAt: now, expiresAt: now + SESSION_LIFETIME_MS };
    const holder = { personId: person.id, tokenHash: hashSecret(token), userAgent };
    const row = { id: newId("ses", now), ...holder, ...times };
    tx.insert(sessions).values(row).run();
    return found;
  });
  if ("refused" in signIn) throw new SignInRefused(signIn.refused);
  app.log.info({ by, account: signIn.account.id }, "signed in");
  const session = await sessionCookie(app.env, token, LIFETIME_SECONDS);
  const browserCookie = await rememberBrowser(app, request, signIn.account.person.email);
  return { ...signIn, cookies: [session, browserCookie] };
}

/** Ends a session and returns its account's id; null if there is no such session. */
export function endSessionOfToken(tx: Tx, token: string, now: number): string | null {
  const isOfToken = eq(sessions.tokenHash, hashSecret(token));
  const ended = tx.delete(sessions).where(isOfToken).returning().get();
  const account = ended && readAccount({ db: tx }, ended.personId);
  if (!account) return null;
  const { email } = account.person;
  logAccountEvent(tx, account.id, "signed_out", now, { email, userAgent: ended.userAgent });
  return account.id;
}

export const userAgentOf = (request: Request) =>
  (request.headers.get("User-Agent") ?? "").replace(/[^\x20-\x7e]/g, "").slice(0, MAX_USER_AGENT);
