import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { accounts, people } from "./accounts.ts";
import { bothOrNeither, enums, instant, ownerId } from "./columns.ts";
import { WATCH_STATES } from "./watches.ts";

export const FEED_TYPES = [
  "verification.ran",
  "claim.opened",
  "claim.ended",
  "domain.archived",
  "domain.unarchived",
  "domain.created",
  "domain.deleted",
  "domain.holds",
  "domain.no_longer_holds",
  "proof_link.issued",
  "proof_link.revoked",
  "notice.created",
] as const;

/** Events for webhooks: those of the change feed, and more that integrators wait for. */
export const WEBHOOK_EVENTS = [
  ...FEED_TYPES,
  "claim.proved",
  "claim.expired",
  "claim.needs_attention",
  "handoff.opened",
  ...WATCH_STATES.map((state) => `watch.${state}` as const),
  "domain.expiring",
  "domain.renewed",
] as const;

/** Why a webhook gets no events: its holder disabled it, it answered 410, it failed for three days, a person left, a key ended. */
export const WEBHOOK_ENDS = ["holder", "gone", "failing", "person_left", "key_revoked"] as const;

export const WEBHOOK_KINDS = ["deed", "slack", "discord", "ntfy"] as const;

export const DELIVERY_STATES = ["pending", "delivered", "failed"] as const;

/** The change feed, written in the transaction that makes the change. Kept for 24 hours. */
export const changeFeed = sqliteTable(
  "change_feed",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    accountId: text("account_id").notNull(),
    type: text("type", { enum: FEED_TYPES }).notNull(),
    /** JSON object of the ids concerned, for example {"verificationId","claimId"}. */
    ids: text("ids", { mode: "json" }).$type<Record<string, string>>().notNull(),
    at: instant("at").notNull(),
  },
  (t) => [
    index("change_feed_account").on(t.accountId, t.id),
    ...enums("change_feed", { type: t.type }),
    check("change_feed_ids", sql`json_valid(${t.ids})`),
  ],
);

export const webhooks = sqliteTable(
  "webhooks",
  {
    id: text("id").primaryKey(),
    accountId: ownerId("account_id", () => accounts.id),
    url: text("url").notNull(),
    kind: text("kind", { enum: WEBHOOK_KINDS }).notNull().default("deed"),
    /** The person who chose the address; null once they have left. */
    urlBy: text("url_by").references(() => people.id, { onDelete: "set null" }),
    /** The API key that chose it; "none" for a signed-in person, null if unknown. No reference: test keys are elsewhere. */
    urlByKey: text("url_by_key"),
    events: text("events", { mode: "json" }).$type<(typeof WEBHOOK_EVENTS)[number][]>().notNull(),
    /** The secret that signs its posts, `whsec_…`, stored as it is: a hash could not sign. */
    secret: text("secret").notNull(),
    /** The person who saw the secret; null once they have left. */
    secretBy: text("secret_by").references(() => people.id, { onDelete: "set null" }),
    secretByKey: text("secret_by_key"),
    /** The secret before the last rotation, which also signs until `previousUntil`. */
    previousSecret: text("previous_secret"),
    previousUntil: instant("previous_until"),
    createdAt: instant("created_at").notNull(),
    disabledAt: instant("disabled_at"),
    disabledBecause: text("disabled_because", { enum: WEBHOOK_ENDS }),
    /** When the mail that says that it was disabled is due; null if none is. */
    mailDueAt: instant("mail_due_at"),
    mailTries: integer("mail_tries").notNull().default(0),
  },
  (t) => [
    index("webhooks_account").on(t.accountId, t.createdAt, t.id),
    index("webhooks_url_by").on(t.urlBy),
    index("webhooks_secret_by").on(t.secretBy),
    index("webhooks_mail_due").on(t.mailDueAt).where(sql`${t.mailDueAt} is not null`),
    ...enums("webhooks", { kind: t.kind, end: t.disabledBecause }),
    check("webhooks_events", sql`json_valid(${t.events})`),
    bothOrNeither("webhooks_end_whole", t.disabledAt, t.disabledBecause),
    bothOrNeither("webhooks_rotation_whole", t.previousSecret, t.previousUntil),
  ],
);

/** An event in the webhooks' format, written in the transaction that makes the change. Kept for a week. */
export const webhookMessages = sqliteTable(
  "webhook_messages",
  {
    /** The value of `webhook-id`. */
    id: text("id").primaryKey(),
    accountId: ownerId("account_id", () => accounts.id),
    /** The domain of the event; the message is erased with it. */
    domainId: text("domain_id"),
    type: text("type").notNull(),
    body: text("body").notNull(),
    at: instant("at").notNull(),
  },
  (t) => [
    index("webhook_messages_account").on(t.accountId),
    index("webhook_messages_domain").on(t.domainId),
    index("webhook_messages_age").on(t.at),
    check("webhook_messages_body", sql`json_valid(${t.body})`),
  ],
);

export const webhookDeliveries = sqliteTable(
  "webhook_deliveries",
  {
    /** Numbers are in the order of the events. */
    number: integer("number").primaryKey({ autoIncrement: true }),
    id: text("id").notNull().unique(),
    webhookId: ownerId("webhook_id", () => webhooks.id),
    messageId: ownerId("message_id", () => webhookMessages.id),
    /** Deliveries of a lane are sent one by one: a domain's id, or the delivery's own id if it has no order. */
    lane: text("lane").notNull(),
    createdAt: instant("created_at").notNull(),
    state: text("state", { enum: DELIVERY_STATES }).notNull().default("pending"),
    /** When the delivery is due, if it is its lane's first pending one; otherwise null. */
    dueAt: instant("due_at"),
    tries: integer("tries").notNull().default(0),
    triedAt: instant("tried_at"),
    status: integer("status"),
    /** Why the last try got no answer, or why the delivery was given up without a try; else null. */
    reason: text("reason"),
    /** The beginning of the last answer, made visible. */
    answer: text("answer"),
    latencyMs: integer("latency_ms"),
  },
  (t) => [
    index("webhook_deliveries_due").on(t.webhookId, t.dueAt).where(sql`${t.dueAt} is not null`),
    index("webhook_deliveries_lane")
      .on(t.webhookId, t.lane, t.number)
      .where(sql`${t.state} = 'pending'`),
    index("webhook_deliveries_listing").on(t.webhookId, t.number),
    index("webhook_deliveries_message").on(t.messageId),
    ...enums("webhook_deliveries", { state: t.state }),
    check(
      "webhook_deliveries_due_while_pending",
      sql`${t.dueAt} is null or ${t.state} = 'pending'`,
    ),
  ],
);
