import { counted } from "@deed/dns/words/wording.ts";
import { count, desc, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import {
  limitsFor,
  logAccountEvent,
  voidLinksOfAccount,
} from "#app/core/accounts/accounts.server.ts";
import { commit } from "#app/core/commit.server.ts";
import type { Context } from "#app/core/context.server.ts";
import { DeedError, orThrow } from "#app/core/errors.server.ts";
import { isoFields } from "#app/core/time.ts";
import type { Db, Tx } from "#db/client.ts";
import {
  type AccountLimits,
  accounts,
  apiKeys,
  claims,
  invitations,
  noticeMails,
  sessions,
} from "#db/schema.ts";
import { endClaim, rowsOfClaim } from "../claims/outcome.server.ts";
import { endWatchesOf } from "../watching/watches.server.ts";
import { endWebhooksOfKey } from "../webhooks/webhooks.server.ts";

const PAGE_SIZE = 50;

const columns = {
  ...getTableColumns(accounts),
  people: sql<number>`(select count(*) from people where people.account_id = accounts.id)`,
  names: sql<number>`(select count(*) from domains where domains.account_id = accounts.id)`,
  lastSeenAt: sql<
    number | null
  >`(select max(last_seen_at) from people where people.account_id = accounts.id)`,
};

const NEWEST_FIRST = [desc(accounts.createdAt), desc(accounts.id)];

const selectAccounts = (db: Db, where: SQL | undefined, order = NEWEST_FIRST) =>
  db
    .select(columns)
    .from(accounts)
    .where(where)
    .orderBy(...order)
    .limit(PAGE_SIZE + 1);

/** Writes each limit in words, such as "20,000 open claims"; empty if the account has only the default limits. */
export const limitTexts = ({ openClaims, domains, ...budgets }: AccountLimits): string[] => [
  ...(openClaims ? [counted(openClaims, "open claim")] : []),
  ...(domains ? [counted(domains, "domain")] : []),
  ...Object.entries(budgets).map(([name, text]) => `${name} ${text}`),
];

/** An account as the operator sees it: with counts in place of names. `lastSeenAt` is exact to the hour, or null. */
export type ListedAccount = ReturnType<typeof toListed>;

const toListed = (row: ReturnType<ReturnType<typeof selectAccounts>["all"]>[number]) => ({
  ...row,
  ...isoFields(row, "createdAt", "lastSeenAt", "disabledAt"),
  limits: limitTexts(row.limits),
});

export const SORTS = {
  newest: NEWEST_FIRST,
  address: [sql`lower(${accounts.email})`],
  domains: [desc(columns.names), ...NEWEST_FIRST],
  "last seen": [desc(columns.lastSeenAt), ...NEWEST_FIRST],
};
export type Sort = keyof typeof SORTS;

/** Returns a page of the accounts with `q` in their address, for a screen. `page` counts from 1. */
export function findAccounts({ db }: Context, q: string, sort: Sort, page: number) {
  const isMatch = q ? sql`instr(lower(${accounts.email}), ${q.toLowerCase()})` : undefined;
  const found = selectAccounts(db, isMatch, SORTS[sort])
    .offset((page - 1) * PAGE_SIZE)
    .all();
  const countColumns = { found: count(), disabled: count(accounts.disabledAt) };
  const totals = db.select(countColumns).from(accounts).where(isMatch).get();
  const isMore = found.length > PAGE_SIZE;
  return {
    accounts: found.slice(0, PAGE_SIZE).map(toListed),
    isMore,
    ...{ found: 0, disabled: 0, ...totals },
  };
}

/** Reads an account as in the list. Throws not_found. */
export const readListedAccount = (ctx: Context, id: string): ListedAccount =>
  toListed(orThrow(selectAccounts(ctx.db, eq(accounts.id, id)).get(), "not_found"));

const openClaimIds = (db: Db | Tx, accountId: string) =>
  db.all<{ id: string }>(sql`select id from claims
    where account_id = ${accountId} and state = 'pending'`);

export const openClaimCount = ({ db }: Context, accountId: string): number =>
  openClaimIds(db, accountId).length;

function disabledAtOf(tx: Tx, accountId: string): number | null {
  const { disabledAt } = accounts;
  const row = tx.select({ disabledAt }).from(accounts).where(eq(accounts.id, accountId)).get();
  return orThrow(row, "not_found").disabledAt;
}

/** Ends all that acts for an account; proofs and links stay. Returns false if it was disabled already. Throws not_found. */
export async function disableAccount(ctx: Context, accountId: string): Promise<boolean> {
  const isNew = await commit(ctx, (tx, _, now) => {
    if (disabledAtOf(tx, accountId) !== null) return false;
    tx.update(accounts).set({ disabledAt: now }).where(eq(accounts.id, accountId)).run();
    voidLinksOfAccount(tx, accountId);
    const isOfMember = sql`person_id in (select id from people where account_id = ${accountId})`;
    tx.delete(sessions).where(isOfMember).run();
    tx.delete(noticeMails).where(sql`${isOfMember} and due_at is not null`).run();
    tx.delete(invitations).where(eq(invitations.accountId, accountId)).run();
    const keys = tx.delete(apiKeys).where(eq(apiKeys.accountId, accountId)).returning().all();
    for (const { id } of keys) endWebhooksOfKey(tx, accountId, id, now);
    for (const { id } of openClaimIds(tx, accountId)) {
      const pair = rowsOfClaim(tx).get({ id });
      if (pair) endClaim(tx, pair, "canceled", now);
    }
    endWatchesOf(tx, eq(claims.accountId, accountId));
    logAccountEvent(tx, accountId, "account_disabled", now);
    return true;
  });
  if (isNew) ctx.log.info({ account: accountId }, "account disabled");
  ctx.feed.wake(accountId);
  return isNew;
}

/** Changes the limits of an account; null removes one. Throws not_found. */
export async function setLimits(
  ctx: Context,
  accountId: string,
  changes: { [K in keyof AccountLimits]: AccountLimits[K] | null },
): Promise<AccountLimits> {
  const limits = await commit(ctx, (tx) => {
    const newLimits = Object.entries({ ...limitsFor(tx, accountId), ...changes });
    const limits: AccountLimits = Object.fromEntries(
      newLimits.filter(([, value]) => value !== null),
    );
    const isThisAccount = eq(accounts.id, accountId);
    if (tx.update(accounts).set({ limits }).where(isThisAccount).run().changes === 0)
      throw new DeedError("not_found");
    return limits;
  });
  ctx.log.info({ account: accountId, limits }, "limits of an account set");
  return limits;
}

/** Lets a disabled account sign in again; returns false if it was not disabled. Throws not_found. */
export async function enableAccount(ctx: Context, accountId: string): Promise<boolean> {
  const isNew = await commit(ctx, (tx, _, now) => {
    if (disabledAtOf(tx, accountId) === null) return false;
    tx.update(accounts).set({ disabledAt: null }).where(eq(accounts.id, accountId)).run();
    logAccountEvent(tx, accountId, "account_enabled", now);
    return true;
  });
  if (isNew) ctx.log.info({ account: accountId }, "account enabled");
  return isNew;
}
