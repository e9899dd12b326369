import * as z from "zod";
import { defineEndpoint, reply } from "#app/api/endpoint.server.ts";
import { Cursor, Id, PageSize } from "#app/api/inputs.ts";
import { listNotices, markNoticeRead } from "./notices.server.ts";
import { Notice, NoticeList } from "./resources.ts";

const ofAccount = { group: "Notices", session: true } as const;

export const browseNotices = defineEndpoint({
  ...ofAccount,
  method: "GET",
  path: "/api/notices",
  summary: "List notices, newest first",
  byKey: "domains:read",
  query: z.strictObject({ limit: PageSize, cursor: Cursor.optional() }),
  response: { 200: NoticeList },
  handler: ({ app, caller, query }) => reply(200, listNotices(app, caller.accountId, query)),
});

export const readNotice = defineEndpoint({
  ...ofAccount,
  method: "POST",
  path: "/api/notices/:id/read",
  summary: "Mark a notice as read",
  description: "Idempotent: the first time stays.",
  byKey: "domains:write",
  params: z.strictObject({ id: Id }),
  response: { 200: Notice },
  errors: ["notice_not_found"],
  handler: async ({ app, caller, params }) =>
    reply(200, await markNoticeRead(app, caller.accountId, params.id)),
});

export const noticeEndpoints = { browseNotices, markNoticeRead: readNotice };
