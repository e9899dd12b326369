import { desc, eq, type SQL, sql } from "drizzle-orm";
import type { Context } from "#app/core/context.server.ts";
import { pageOf, parseCursor } from "#app/core/cursor.ts";
import { DeedError } from "#app/core/errors.server.ts";
import { iso, isoOrNull } from "#app/core/time.ts";
import type { Db } from "#db/client.ts";
import { accounts } from "#db/schema.ts";

const PAGE = 50;

const columns = {
  id: accounts.id,
  email: accounts.email,
  createdAt: accounts.createdAt,
  disabledAt: accounts.disabledAt,
  people: sql<number>`(select count(*) from people where people.account_id = accounts.id)`,
  names: sql<number>`(select count(*) from domains where domains.account_id = accounts.id)`,
  lastSeenAt: sql<
    number | null
  >`(select max(last_seen_at) from people where people.account_id = accounts.id)`,
};

const rows = (db: Db, where: SQL) =>
  db
    .select(columns)
    .from(accounts)
    .where(where)
    .orderBy(desc(accounts.createdAt), desc(accounts.id))
    .limit(PAGE + 1)
    .all();
type Row = ReturnType<typeof rows>[number];

/** An account as the operator sees it: no names, only how many. `lastSeenAt` is to the hour, null before the first. */
export type ListedAccount = ReturnType<typeof listed>;

const listed = ({ createdAt, lastSeenAt, disabledAt, ...row }: Row) => ({
  ...row,
  createdAt: iso(createdAt),
  lastSeenAt: isoOrNull(lastSeenAt),
  disabledAt: isoOrNull(disabledAt),
});

/** The accounts, newest first, 50 a page. Throws invalid_request on an invalid cursor. */
export function listAccounts(ctx: Context, cursor?: string) {
  const { createdAt, id } = parseCursor(cursor);
  const isAfter = sql`(${accounts.createdAt}, ${accounts.id}) < (${createdAt}, ${id})`;
  const { page, nextCursor } = pageOf(rows(ctx.db, isAfter), PAGE);
  return { accounts: page.map(listed), nextCursor };
}

/** Throws not_found. */
export function readListedAccount(ctx: Context, id: string): ListedAccount {
  const [row] = rows(ctx.db, eq(accounts.id, id));
  if (!row) throw new DeedError("not_found");
  return listed(row);
}
