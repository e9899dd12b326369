import * as z from "zod";
import { listNotices, markNoticeRead } from "#app/services/notices/notices.server.ts";
import { Notice, NoticeList } from "#app/services/resources.ts";
import { defineEndpoint, reply } from "./endpoint.server.ts";
import { Cursor, Id, PageSize } from "./inputs.ts";

const group = "Notices";

export const browseNotices = defineEndpoint({
  method: "GET",
  path: "/api/notices",
  group,
  summary: "List notices, newest first",
  session: true,
  query: z.strictObject({ limit: PageSize, cursor: Cursor.optional() }),
  response: { 200: NoticeList },
  handler: ({ app, session, query }) => reply(200, listNotices(app, session.accountId, query)),
});

export const readNotice = defineEndpoint({
  method: "POST",
  path: "/api/notices/:id/read",
  group,
  summary: "Mark a notice as read",
  description: "Idempotent: the first time stays.",
  session: true,
  params: z.strictObject({ id: Id }),
  response: { 200: Notice },
  errors: ["notice_not_found"],
  handler: async ({ app, session, params }) =>
    reply(200, await markNoticeRead(app, session.accountId, params.id)),
});

export const noticeEndpoints = [browseNotices, readNotice];
