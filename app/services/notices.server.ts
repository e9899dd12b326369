import type { Context } from "./context.server.ts";
import type { Notice, NoticeList } from "./resources.ts";

/** Newest first. Throws invalid_request on a cursor that is none. */
export function listNotices(
  _ctx: Context,
  _accountId: string,
  _query: { cursor?: string | undefined; limit?: number | undefined },
): NoticeList {
  throw new Error("unwritten");
}
/** Throws notice_not_found. */
export async function markNoticeRead(
  _ctx: Context,
  _accountId: string,
  _id: string,
): Promise<Notice> {
  throw new Error("unwritten");
}
