import { and, eq, inArray, sql } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { MAX_BYTES_IN_REQUEST, markErased, scrub } from "#db/erase.ts";
import { prepared } from "#db/queries.ts";
import { accounts, changeFeed, notices, signInLinks } from "#db/schema.ts";
import { commit } from "../commit.server.ts";
import type { Context, TxContext } from "../context.server.ts";
import { DeedError } from "../errors.server.ts";
import { newId } from "../ids.server.ts";
import { logAccountEvent } from "./account-events.server.ts";

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
    .select({
      ...shown,
      oidcIssuer: accounts.oidcIssuer,
      mailProvedAt: accounts.mailProvedAt,
    })
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

/** What shows that the address of a new account belongs to its holder. */
type AddressEvidence = { mailProvedAt: number } | { oidcIssuer: string; oidcSubject: string };

const create = (ctx: TxContext, tx: Tx, email: string, vouched: AddressEvidence): Account => {
  const now = ctx.clock();
  return tx
    .insert(accounts)
    .values({ id: newId("acc", now), email, createdAt: now, ...vouched })
    .returning(shown)
    .get();
};

/** The account for an address confirmed by mail, created at the first sign-in. Lower-cases the address. */
export async function accountForEmail(ctx: Context, email: string): Promise<Account> {
  const address = email.toLowerCase();
  return commit(ctx, (tx, ctx) => {
    const row = byEmail(tx).get({ email: address });
    if (!row) return create(ctx, tx, address, { mailProvedAt: ctx.clock() });
    const { oidcIssuer: _, mailProvedAt, ...account } = row;
    if (mailProvedAt === null)
      tx.update(accounts)
        .set({ mailProvedAt: ctx.clock() })
        .where(eq(accounts.id, account.id))
        .run();
    return account;
  });
}

export const readAccount = (ctx: Context, accountId: string): Account | null =>
  byId(ctx.db).get({ id: accountId }) ?? null;

/** Switches notice mails on or off. Switching them off drops those still waiting. */
export async function setMailEnabled(
  ctx: Context,
  accountId: string,
  enabled: boolean,
): Promise<void> {
  await commit(ctx, (tx, ctx) => {
    if (byId(tx).get({ id: accountId })?.mailEnabled === !enabled)
      logAccountEvent(
        tx,
        accountId,
        enabled ? "mails_switched_on" : "mails_switched_off",
        ctx.clock(),
      );
    tx.update(accounts).set({ mailEnabled: enabled }).where(eq(accounts.id, accountId)).run();
    if (enabled) return;
    tx.update(notices).set({ mailDueAt: null }).where(eq(notices.accountId, accountId)).run();
  });
}

/** Voids every link and code mailed to the account's address so far. */
export function voidSignInLinks(tx: Tx, accountId: string): void {
  const address = tx
    .select({ email: accounts.email })
    .from(accounts)
    .where(eq(accounts.id, accountId));
  tx.delete(signInLinks).where(inArray(signInLinks.email, address)).run();
}

/**
 * Erases the account and everything it owns, from the database file and its log too. Its proof links stop resolving and
 * its event streams end. If the file is large or being read, a later scrub removes the last traces.
 */
export async function deleteAccount(ctx: Context, accountId: string): Promise<void> {
  await commit(ctx, (tx) => {
    if (!byId(tx).get({ id: accountId })) return;
    tx.delete(changeFeed).where(eq(changeFeed.accountId, accountId)).run();
    voidSignInLinks(tx, accountId);
    tx.delete(accounts).where(eq(accounts.id, accountId)).run();
    markErased(tx);
  });
  ctx.feed.wake(accountId);
  scrub(ctx.db, MAX_BYTES_IN_REQUEST);
}

/** A person, as an OpenID Connect provider identifies them. */
export type Identity = { issuer: string; subject: string; email: string; emailVerified: boolean };

/** The identity's address belongs to an account already joined to another subject of the same issuer. */
export class IdentityTakenError extends DeedError {
  constructor() {
    super("invalid_sign_in", {
      message:
        "Another identity of this provider is joined to the account of your address. Sign in with that one, or by mail.",
    });
  }
}

/**
 * Finds the account of an identity by issuer and subject. Otherwise, if the address is verified, joins the identity to
 * the account of that address, creating the account if necessary. Throws IdentityTakenError, and invalid_sign_in if the
 * address is not verified.
 */
export async function accountForIdentity(ctx: Context, identity: Identity): Promise<Account> {
  const { issuer, subject, emailVerified } = identity;
  const email = identity.email.toLowerCase();
  const named = { oidcIssuer: issuer, oidcSubject: subject };
  return commit(ctx, (tx, ctx) => {
    const known = byIdentity(tx).get({ issuer, subject });
    if (known) return known;
    if (!emailVerified || !email) {
      throw new DeedError("invalid_sign_in", {
        message: "The identity provider has not verified your address. Sign in by mail instead.",
      });
    }
    const row = byEmail(tx).get({ email });
    if (!row) return create(ctx, tx, email, named);
    const { oidcIssuer, mailProvedAt: _, ...account } = row;
    if (oidcIssuer === issuer) throw new IdentityTakenError();
    // An identity of another issuer dates from before the operator changed providers.
    tx.update(accounts).set(named).where(eq(accounts.id, account.id)).run();
    logAccountEvent(tx, account.id, "identity_joined", ctx.clock());
    return account;
  });
}
