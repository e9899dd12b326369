import { and, desc, eq, isNull, lte, sql } from "drizzle-orm";
import { commit } from "#app/core/commit.server.ts";
import type { Context } from "#app/core/context.server.ts";
import { pageOf, parseCursor } from "#app/core/cursor.ts";
import { DeedError } from "#app/core/errors.server.ts";
import type { Notice, NoticeList } from "#app/core/resources.ts";
import { iso, isoOrNull } from "#app/core/time.ts";
import { notices } from "#db/schema.ts";

const DEFAULT_LIMIT = 25;

export const toNotice = (row: typeof notices.$inferSelect): Notice => ({
  id: row.id,
  kind: row.kind,
  domainId: row.domainId,
  claimId: row.claimId,
  createdAt: iso(row.createdAt),
  readAt: isoOrNull(row.readAt),
});

/** Newest first. `limit` is 1 to 100, default 25. Throws invalid_request on an invalid cursor. */
export function listNotices(
  ctx: Context,
  accountId: string,
  query: { cursor?: string | undefined; limit?: number | undefined },
): NoticeList {
  const { createdAt, id } = parseCursor(query.cursor);
  const limit = query.limit ?? DEFAULT_LIMIT;
  const isAfter = sql`(${notices.createdAt}, ${notices.id}) < (${createdAt}, ${id})`;
  const rows = ctx.db
    .select()
    .from(notices)
    .where(and(eq(notices.accountId, accountId), isAfter))
    .orderBy(desc(notices.createdAt), desc(notices.id))
    .limit(limit + 1)
    .all();
  const { page, nextCursor } = pageOf(rows, limit);
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
