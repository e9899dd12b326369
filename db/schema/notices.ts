import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { accounts, people } from "./accounts.ts";
import { claims } from "./claims.ts";
import { enums, instant, ownerId } from "./columns.ts";
import { domains } from "./domains.ts";

export const NOTICE_KINDS = [
  "proved",
  "nudge",
  "expiring",
  "expired",
  "coexistence",
  "missing",
  "lapsed",
  "moved",
  "gone",
  "registered_again",
  "registration_expiring",
] as const;

export const notices = sqliteTable(
  "notices",
  {
    id: text("id").primaryKey(),
    accountId: ownerId("account_id", () => accounts.id),
    kind: text("kind", { enum: NOTICE_KINDS }).notNull(),
    domainId: ownerId("domain_id", () => domains.id),
    claimId: ownerId("claim_id", () => claims.id),
    createdAt: instant("created_at").notNull(),
    readAt: instant("read_at"),
  },
  (t) => [
    index("notices_account").on(t.accountId, t.createdAt, t.id),
    index("notices_domain").on(t.domainId),
    index("notices_claim_kind").on(t.claimId, t.kind, t.createdAt),
    ...enums("notices", { kind: t.kind }),
  ],
);

export const noticeMails = sqliteTable(
  "notice_mails",
  {
    noticeId: ownerId("notice_id", () => notices.id),
    personId: ownerId("person_id", () => people.id),
    /** When the mail is due; null once it is sent or given up. */
    dueAt: instant("due_at"),
    tries: integer("tries").notNull().default(0),
    mailedAt: instant("mailed_at"),
  },
  (t) => [
    primaryKey({ columns: [t.noticeId, t.personId] }),
    index("notice_mails_due").on(t.dueAt).where(sql`${t.dueAt} is not null`),
    index("notice_mails_mailed").on(t.personId, t.mailedAt),
    check("notice_mails_once", sql`${t.dueAt} is null or ${t.mailedAt} is null`),
  ],
);

/** Mails that the mail server refused, for the operator. Kept for a day, at most 1,000. */
export const mailFailures = sqliteTable(
  "mail_failures",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    at: instant("at").notNull(),
    /** Domain of the recipient's address. */
    domain: text("domain").notNull(),
    /** The mail server's codes, without its text, which may repeat the address. */
    reason: text("reason").notNull(),
  },
  (t) => [index("mail_failures_age").on(t.at)],
);
