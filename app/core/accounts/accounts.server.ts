import { and, desc, eq, getTableColumns, sql } from "drizzle-orm";
import { type Db, prepared, type Tx } from "#db/client.ts";
import { MAX_BYTES_IN_REQUEST, markErased, scrub } from "#db/erase.ts";
import {
  type ACCOUNT_EVENTS,
  type AccountLimits,
  accountEvents,
  accounts,
  apiKeys,
  changeFeed,
  domains,
  noticeMails,
  people,
  signInLinks,
} from "#db/schema.ts";
import { removeTestFile } from "#db/test-file.ts";
import { commit } from "../commit.server.ts";
import type { Context, TxContext } from "../context.server.ts";
import { DeedError } from "../errors.server.ts";
import { isTestKey, newId } from "../ids.server.ts";
import type { Settings } from "../settings.server.ts";
import { iso } from "../time.ts";

export const maySignUp = ({ signUp, admins }: Pick<Settings, "signUp" | "admins">, email: string) =>
  signUp === "open" ||
  signUp.includes(email) ||
  signUp.includes(email.slice(email.lastIndexOf("@"))) ||
  admins.includes(email);

const REFUSALS = {
  sign_up: "This address cannot open an account here. Ask the operator of this service.",
  disabled: "This account is disabled. The operator of this service can enable it again.",
  identity:
    "Your account is connected to another identity at this provider. Sign in with that identity, or by email.",
};

/** The visitor is who they say, but the account is disabled, not allowed, or joined to another subject. */
export class AccountRefused extends DeedError {
  constructor(readonly reason: keyof typeof REFUSALS) {
    super("invalid_sign_in", { message: REFUSALS[reason] });
  }
}

/** `email` is the person's address, which may differ from the account's. */
export type Person = { accountId: string; personId: string; email: string };
export type Actor = Omit<Person, "email"> & { keyId?: string };

type PersonColumn = "id" | "email" | "oidcIssuer" | "oidcSubject";

const accountBy = prepared((db, columns: PersonColumn[]) => {
  const { id, email, createdAt, disabledAt } = accounts;
  const { oidcIssuer, mailProvedAt, mailEnabled } = people;
  const person = { id: people.id, email: people.email, mailEnabled };
  return db
    .select({ id, email, createdAt, disabledAt, oidcIssuer, mailProvedAt, person })
    .from(people)
    .innerJoin(accounts, eq(accounts.id, people.accountId))
    .where(and(...columns.map((name) => eq(people[name], sql.placeholder(name)))));
});

/** Addresses are in lower case. Only the checks in this folder read `disabledAt` and how an address was confirmed. */
export const accountWhere = (db: Db | Tx, person: Partial<Record<PersonColumn, string>>) =>
  accountBy(db, Object.keys(person) as PersonColumn[]).get(person);

type AccountRow = NonNullable<ReturnType<typeof accountWhere>>;
/** `email` is the address of the account's first person, which proofs name. */
export type Account = Pick<AccountRow, "id" | "email" | "createdAt" | "person">;

export function requireEnabled({ id, email, createdAt, disabledAt, person }: AccountRow): Account {
  if (disabledAt !== null) throw new AccountRefused("disabled");
  return { id, email, createdAt, person };
}

type Evidence = { mailProvedAt: number } | { oidcIssuer: string; oidcSubject: string };

export const hasAccounts = (db: Db | Tx) =>
  db.select({ id: accounts.id }).from(accounts).limit(1).get() !== undefined;

/** Opens an account, for the operator if there is no evidence. A trigger adds its first person. Throws AccountRefused. */
export function openAccount(ctx: TxContext, tx: Tx, email: string, evidence: Evidence | null) {
  if (evidence && !maySignUp(ctx.settings, email)) throw new AccountRefused("sign_up");
  // Printed links for an address without an account open the first account, so they end now.
  tx.run(sql`delete from sign_in_links
    where browser_hash is null and email not in (select email from people)`);
  const createdAt = ctx.clock();
  const id = newId("acc", createdAt);
  tx.insert(accounts).values({ id, email, createdAt }).run();
  if (evidence) tx.update(people).set(evidence).where(eq(people.email, email)).run();
  const row = accountWhere(tx, { email });
  if (!row) throw new Error("the account just opened has nobody in it");
  return requireEnabled(row);
}

/** Takes a canonical address. A link that was not mailed opens only the first account. Throws AccountRefused. */
export function findOrOpenAccount(ctx: TxContext, tx: Tx, email: string, isMailed = true): Account {
  const row = accountWhere(tx, { email });
  if (!row && !isMailed && hasAccounts(tx)) throw new AccountRefused("sign_up");
  const evidence = { mailProvedAt: ctx.clock() };
  if (!row) return openAccount(ctx, tx, email, isMailed ? evidence : null);
  const account = requireEnabled(row);
  if (isMailed && row.mailProvedAt === null)
    tx.update(people).set(evidence).where(eq(people.id, account.person.id)).run();
  return account;
}

export function signInRefusal(ctx: Context, email: string): "disabled" | "sign_up" | null {
  const row = accountWhere(ctx.db, { email });
  if (row) return row.disabledAt === null ? null : "disabled";
  return maySignUp(ctx.settings, email) ? null : "sign_up";
}

/** Opens an account for a canonical address, whatever SIGN_UP says. `created` is false if the address has one already. */
export async function addAccount(ctx: Context, email: string) {
  return commit(ctx, (tx, ctx) => {
    const row = accountWhere(tx, { email });
    if (row) return { accountId: row.id, created: false };
    return { accountId: openAccount(ctx, tx, email, null).id, created: true };
  });
}

/** Selects the people of an account who get mails; the account's id must follow this SQL. */
export const MAILED_PEOPLE_SQL = `people join accounts on accounts.id = account_id
  where mail_enabled and disabled_at is null and accounts.id =`;

const mailedEmails = prepared((db) =>
  db.$client.prepare<[accountId: string], { email: string }>(
    `select people.email from ${MAILED_PEOPLE_SQL} +?`,
  ),
);
export const mailedPeople = (db: Db | Tx, accountId: string) => mailedEmails(db).all(accountId);

const hasId = eq(accounts.id, sql.placeholder("id"));
const selectById = prepared((db) =>
  db.select({ email: accounts.email, limits: accounts.limits }).from(accounts).where(hasId),
);

export const limitsFor = (db: Db | Tx, id: string): AccountLimits =>
  selectById(db).get({ id })?.limits ?? {};

/** Returns the account's first address, or an empty text if the account was erased. */
export const emailOf = (db: Db | Tx, id: string): string => selectById(db).get({ id })?.email ?? "";

export function maskEmail(email: string): string {
  const atSign = email.lastIndexOf("@");
  const [first = ""] = email.slice(0, Math.max(atSign, 0));
  return `${first}•••${email.slice(atSign)}`;
}

/** Returns the account's first address, masked for proofs and hand-offs. Throws unauthenticated if it was erased. */
export function maskedAddress({ db }: { db: Db | Tx }, accountId: string): string {
  const email = emailOf(db, accountId);
  if (!email) throw new DeedError("unauthenticated");
  return maskEmail(email);
}

export function readAccount({ db }: { db: Db | Tx }, personId: string): Account | null {
  const row = accountWhere(db, { id: personId });
  return row && row.disabledAt === null ? requireEnabled(row) : null;
}

export async function setMailEnabled(ctx: Context, person: Person, isEnabled: boolean) {
  const { accountId, personId, email } = person;
  await commit(ctx, (tx, _, now) => {
    const kind = isEnabled ? "mails_switched_on" : "mails_switched_off";
    if (accountWhere(tx, { id: personId })?.person.mailEnabled === !isEnabled)
      logAccountEvent(tx, accountId, kind, now, { email });
    tx.update(people).set({ mailEnabled: isEnabled }).where(eq(people.id, personId)).run();
    const isWaiting = sql`person_id = ${personId} and due_at is not null`;
    if (!isEnabled) tx.delete(noticeMails).where(isWaiting).run();
  });
}

/** Used links stay, so that the tab that asked for one sees that it was used. */
export function voidSignInLinks(tx: Tx, email: string): void {
  tx.delete(signInLinks).where(sql`email = ${email} and consumed_at is null`).run();
}

export function voidLinksOfAccount(tx: Tx, accountId: string): void {
  const isOfAccount = sql`email in (select email from people where account_id = ${accountId})`;
  tx.delete(signInLinks).where(isOfAccount).run();
}

/** Erases an account, also from the database file and its log. If the file is large or in use, a later scrub does the rest. */
export async function deleteAccount(ctx: Context, accountId: string): Promise<void> {
  await commit(ctx, (tx) => eraseAccount(tx, accountId));
  ctx.feed.wake(accountId);
  scrub(ctx.db, MAX_BYTES_IN_REQUEST);
}

export function eraseAccount(tx: Tx, accountId: string): void {
  tx.delete(changeFeed).where(eq(changeFeed.accountId, accountId)).run();
  voidLinksOfAccount(tx, accountId);
  const isOfAccount = eq(apiKeys.accountId, accountId);
  for (const { id } of tx.select({ id: apiKeys.id }).from(apiKeys).where(isOfAccount).all())
    if (isTestKey(id)) removeTestFile(tx, id);
  removeTestFile(tx, accountId);
  if (tx.delete(accounts).where(eq(accounts.id, accountId)).run().changes > 0) markErased(tx);
}

export type AccountEventKind = (typeof ACCOUNT_EVENTS)[number];

/** Each kind has this limit, so that many events of one kind do not remove events of others. */
export const MAX_EVENTS_OF_A_KIND = 50;

/** `email` is the acting person's, `subject` a key's name, a webhook's host or another person's address. */
type Details = { email?: string; userAgent?: string; domainId?: string; subject?: string };

export function logAccountEvent(
  tx: Tx,
  accountId: string,
  kind: AccountEventKind,
  at: number,
  details: Details = {},
): void {
  const isSameKind = and(eq(accountEvents.accountId, accountId), eq(accountEvents.kind, kind));
  const row = { accountId, kind, at, ...details };
  tx.insert(accountEvents).values(row).run();
  tx.run(sql`delete from ${accountEvents} where ${isSameKind} and id not in (
    select id from ${accountEvents} where ${isSameKind} order by id desc limit ${MAX_EVENTS_OF_A_KIND})`);
}

/** Returns when the oldest of the `count` newest events happened, in epoch milliseconds; null if there are fewer. */
export function timeOfNthNewest(tx: Tx, accountId: string, kind: AccountEventKind, count: number) {
  const row = tx.get<{ at: number } | undefined>(sql`select at from account_events
    where account_id = ${accountId} and kind = ${kind} order by id desc limit 1 offset ${count - 1}`);
  return row?.at ?? null;
}

export type AccountLogEntry = ReturnType<typeof accountLog>["events"][number];

export function accountLog({ db }: Pick<Context, "db">, accountId: string, count: number) {
  const { id, name, unicodeName, reference } = domains;
  const { accountId: _, domainId, ...columns } = getTableColumns(accountEvents);
  const events = db
    .select({ ...columns, domain: { id, name, unicodeName, reference } })
    .from(accountEvents)
    .leftJoin(domains, eq(domains.id, domainId))
    .where(eq(accountEvents.accountId, accountId))
    .orderBy(desc(accountEvents.id))
    .all()
    .map((row) => ({ ...row, at: iso(row.at) }));
  return { events: events.slice(0, count), more: Math.max(0, events.length - count) };
}
