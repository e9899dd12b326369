import { and, eq, sql } from "drizzle-orm";
import { prepared, type Tx, write } from "#db/client.ts";
import { markErased, scrub, WITHIN_A_REQUEST } from "#db/erase.ts";
import { accounts, changeFeed, notices, signInLinks } from "#db/schema.ts";
import type { Context } from "./context.server.ts";
import { DeedError } from "./errors.server.ts";
import { newId } from "./ids.server.ts";

export type Account = { id: string; email: string; mailEnabled: boolean; createdAt: number };

const shown = {
  id: accounts.id,
  email: accounts.email,
  mailEnabled: accounts.mailEnabled,
  createdAt: accounts.createdAt,
};

const byId = prepared((db) =>
  db
    .select(shown)
    .from(accounts)
    .where(eq(accounts.id, sql.placeholder("id")))
    .prepare(),
);

const byEmail = prepared((db) =>
  db
    .select({ ...shown, oidcIssuer: accounts.oidcIssuer })
    .from(accounts)
    .where(eq(accounts.email, sql.placeholder("email")))
    .prepare(),
);

const byIdentity = prepared((db) =>
  db
    .select(shown)
    .from(accounts)
    .where(
      and(
        eq(accounts.oidcIssuer, sql.placeholder("issuer")),
        eq(accounts.oidcSubject, sql.placeholder("subject")),
      ),
    )
    .prepare(),
);

type Named = { oidcIssuer?: string; oidcSubject?: string };

const create = (ctx: Context, tx: Tx, email: string, identity: Named = {}): Account => {
  const now = ctx.clock();
  return tx
    .insert(accounts)
    .values({ id: newId("acc", now), email, createdAt: now, ...identity })
    .returning(shown)
    .get();
};

/** Lower-cases the address and returns its account, creating it at the first sign-in. */
export async function accountForEmail(ctx: Context, email: string): Promise<Account> {
  const address = email.toLowerCase();
  return write(ctx.db, (tx) => readByEmail(ctx, address) ?? create(ctx, tx, address));
}

function readByEmail(ctx: Context, email: string): Account | null {
  const row = byEmail(ctx.db).get({ email });
  if (!row) return null;
  const { oidcIssuer: _, ...account } = row;
  return account;
}

export const readAccount = (ctx: Context, accountId: string): Account | null =>
  byId(ctx.db).get({ id: accountId }) ?? null;

/** Switches notice mails on or off; off, those still waiting are dropped. */
export async function setMailEnabled(
  ctx: Context,
  accountId: string,
  enabled: boolean,
): Promise<void> {
  await write(ctx.db, (tx) => {
    tx.update(accounts).set({ mailEnabled: enabled }).where(eq(accounts.id, accountId)).run();
    if (enabled) return;
    tx.update(notices).set({ mailDueAt: null }).where(eq(notices.accountId, accountId)).run();
  });
}

/**
 * Erases the account with everything it owns, from the file and its log too; its proof links stop resolving.
 * A large file, or one that somebody reads meanwhile, is freed of the last traces by a later scrub.
 */
export async function deleteAccount(ctx: Context, accountId: string): Promise<void> {
  await write(ctx.db, (tx) => {
    const account = readAccount(ctx, accountId);
    if (!account) return;
    tx.delete(changeFeed).where(eq(changeFeed.accountId, accountId)).run();
    tx.delete(signInLinks).where(eq(signInLinks.email, account.email)).run();
    tx.delete(accounts).where(eq(accounts.id, accountId)).run();
    markErased(tx);
  });
  scrub(ctx.db, WITHIN_A_REQUEST);
}

/** A person as an OpenID Connect provider names them. */
export type Identity = { issuer: string; subject: string; email: string; emailVerified: boolean };

/**
 * The account of an identity: by issuer and subject; else, on a verified address alone, the account of
 * that address, made where there is none. Throws invalid_sign_in otherwise.
 */
export async function accountForIdentity(ctx: Context, identity: Identity): Promise<Account> {
  const { issuer, subject, emailVerified } = identity;
  const email = identity.email.toLowerCase();
  const named = { oidcIssuer: issuer, oidcSubject: subject };
  return write(ctx.db, (tx) => {
    const known = byIdentity(ctx.db).get({ issuer, subject });
    if (known) return known;
    if (!emailVerified || !email) {
      throw new DeedError("invalid_sign_in", {
        message: "The identity provider has not verified your address. Sign in by mail instead.",
      });
    }
    const row = byEmail(ctx.db).get({ email });
    if (!row) return create(ctx, tx, email, named);
    const { oidcIssuer, ...account } = row;
    // An account keeps the first identity it was joined by; a second one comes in by its address each time.
    if (oidcIssuer === null)
      tx.update(accounts).set(named).where(eq(accounts.id, account.id)).run();
    return account;
  });
}
