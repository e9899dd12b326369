import { and, eq, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import { type Db, prepared, type Tx } from "#db/client.ts";
import { MAX_BYTES_IN_REQUEST, markErased, scrub } from "#db/erase.ts";
import { accounts, changeFeed, noticeMails, people, signInLinks } from "#db/schema.ts";
import { commit } from "../commit.server.ts";
import type { Context, TxContext } from "../context.server.ts";
import { DeedError } from "../errors.server.ts";
import { newId } from "../ids.server.ts";
import { logAccountEvent } from "./account-events.server.ts";
import { maskEmail } from "./mask.ts";
import { AccountDisabledError, isWelcome, SignUpClosedError } from "./sign-up.ts";

/** An account as one of its people sees it. `createdAt`: epoch milliseconds. */
export type Account = {
  id: string;
  /** The account's own address, the first of its people: proofs name it. */
  email: string;
  createdAt: number;
  person: { id: string; email: string; mailEnabled: boolean };
};

/** One of an account's people, as a session carries them. `email` is their own address. */
export type Person = { accountId: string; personId: string; email: string };

export const personOf = ({ id, person }: Account): Person => ({
  accountId: id,
  personId: person.id,
  email: person.email,
});

/** What an Account is made of; `disabledAt` is for the checks of this folder. */
export const accountRow = {
  id: accounts.id,
  email: accounts.email,
  createdAt: accounts.createdAt,
  disabledAt: accounts.disabledAt,
  person: { id: people.id, email: people.email, mailEnabled: people.mailEnabled },
};

const byPerson = prepared((db) =>
  db
    .select(accountRow)
    .from(people)
    .innerJoin(accounts, eq(accounts.id, people.accountId))
    .where(eq(people.id, sql.placeholder("id")))
    .prepare(),
);

/** The account an address signs in to, with how the address was confirmed; lower case. */
export const accountOfAddress = (db: Db | Tx, email: string) =>
  db
    .select({ ...accountRow, oidcIssuer: people.oidcIssuer, mailProvedAt: people.mailProvedAt })
    .from(people)
    .innerJoin(accounts, eq(accounts.id, people.accountId))
    .where(eq(people.email, email))
    .get();

/** The account of a row. Throws AccountDisabledError. */
export function enabled(row: Account & { disabledAt: number | null }): Account {
  const { id, email, createdAt, disabledAt, person } = row;
  if (disabledAt !== null) throw new AccountDisabledError();
  return { id, email, createdAt, person };
}

/** What shows that the address of a new account belongs to its holder. */
type AddressEvidence = { mailProvedAt: number } | { oidcIssuer: string; oidcSubject: string };

/**
 * Opens an account, or throws invalid_sign_in if this installation takes no account of that address. A trigger makes
 * the address the first of its people.
 */
export function openAccount(
  ctx: TxContext,
  tx: Tx,
  email: string,
  evidence: AddressEvidence,
): Account {
  if (!isWelcome(ctx.settings, email)) throw new SignUpClosedError();
  return insertAccount(ctx, tx, email, evidence);
}

function insertAccount(
  ctx: TxContext,
  tx: Tx,
  email: string,
  evidence: AddressEvidence | null,
): Account {
  const createdAt = ctx.clock();
  const id = newId("acc", createdAt);
  tx.insert(accounts).values({ id, email, createdAt }).run();
  if (evidence) tx.update(people).set(evidence).where(eq(people.email, email)).run();
  const row = accountOfAddress(tx, email);
  if (!row) throw new Error("the account just opened has nobody in it");
  return enabled(row);
}

/**
 * The account an address confirmed by mail signs in to, opened at its first sign-in. `email` is canonical. Throws
 * invalid_sign_in if the account is disabled, or would be new and this installation does not take it.
 */
export function findOrOpenAccount(ctx: TxContext, tx: Tx, email: string): Account {
  const row = accountOfAddress(tx, email);
  if (!row) return openAccount(ctx, tx, email, { mailProvedAt: ctx.clock() });
  const account = enabled(row);
  if (row.mailProvedAt === null)
    tx.update(people)
      .set({ mailProvedAt: ctx.clock() })
      .where(eq(people.id, account.person.id))
      .run();
  return account;
}

/** Why an address may not sign in; null if it may. The address is canonical. */
export function signInRefusal(ctx: Context, email: string): "disabled" | "sign_up" | null {
  const row = accountOfAddress(ctx.db, email);
  if (row) return row.disabledAt === null ? null : "disabled";
  return isWelcome(ctx.settings, email) ? null : "sign_up";
}

/**
 * Opens an account for an address, whatever SIGN_UP says; for the operator. `created` is false if the address already
 * signs in to one. `email` is canonical (parseAddress).
 */
export async function addAccount(ctx: Context, email: string) {
  return commit(ctx, (tx, ctx) => {
    const row = accountOfAddress(tx, email);
    if (row) return { accountId: row.id, created: false };
    return { accountId: insertAccount(ctx, tx, email, null).id, created: true };
  });
}

/** The people of the account who want mails; nobody if it is disabled. */
export const mailedPeople = (db: Db | Tx, accountId: string) =>
  db
    .select({ id: people.id, email: people.email })
    .from(people)
    .innerJoin(accounts, eq(accounts.id, people.accountId))
    .where(and(eq(accounts.id, accountId), people.mailEnabled, isNull(accounts.disabledAt)))
    .all();

/** The account's first address, masked as proofs and hand-offs show it. Throws unauthenticated if it was erased. */
export function maskedAddress({ db }: { db: Db | Tx }, accountId: string): string {
  const row = db
    .select({ email: accounts.email })
    .from(accounts)
    .where(eq(accounts.id, accountId))
    .get();
  if (!row) throw new DeedError("unauthenticated");
  return maskEmail(row.email);
}

/** The account as that person sees it; null if they are not in one any more. */
export function readAccount({ db }: { db: Db | Tx }, personId: string): Account | null {
  const row = byPerson(db).get({ id: personId });
  return row && row.disabledAt === null ? enabled(row) : null;
}

/** Switches a person's notice mails on or off. Switching them off drops those still waiting. */
export async function setMailEnabled(
  ctx: Context,
  { accountId, personId, email }: Person,
  isEnabled: boolean,
): Promise<void> {
  await commit(ctx, (tx, ctx) => {
    const kind = isEnabled ? "mails_switched_on" : "mails_switched_off";
    if (byPerson(tx).get({ id: personId })?.person.mailEnabled === !isEnabled)
      logAccountEvent(tx, accountId, kind, ctx.clock(), { email });
    tx.update(people).set({ mailEnabled: isEnabled }).where(eq(people.id, personId)).run();
    if (isEnabled) return;
    tx.delete(noticeMails)
      .where(and(eq(noticeMails.personId, personId), isNotNull(noticeMails.dueAt)))
      .run();
  });
}

/** Voids every link and code mailed to the address so far. */
export function voidSignInLinks(tx: Tx, email: string): void {
  tx.delete(signInLinks).where(eq(signInLinks.email, email)).run();
}

/** Voids every link and code mailed to the account's people so far. */
export function voidLinksOfAccount(tx: Tx, accountId: string): void {
  const addresses = tx
    .select({ email: people.email })
    .from(people)
    .where(eq(people.accountId, accountId));
  tx.delete(signInLinks).where(inArray(signInLinks.email, addresses)).run();
}

/**
 * Erases the account and everything it owns, from the database file and its log too. Its proof links stop resolving and
 * the event streams of all its people end. If the file is large or being read, a later scrub removes the last traces.
 */
export async function deleteAccount(ctx: Context, accountId: string): Promise<void> {
  await commit(ctx, (tx) => eraseAccount(tx, accountId));
  ctx.feed.wake(accountId);
  scrub(ctx.db, MAX_BYTES_IN_REQUEST);
}

/** Erases the account in the current transaction. Does nothing if there is none. */
export function eraseAccount(tx: Tx, accountId: string): void {
  tx.delete(changeFeed).where(eq(changeFeed.accountId, accountId)).run();
  voidLinksOfAccount(tx, accountId);
  if (tx.delete(accounts).where(eq(accounts.id, accountId)).run().changes > 0) markErased(tx);
}
