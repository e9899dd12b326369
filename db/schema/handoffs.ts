import { sql } from "drizzle-orm";
import { check, index, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { claims } from "./claims.ts";
import { flag, instant, ownerId } from "./columns.ts";

export const handoffs = sqliteTable(
  "handoffs",
  {
    slug: text("slug").primaryKey(),
    claimId: ownerId("claim_id", () => claims.id),
    createdAt: instant("created_at").notNull(),
    revokedAt: instant("revoked_at"),
    /** Whether the page shows the account's whole address: only if the person who shared it chose that. */
    showAddress: flag("show_address").notNull().default(false),
    title: text("title"),
    requestedFor: text("requested_for"),
    /** Where the page leads back, while the account has a proof of that host. */
    returnUrl: text("return_url"),
  },
  (t) => [
    uniqueIndex("handoffs_one_live").on(t.claimId).where(sql`${t.revokedAt} is null`),
    index("handoffs_claim").on(t.claimId),
    check("handoffs_order", sql`${t.revokedAt} is null or ${t.revokedAt} >= ${t.createdAt}`),
  ],
);

/** Mailboxes that got a hand-off mail. Refusals stay; other rows are deleted after 90 days. */
export const handoffMailboxes = sqliteTable(
  "handoff_mailboxes",
  {
    /** Slug of the page that stops these mails; each mail links to it. */
    id: text("id").primaryKey(),
    /** SHA-256 of the mailbox, without a key, so that a refusal outlives the operator's secrets. */
    mailboxHash: text("mailbox_hash").notNull().unique(),
    mailedAt: instant("mailed_at").notNull(),
    stoppedAt: instant("stopped_at"),
  },
  (t) => [index("handoff_mailboxes_age").on(t.mailedAt)],
);
