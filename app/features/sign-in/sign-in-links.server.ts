import { and, desc, eq, gt, isNull, lte, or } from "drizzle-orm";
import { logAccountEvent } from "#app/core/accounts/account-events.server.ts";
import { accountOfAddress } from "#app/core/accounts/accounts.server.ts";
import type { TxContext } from "#app/core/context.server.ts";
import { newId } from "#app/core/ids.server.ts";
import type { App, Secrets } from "#app/http/app.server.ts";
import {
  codeMatches,
  hashCode,
  hashSecret,
  isSecret,
  newCode,
  newSecret,
} from "#app/http/caller/cookies.server.ts";
import type { RefusalReason } from "#app/http/caller/session.server.ts";
import { type Tx, write } from "#db/client.ts";
import { signInLinks } from "#db/schema.ts";

export const LINK_LIFETIME_MS = 15 * 60_000;
/**
 * The furthest ahead a link may expire. A later expiry means the clock was ahead when the link was issued, and the link
 * would stay valid until real time catches up. One minute allows for small corrections.
 */
const MAX_LIFETIME_MS = LINK_LIFETIME_MS + 60_000;
/** Wrong codes allowed per link; the database has the same number as a constraint. */
export const MAX_CODE_TRIES = 5;

/** What a consumed link proves: that the user reads this mailbox. */
export type VerifiedAddress = { email: string; callbackPath: string };

/** What became of a link or code that was entered. */
export type Consumed = VerifiedAddress | { refused: RefusalReason };

/** What a link is issued from. `browserHash` is the hash of the requesting browser's secret. */
export type LinkRequest = VerifiedAddress & { browserHash: string };

/**
 * Writes a sign-in link for a canonical address and returns its token and six-digit code; only their hashes are stored.
 * The same write deletes links that have expired or expire too far ahead.
 */
export async function issueLink(
  app: Pick<App, "db" | "clock" | "secrets">,
  { email, callbackPath, browserHash }: LinkRequest,
): Promise<{ token: string; code: string }> {
  const token = newSecret();
  const code = newCode();
  const now = app.clock();
  const id = newId("lnk", now);
  await write(app.db, (tx) => {
    tx.delete(signInLinks)
      .where(or(lte(signInLinks.expiresAt, now), gt(signInLinks.expiresAt, now + MAX_LIFETIME_MS)))
      .run();
    tx.insert(signInLinks)
      .values({
        id,
        tokenHash: hashSecret(token),
        codeHash: hashCode(app.secrets, id, code),
        browserHash,
        email,
        callbackPath,
        createdAt: now,
        expiresAt: now + LINK_LIFETIME_MS,
      })
      .run();
  });
  return { token, code };
}

/** Of a link that was neither used nor has expired. */
const isOpen = (now: number) =>
  and(
    isNull(signInLinks.consumedAt),
    gt(signInLinks.expiresAt, now),
    lte(signInLinks.expiresAt, now + MAX_LIFETIME_MS),
  );
const verified = { email: signInLinks.email, callbackPath: signInLinks.callbackPath };

/** The address a token was issued for, for the page that asks before consuming it; null if used or expired. */
export function readLink(app: App, token: string): VerifiedAddress | null {
  if (!isSecret(token)) return null;
  const isIt = and(eq(signInLinks.tokenHash, hashSecret(token)), isOpen(app.clock()));
  return app.db.select(verified).from(signInLinks).where(isIt).get() ?? null;
}

/** Consumes a link in the transaction that starts its session, at most once. */
export type Consume = (tx: Tx, ctx: TxContext) => Consumed;

/** Consumes the link with that token. */
export const consumeToken =
  (token: string): Consume =>
  (tx, ctx) => {
    if (!isSecret(token)) return { refused: "unknown_link" };
    const now = ctx.clock();
    const isIt = eq(signInLinks.tokenHash, hashSecret(token));
    const consumed = tx
      .update(signInLinks)
      .set({ consumedAt: now })
      .where(and(isIt, isOpen(now)))
      .returning(verified)
      .get();
    if (consumed) return consumed;
    const link = tx.select({ id: signInLinks.id }).from(signInLinks).where(isIt).get();
    // A link is deleted when it has signed somebody in.
    return { refused: link ? "expired" : "unknown_link" };
  };

/**
 * Consumes, by its code, the newest open link this browser requested for a canonical address. Each try is counted in
 * the transaction that compares it, so that concurrent tries cannot exceed MAX_CODE_TRIES.
 */
export const consumeCode =
  (
    secrets: Secrets,
    attempt: { email: string; browserHash: string; code: string; userAgent: string },
  ): Consume =>
  (tx, ctx) => {
    const { email, browserHash, code, userAgent } = attempt;
    const now = ctx.clock();
    const isOfBrowser = and(
      eq(signInLinks.email, email),
      eq(signInLinks.browserHash, browserHash),
      isOpen(now),
    );
    const link = tx
      .select()
      .from(signInLinks)
      .where(isOfBrowser)
      .orderBy(desc(signInLinks.createdAt), desc(signInLinks.id))
      .limit(1)
      .get();
    if (!link) return { refused: "expired" };
    if (link.codeTries >= MAX_CODE_TRIES) return { refused: "too_many_tries" };
    const isRight = codeMatches(secrets, link.id, code, link.codeHash);
    tx.update(signInLinks)
      .set({ codeTries: link.codeTries + 1, ...(isRight ? { consumedAt: now } : {}) })
      .where(eq(signInLinks.id, link.id))
      .run();
    if (isRight) return { email: link.email, callbackPath: link.callbackPath };
    const account = accountOfAddress(tx, email);
    if (account) logAccountEvent(tx, account.id, "code_refused", now, { email, userAgent });
    return { refused: "wrong_code" };
  };
