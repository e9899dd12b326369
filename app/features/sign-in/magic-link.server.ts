import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import {
  accountWhere,
  findOrOpenAccount,
  logAccountEvent,
  maskEmail,
  signInRefusal,
} from "#app/core/accounts/accounts.server.ts";
import type { Clock, TxContext } from "#app/core/context.server.ts";
import { invalidField } from "#app/core/errors.server.ts";
import { newId } from "#app/core/ids.server.ts";
import { sendRequestedMail } from "#app/core/mail/mail.server.ts";
import { mailboxOf, parseAddress } from "#app/core/names/address.ts";
import { nameToProve } from "#app/core/names/prove-path.ts";
import { renderMail } from "#app/features/notices/mail-texts.ts";
import type { App } from "#app/http/app.server.ts";
import {
  bindToBrowser,
  codeMatches,
  hashCode,
  hashSecret,
  isCode,
  knownBrowserId,
  newCode,
  newSecret,
  pendingSignIn,
  type SignedIn,
} from "#app/http/caller/cookies.server.ts";
import {
  loggingRefusal,
  logRefusal,
  type RefusalReason,
  startSession,
  userAgentOf,
} from "#app/http/caller/session.server.ts";
import { networkOf } from "#app/http/connection.server.ts";
import { type Db, type Tx, write } from "#db/client.ts";
import { signInLinks } from "#db/schema.ts";

export const LINK_LIFETIME_MS = 15 * 60_000;
/** The latest valid expiry of a link: a later one was set while the clock was ahead. */
const MAX_LIFETIME_MS = LINK_LIFETIME_MS + 60_000;
/** The most wrong codes per link; a database constraint has the same limit. */
export const MAX_CODE_TRIES = 5;

/** A link's canonical address, and the path to go to after signing in. `browserHash` is null if it was not mailed. */
type Link = { email: string; callbackPath: string; browserHash: string | null };

/** A function that finds a link, in the same transaction that starts the session. */
type FindLink = (tx: Tx, ctx: TxContext) => LinkRow | { refused: RefusalReason };
type LinkRow = typeof signInLinks.$inferSelect;

const isInTime = (now: number) =>
  sql`(${signInLinks.expiresAt} > ${now} and ${signInLinks.expiresAt} <= ${now + MAX_LIFETIME_MS})`;
/** Whether a link has neither expired nor been used. A sign-in deletes all other links of its address. */
const isOpen = (now: number) => sql`(${isInTime(now)} and ${signInLinks.consumedAt} is null)`;

/** Writes a link for an address and for the browser that asks, if any; deletes expired links. Stores only hashes. */
export async function issueLink(app: Pick<App, "db" | "clock" | "secrets">, link: Link) {
  const token = newSecret();
  const code = newCode();
  const now = app.clock();
  const id = newId("lnk", now);
  const hashes = { tokenHash: hashSecret(token), codeHash: hashCode(app.secrets, id, code) };
  await write(app.db, (tx) => {
    const isOver = sql`not ${isInTime(now)}`;
    tx.delete(signInLinks).where(isOver).run();
    const times = { createdAt: now, expiresAt: now + LINK_LIFETIME_MS };
    tx.insert(signInLinks)
      .values({ id, ...link, ...hashes, ...times })
      .run();
  });
  return { token, code };
}

const isOfToken = (token: string) => eq(signInLinks.tokenHash, hashSecret(token));

/** Returns the link of a token, and does not use it up; null if it was used or has expired. */
export function readLink({ db, clock }: { db: Db | Tx; clock: Clock }, token: string) {
  const isThisLink = and(isOfToken(token), isOpen(clock()));
  return db.select().from(signInLinks).where(isThisLink).get() ?? null;
}

const newestLink = (db: Db | Tx, email: string, browserHash: string, condition: SQL) =>
  db
    .select()
    .from(signInLinks)
    .where(and(eq(signInLinks.email, email), eq(signInLinks.browserHash, browserHash), condition))
    .orderBy(desc(signInLinks.createdAt), desc(signInLinks.id))
    .get();

/** The time that a tab waits for its link to be used. */
const MAX_TAB_WAIT_MS = 10 * 60_000;

/**
 * Tells of the newest link that a browser asked for where it led, if it was used, and whether its tab still waits. Links of
 * other browsers do not count, so nobody learns when the owner of an address signs in.
 */
export function linkState(
  { db, clock }: App,
  { email, browserHash }: { email: string; browserHash: string },
): { usedFor: string | null; isAwaited: boolean } {
  const now = clock();
  const link = newestLink(db, email, browserHash, isInTime(now));
  if (!link) return { usedFor: null, isAwaited: false };
  if (link.consumedAt !== null) return { usedFor: link.callbackPath, isAwaited: false };
  return { usedFor: null, isAwaited: now - link.createdAt < MAX_TAB_WAIT_MS };
}

const findByToken =
  (token: string): FindLink =>
  (tx, { clock }) => {
    const link = readLink({ db: tx, clock }, token);
    if (link) return link;
    const endedLink = tx.select().from(signInLinks).where(isOfToken(token)).get();
    return { refused: endedLink?.consumedAt === null ? "expired" : "unknown_link" };
  };

/** Finds the newest open link that this browser asked for. Counts the try in the transaction that compares the code. */
async function findByCode(app: App, request: Request, typed: MailedCode): Promise<FindLink> {
  const email = parseAddress(typed.email);
  const code = typed.code.replace(/\s/g, "");
  const pending = await pendingSignIn(app, request);
  if (!pending) return () => ({ refused: "other_browser" });
  if (!email || !isCode(code)) return () => ({ refused: "wrong_code" });
  return (tx, { clock }) => {
    const now = clock();
    const link = newestLink(tx, email, pending.browserHash, isOpen(now));
    if (!link) return { refused: "expired" };
    const { id, codeTries, codeHash } = link;
    if (codeTries >= MAX_CODE_TRIES) return { refused: "too_many_tries" };
    if (codeMatches(app.secrets, id, code, codeHash)) return link;
    const triesColumns = { codeTries: codeTries + 1 };
    tx.update(signInLinks).set(triesColumns).where(eq(signInLinks.id, id)).run();
    const account = accountWhere(tx, { email });
    const details = { email, userAgent: userAgentOf(request) };
    if (account) logAccountEvent(tx, account.id, "code_refused", now, details);
    return { refused: "wrong_code" };
  };
}

/** Where a sign-in leads if no path was asked for, or an unsafe one. */
export const HOME_PATH = "/domains";

const MAX_PATH = 1024;

/** Returns the path to go to after signing in; HOME_PATH if the requested one could lead to another origin. */
export function safeCallbackPath(baseUrl: string, requested: string | null | undefined): string {
  if (!requested || requested.length > MAX_PATH || !/^\/[^\p{Cc}\\]*$/u.test(requested))
    return HOME_PATH;
  if (!URL.canParse(requested, baseUrl)) return HOME_PATH;
  const url = new URL(requested, baseUrl);
  const path = url.pathname + url.search + url.hash;
  // Removing dot segments can leave a path to another host: /.//evil.example becomes //evil.example.
  if (url.origin !== new URL(baseUrl).origin || path.startsWith("//")) return HOME_PATH;
  return path;
}

/** Reads an address. Throws invalid_request. */
export function addressIn(typed: string): string {
  const email = parseAddress(typed);
  if (email) return email;
  throw invalidField("email", "is not an email address");
}

/** Charges a mail. A browser that has signed in to the address has a budget that strangers cannot use up. */
export async function consumeMailBudgets(
  app: App,
  request: Request,
  client: string,
  email: string,
): Promise<void> {
  const mailbox = mailboxOf(email);
  const browserId = await knownBrowserId(app, request, email);
  const addressKeys = browserId
    ? { knownMailAddress: `${mailbox} ${browserId}`, knownMailbox: `${mailbox} ${browserId}` }
    : { mailAddress: `${mailbox} ${networkOf(client)}`, mailbox };
  app.limiter.consume({ mailIp: client, ...addressKeys });
}

type SignInFacts = Record<"baseUrl" | "email" | "token" | "code", string> & {
  /** The domain that this sign-in will prove; empty if there is none, or if a stranger may have chosen it. */
  proving: string;
  minutes: number;
};

/** Writes the sign-in mail, with a code for the browser that asked. `baseUrl` is the only origin for links. */
export const signInMail = ({ baseUrl, email, token, code, proving, minutes }: SignInFacts) =>
  renderMail(
    `${code} is your Deed code`,
    [
      `Sign in to Deed as ${email}${proving ? ` and prove ${proving}` : ""}.`,
      { label: "Sign in", url: `${baseUrl}/sign-in/confirm?token=${encodeURIComponent(token)}` },
      "Or type this code in the browser where you asked for it:",
      { verbatim: code },
      `Use the latest email. Its link and code work once, within ${minutes} minutes.`,
    ],
    ["If you did not ask for this, ignore this email. Never share the code: we never ask for it."],
  );

/**
 * Mails a link and code if the address may sign in. Otherwise does all except sending, so that neither the answer nor its
 * time shows which. The code only works with `cookie`. Throws invalid_request, rate_limited.
 */
export async function startMagicLink(
  app: App,
  request: Request,
  client: string,
  input: { email: string; callbackPath?: string | undefined },
): Promise<{ cookie: string }> {
  const email = addressIn(input.email);
  await loggingRefusal(app, client, "mail", () => consumeMailBudgets(app, request, client, email));
  const { browserHash, cookie } = await bindToBrowser(app, request, email);
  const { baseUrl } = app.settings;
  const refusal = signInRefusal(app, email);
  const callbackPath = safeCallbackPath(baseUrl, input.callbackPath);
  const link = await issueLink(app, { email, callbackPath, browserHash });
  const minutes = LINK_LIFETIME_MS / 60_000;
  const name = nameToProve(callbackPath) ?? "";
  // A stranger may have typed this address together with their own domain: name it only on the link's page.
  const hasDomain = app.db.get(sql`select 1 from people join domains using (account_id)
    where people.email = ${email} and domains.name = ${name}`);
  const proving = hasDomain || (await knownBrowserId(app, request, email)) ? name : "";
  const mail = signInMail({ baseUrl, email, ...link, proving, minutes });
  if (refusal === null) void sendRequestedMail(app, { to: email, ...mail });
  else logRefusal(app, client, "mail", refusal, maskEmail(email));
  return { cookie };
}

type MailedCode = { email: string; code: string };
/** A secret of the mail: the link's token, or the code with the address that got it. */
export type MailedCredential = { token: string } | MailedCode;

/** Creates the account at its first sign-in. Throws invalid_sign_in whatever the reason, which is in the log. */
export async function finishMagicLink(
  app: App,
  request: Request,
  client: string,
  credential: MailedCredential,
): Promise<SignedIn> {
  const { authenticate } = await import("./authenticator.server.ts");
  const by = "token" in credential ? "link" : "code";
  return loggingRefusal(app, client, by, () =>
    authenticate(app, "mail", request, async () => {
      const find =
        "token" in credential
          ? findByToken(credential.token)
          : await findByCode(app, request, credential);
      return startSession(app, request, by, (tx, ctx) => {
        const link = find(tx, ctx);
        if ("refused" in link) return link;
        const { id, email, callbackPath, browserHash } = link;
        // The used link stays for the tab that waits for it.
        tx.update(signInLinks).set({ consumedAt: ctx.clock() }).where(eq(signInLinks.id, id)).run();
        const account = findOrOpenAccount(ctx, tx, email, browserHash !== null);
        return { account, callbackPath };
      });
    }),
  );
}
