import * as z from "zod";
import { defineEndpoint } from "#app/api/endpoint.server.ts";
import { Cursor, PageSize } from "#app/api/inputs.ts";
import { listNotices, markNoticeRead } from "./notices.server.ts";
import { Notice, NoticeList } from "./resources.ts";

const noticeDefaults = { group: "Notices", session: true } as const;

export const noticeEndpoints = {
  browseNotices: defineEndpoint("GET /api/notices", {
    ...noticeDefaults,
    summary: "List notices, newest first",
    byKey: "domains:read",
    query: z.strictObject({ limit: PageSize, cursor: Cursor.optional() }),
    response: { 200: NoticeList },
    handler: ({ app, caller, query }) => listNotices(app, caller.accountId, query),
  }),
  markNoticeRead: defineEndpoint("POST /api/notices/:id/read", {
    ...noticeDefaults,
    summary: "Mark a notice as read",
    description: "Idempotent: a second call keeps the first time.",
    byKey: "domains:write",
    response: { 200: Notice },
    errors: ["notice_not_found"],
    handler: ({ app, caller, params }) => markNoticeRead(app, caller.accountId, params.id),
  }),
};
