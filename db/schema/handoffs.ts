import { sql } from "drizzle-orm";
import { check, index, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { claims } from "./claims.ts";
import { flag, instant, within } from "./columns.ts";

export const handoffs = sqliteTable(
  "handoffs",
  {
    slug: text("slug").primaryKey(),
    claimId: within("claim_id", () => claims.id),
    createdAt: instant("created_at").notNull(),
    revokedAt: instant("revoked_at"),
    /** Whether its page shows the account's address whole: only if the person who shared it said so. */
    showAddress: flag("show_address").notNull().default(false),
    title: text("title"),
    requestedFor: text("requested_for"),
    /** Where its page leads back to, while the account has a proof of that host. */
    returnUrl: text("return_url"),
  },
  (t) => [
    uniqueIndex("handoffs_one_live").on(t.claimId).where(sql`${t.revokedAt} is null`),
    index("handoffs_claim").on(t.claimId),
    check("handoffs_order", sql`${t.revokedAt} is null or ${t.revokedAt} >= ${t.createdAt}`),
  ],
);

/** Those that were mailed a hand-off. Refusals stay; other rows go after 90 days. */
export const handoffMailboxes = sqliteTable(
  "handoff_mailboxes",
  {
    /** Slug of the page that stops these mails, which each of them links to. */
    id: text("id").primaryKey(),
    /** SHA-256 of the mailbox, without a key: a refusal must outlive the operator's secrets. */
    mailboxHash: text("mailbox_hash").notNull().unique(),
    mailedAt: instant("mailed_at").notNull(),
    stoppedAt: instant("stopped_at"),
  },
  (t) => [index("handoff_mailboxes_age").on(t.mailedAt)],
);
