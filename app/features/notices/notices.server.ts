import { and, count, desc, eq, inArray, isNull, lte, sql } from "drizzle-orm";
import { commit } from "#app/core/commit.server.ts";
import type { Context } from "#app/core/context.server.ts";
import { pageOf, parseCursor } from "#app/core/cursor.ts";
import { DeedError } from "#app/core/errors.server.ts";
import { iso, isoOrNull } from "#app/core/time.ts";
import { prepared } from "#db/client.ts";
import { domains, NOTICE_KINDS, notices } from "#db/schema.ts";
import { troubleWords } from "../watching/trouble.ts";
import { recordUse, watchedClaim } from "../watching/watch-rows.server.ts";
import { isTrouble } from "../watching/watch-states.ts";
import type { Notice, NoticeList } from "./resources.ts";

export const toNotice = (row: typeof notices.$inferSelect): Notice => {
  const { id, kind, domainId, claimId, createdAt, readAt } = row;
  return { id, kind, domainId, claimId, createdAt: iso(createdAt), readAt: isoOrNull(readAt) };
};

const needsAction = inArray(
  notices.kind,
  NOTICE_KINDS.filter((kind) => kind === "expiring" || isTrouble(kind)),
);

/** Newest first. `limit` is 1 to 100, default 25; `isNeeding`: only those that ask for something. Throws invalid_request on an invalid cursor. */
export function listNotices(
  ctx: Context,
  accountId: string,
  {
    cursor,
    limit = 25,
    isNeeding = false,
  }: { cursor?: string | undefined; limit?: number | undefined; isNeeding?: boolean },
): NoticeList {
  const { createdAt, id } = parseCursor(cursor);
  const isAfter = sql`(${notices.createdAt}, ${notices.id}) < (${createdAt}, ${id})`;
  const rows = ctx.db
    .select()
    .from(notices)
    .where(and(eq(notices.accountId, accountId), isAfter, isNeeding ? needsAction : undefined))
    .orderBy(desc(notices.createdAt), desc(notices.id))
    .limit(limit + 1)
    .all();
  const { page, nextCursor } = pageOf(rows, limit, (row) => row);
  return { notices: page.map(toNotice), nextCursor };
}

/** Marks a notice as read; a second call keeps the first date. Throws notice_not_found. */
export async function markNoticeRead(ctx: Context, accountId: string, id: string): Promise<Notice> {
  return commit(ctx, (tx, ctx) => {
    const own = and(eq(notices.id, id), eq(notices.accountId, accountId));
    const row = tx.select().from(notices).where(own).get();
    if (!row) throw new DeedError("notice_not_found");
    if (row.readAt !== null) return toNotice(row);
    const readAt = ctx.clock();
    tx.update(notices).set({ readAt }).where(own).run();
    return toNotice({ ...row, readAt });
  });
}

/** Marks every notice up to `until` (epoch milliseconds) as read; those already read keep their date. */
export async function markNoticesRead(ctx: Context, accountId: string, until: number) {
  const isUnread = and(eq(notices.accountId, accountId), isNull(notices.readAt));
  await commit(ctx, (tx, ctx) => {
    tx.update(notices)
      .set({ readAt: ctx.clock() })
      .where(and(isUnread, lte(notices.createdAt, until)))
      .run();
  });
}

const unread = prepared((db) =>
  db
    .select({ count: count() })
    .from(notices)
    .where(and(eq(notices.accountId, sql.placeholder("account")), isNull(notices.readAt))),
);

export function unreadNotices(ctx: Context, accountId: string): number {
  return unread(ctx.db).get({ account: accountId })?.count ?? 0;
}

export type NamedNotice = ReturnType<typeof withNames>[number];

/** The notices of a page with the names they concern. `isWatched`: about a record that is still watched. `fate`: what becomes of the record now, where the notice is of it. `trouble`: what it says of its proof. */
export function withNames(ctx: Context, accountId: string, page: readonly Notice[]) {
  const name = {
    domain: domains.name,
    unicodeDomain: domains.unicodeName,
    reference: sql<string | null>`nullif(${domains.reference}, '')`,
  };
  return page.flatMap((notice) => {
    const { kind, claimId, domainId } = notice;
    const isIts = and(eq(domains.id, domainId), eq(domains.accountId, accountId));
    const named = ctx.db.select(name).from(domains).where(isIts).get();
    const isWatched = isTrouble(kind) && watchedClaim(ctx.db, claimId) !== undefined;
    const isOfRecord = isTrouble(kind) || ["proved", "expired"].includes(kind);
    const use = recordUse(ctx, claimId);
    const trouble =
      use.trouble?.kind === kind ? use.trouble : isTrouble(kind) ? troubleWords(kind) : null;
    const fate = isOfRecord ? use.fate : null;
    return named ? [{ ...notice, ...named, isWatched, fate, trouble }] : [];
  });
}
