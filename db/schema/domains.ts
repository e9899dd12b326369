import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text, unique } from "drizzle-orm/sqlite-core";
import { accounts } from "./accounts.ts";
import { enums, flag, instant, ownerId } from "./columns.ts";

export const CLAIM_STATES = ["pending", "proved", "expired", "canceled"] as const;

export const DOMAIN_STATUSES = ["unclaimed", ...CLAIM_STATES] as const;

/** What may be wrong with a domain after its newest proof (a part of WATCH_STATES). */
export const LOSSES = ["lapsed", "moved", "gone", "registered_again"] as const;
export type Loss = (typeof LOSSES)[number];

export const domains = sqliteTable(
  "domains",
  {
    id: text("id").primaryKey(),
    accountId: ownerId("account_id", () => accounts.id),
    name: text("name").notNull(),
    unicodeName: text("unicode_name").notNull(),
    /** The account's own id for the domain's customer; empty for none. Several customers may have the same domain. */
    reference: text("reference").notNull().default(""),
    archived: flag("archived").notNull().default(false),
    status: text("status", { enum: DOMAIN_STATUSES }).notNull().default("unclaimed"),
    claimId: text("claim_id"),
    /** The time of its newest proof, written in the transaction that proves the claim. */
    lastProvedAt: instant("last_proved_at"),
    /** What went wrong after that proof, until a read shows that it is over; null if nothing did. */
    loss: text("loss", { enum: LOSSES }),
    /** Whether the account may rely on the domain. */
    holds: flag("holds")
      .generatedAlwaysAs(sql`last_proved_at is not null and loss is null and not archived`, {
        mode: "virtual",
      })
      .notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (t) => [
    unique("domains_account_name_reference").on(t.accountId, t.name, t.reference),
    unique("domains_id_account").on(t.id, t.accountId),
    index("domains_listing").on(t.accountId, t.archived, t.createdAt, t.id),
    index("domains_listing_status").on(t.accountId, t.archived, t.status, t.createdAt, t.id),
    index("domains_listing_name").on(t.accountId, t.archived, t.name, t.id),
    index("domains_of_name").on(t.accountId, t.name, t.createdAt, t.id),
    index("domains_of_reference")
      .on(t.accountId, t.reference, t.archived, t.createdAt, t.id)
      .where(sql`${t.reference} <> ''`),
    index("domains_of_reference_status")
      .on(t.accountId, t.reference, t.archived, t.status, t.createdAt, t.id)
      .where(sql`${t.reference} <> ''`),
    index("domains_lost").on(t.accountId).where(sql`${t.loss} is not null`),
    ...enums("domains", { status: t.status, loss: t.loss }),
    check("domains_claim_in_play", sql`(${t.status} = 'unclaimed') = (${t.claimId} is null)`),
    check("domains_archived_closed", sql`not (${t.archived} = 1 and ${t.status} = 'pending')`),
    check("domains_name_length", sql`length(${t.name}) between 1 and 253`),
    check("domains_reference_length", sql`length(${t.reference}) <= 200`),
  ],
);

/** Numbers for `domain_search` (db/migrations/0011), in the order of adding: row ids of `domains` may change. */
export const domainNumbers = sqliteTable("domain_numbers", {
  number: integer("number").primaryKey(),
  domainId: ownerId("domain_id", () => domains.id).unique(),
});

/** Counts of an account's domains, written only by triggers on `domains`. */
export const domainCounts = sqliteTable("domain_counts", {
  accountId: ownerId("account_id", () => accounts.id).primaryKey(),
  unclaimed: integer("unclaimed").notNull().default(0),
  pending: integer("pending").notNull().default(0),
  proved: integer("proved").notNull().default(0),
  expired: integer("expired").notNull().default(0),
  canceled: integer("canceled").notNull().default(0),
  archived: integer("archived").notNull().default(0),
});
