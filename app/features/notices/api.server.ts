import * as z from "zod";
import { defineEndpoint, reply } from "#app/api/endpoint.server.ts";
import { Cursor, Id, PageSize } from "#app/api/inputs.ts";
import { Notice, NoticeList } from "#app/core/resources.ts";
import { listNotices, markNoticeRead } from "./notices.server.ts";

const group = "Notices";

export const browseNotices = defineEndpoint({
  method: "GET",
  path: "/api/notices",
  group,
  summary: "List notices, newest first",
  session: true,
  byKey: "domains:read",
  query: z.strictObject({ limit: PageSize, cursor: Cursor.optional() }),
  response: { 200: NoticeList },
  handler: ({ app, caller, query }) => reply(200, listNotices(app, caller.accountId, query)),
});

export const readNotice = defineEndpoint({
  method: "POST",
  path: "/api/notices/:id/read",
  group,
  summary: "Mark a notice as read",
  description: "Idempotent: the first time stays.",
  session: true,
  byKey: "domains:write",
  params: z.strictObject({ id: Id }),
  response: { 200: Notice },
  errors: ["notice_not_found"],
  handler: async ({ app, caller, params }) =>
    reply(200, await markNoticeRead(app, caller.accountId, params.id)),
});

export const noticeEndpoints = [browseNotices, readNotice];
