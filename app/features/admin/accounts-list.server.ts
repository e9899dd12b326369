import { desc, eq, sql } from "drizzle-orm";
import type { Context } from "#app/core/context.server.ts";
import { pageOf, parseCursor } from "#app/core/cursor.ts";
import { DeedError } from "#app/core/errors.server.ts";
import { iso, isoOrNull } from "#app/core/time.ts";
import { limitBy, prepared } from "#db/queries.ts";
import { accounts } from "#db/schema.ts";

/** An account as the operator sees it: no names, only how many. `lastSeenAt` is to the hour, null before the first. */
export type ListedAccount = {
  id: string;
  email: string;
  /** How many addresses sign in to it. */
  people: number;
  /** How many domains it has, archived ones included. */
  names: number;
  createdAt: string;
  lastSeenAt: string | null;
  disabledAt: string | null;
};

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

const page = prepared((db) =>
  db
    .select(columns)
    .from(accounts)
    .where(
      sql`(${accounts.createdAt}, ${accounts.id}) < (${sql.placeholder("createdAt")}, ${sql.placeholder("afterId")})`,
    )
    .orderBy(desc(accounts.createdAt), desc(accounts.id))
    .limit(limitBy("limit"))
    .prepare(),
);

const byId = prepared((db) =>
  db
    .select(columns)
    .from(accounts)
    .where(eq(accounts.id, sql.placeholder("id")))
    .prepare(),
);

type Row = NonNullable<ReturnType<ReturnType<typeof byId>["get"]>>;

const listed = ({ createdAt, lastSeenAt, disabledAt, ...row }: Row): ListedAccount => ({
  ...row,
  createdAt: iso(createdAt),
  lastSeenAt: isoOrNull(lastSeenAt),
  disabledAt: isoOrNull(disabledAt),
});

/** The accounts, newest first, 50 a page. Throws invalid_request on an invalid cursor. */
export function listAccounts(
  ctx: Context,
  cursor?: string,
): { accounts: ListedAccount[]; nextCursor: string | null } {
  const { createdAt, id: afterId } = parseCursor(cursor);
  const rows = page(ctx.db).all({ createdAt, afterId, limit: PAGE + 1 });
  const { page: shown, nextCursor } = pageOf(rows, PAGE);
  return { accounts: shown.map(listed), nextCursor };
}

/** Throws not_found. */
export function readListedAccount(ctx: Context, id: string): ListedAccount {
  const row = byId(ctx.db).get({ id });
  if (!row) throw new DeedError("not_found");
  return listed(row);
}
