import { and, desc, eq, isNull, lte, sql } from "drizzle-orm";
import { commit } from "#app/core/commit.server.ts";
import type { Context } from "#app/core/context.server.ts";
import { pageOf, parseCursor } from "#app/core/cursor.ts";
import { DeedError } from "#app/core/errors.server.ts";
import type { Notice, NoticeList } from "#app/core/resources.ts";
import { limitBy, prepared } from "#db/queries.ts";
import { notices } from "#db/schema.ts";
import { toNotice } from "./notice-rows.ts";

const DEFAULT_LIMIT = 25;

const page = prepared((db) =>
  db
    .select()
    .from(notices)
    .where(
      and(
        eq(notices.accountId, sql.placeholder("accountId")),
        sql`(${notices.createdAt}, ${notices.id}) < (${sql.placeholder("createdAt")}, ${sql.placeholder("afterId")})`,
      ),
    )
    .orderBy(desc(notices.createdAt), desc(notices.id))
    .limit(limitBy("limit"))
    .prepare(),
);

/** Newest first. `limit` is 1 to 100, default 25. Throws invalid_request on an invalid cursor. */
export function listNotices(
  ctx: Context,
  accountId: string,
  query: { cursor?: string | undefined; limit?: number | undefined },
): NoticeList {
  const { createdAt, id: afterId } = parseCursor(query.cursor);
  const limit = query.limit ?? DEFAULT_LIMIT;
  const rows = page(ctx.db).all({ accountId, createdAt, afterId, limit: limit + 1 });
  const { page: shown, nextCursor } = pageOf(rows, limit);
  return { notices: shown.map(toNotice), nextCursor };
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
export async function markNoticesRead(
  ctx: Context,
  accountId: string,
  until: number,
): Promise<void> {
  await commit(ctx, (tx, ctx) => {
    tx.update(notices)
      .set({ readAt: ctx.clock() })
      .where(
        and(
          eq(notices.accountId, accountId),
          isNull(notices.readAt),
          lte(notices.createdAt, until),
        ),
      )
      .run();
  });
}
