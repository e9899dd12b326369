import { sql } from "drizzle-orm";
import { check, index, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { accounts, people } from "./accounts.ts";
import { bothOrNeither, instant, ownerId } from "./columns.ts";

export const SCOPES = [
  "zones:read",
  "domains:read",
  "domains:write",
  "webhooks:manage",
  "gate:ask",
] as const;

export type Scope = (typeof SCOPES)[number];

/**
 * API keys. Only keyed hashes of their secrets are stored. After a rotation the previous secret works until
 * `previous_until`, if the person who saw it is still in the account.
 */
export const apiKeys = sqliteTable(
  "api_keys",
  {
    id: text("id").primaryKey(),
    accountId: ownerId("account_id", () => accounts.id),
    /** The person who saw the newest secret. The key is revoked when they leave the account. */
    personId: ownerId("person_id", () => people.id),
    name: text("name").notNull(),
    scopes: text("scopes", { mode: "json" }).$type<Scope[]>().notNull(),
    /** CIDRs that may use it; if empty, any address may. */
    addresses: text("addresses", { mode: "json" }).$type<string[]>().notNull(),
    secretHash: text("secret_hash").notNull(),
    previousHash: text("previous_hash"),
    previousUntil: instant("previous_until"),
    /** The person who saw the previous secret. */
    previousPersonId: text("previous_person_id").references(() => people.id, {
      onDelete: "set null",
    }),
    createdAt: instant("created_at").notNull(),
    rotatedAt: instant("rotated_at"),
    /** When the key expires; null if it never does. */
    expiresAt: instant("expires_at"),
    lastUsedAt: instant("last_used_at"),
    lastUsedFrom: text("last_used_from"),
  },
  (t) => [
    index("api_keys_account").on(t.accountId, t.createdAt, t.id),
    index("api_keys_person").on(t.personId),
    index("api_keys_previous_person").on(t.previousPersonId),
    bothOrNeither("api_keys_previous_whole", t.previousHash, t.previousUntil),
    check("api_keys_order", sql`${t.expiresAt} is null or ${t.expiresAt} > ${t.createdAt}`),
    bothOrNeither("api_keys_used_whole", t.lastUsedAt, t.lastUsedFrom),
  ],
);
