import { timestamp } from "@deed/dns/verdict/diagnosis.ts";
import * as z from "zod";
import { object } from "#app/core/resources.ts";
import { NOTICE_KINDS } from "#db/schema.ts";

export const Notice = object("Notice", {
  id: z.string(),
  kind: z.enum(NOTICE_KINDS),
  domainId: z.string(),
  claimId: z.string(),
  createdAt: timestamp,
  readAt: timestamp.nullable(),
});
export type Notice = z.infer<typeof Notice>;

export const NoticeList = object("NoticeList", {
  notices: z.array(Notice),
  nextCursor: z.string().nullable(),
});
export type NoticeList = z.infer<typeof NoticeList>;
