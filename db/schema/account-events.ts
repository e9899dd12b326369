import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { accounts } from "./accounts.ts";
import { enums, instant, ownerId } from "./columns.ts";
import { domains } from "./domains.ts";

export const ACCOUNT_EVENTS = [
  "signed_in_by_link",
  "signed_in_by_code",
  "signed_in_by_provider",
  "code_refused",
  "signed_out",
  "session_ended",
  "signed_out_everywhere",
  "proof_link_issued",
  "proof_link_revoked",
  "handoff_issued",
  "handoff_revoked",
  "mails_switched_on",
  "mails_switched_off",
  "identity_joined",
  "person_invited",
  "invitation_withdrawn",
  "invitation_declined",
  "person_joined",
  "person_removed",
  "person_left",
  "account_disabled",
  "account_enabled",
  "key_created",
  "key_rotated",
  "key_revoked",
  "webhook_added",
  "webhook_changed",
  "webhook_rotated",
  "webhook_removed",
] as const;

/** Security events of an account, shown to its holder. Kept for at most 90 days, and at most 50 per kind. */
export const accountEvents = sqliteTable(
  "account_events",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    accountId: ownerId("account_id", () => accounts.id),
    kind: text("kind", { enum: ACCOUNT_EVENTS }).notNull(),
    /** Address of the person who acted; null for links, and on rows older than this column. */
    email: text("email"),
    /** User agent of the browser that signed in, tried a code or was signed out; otherwise empty. */
    userAgent: text("user_agent").notNull().default(""),
    /** Domain of the proof link or hand-off; null for other events, and once the domain is erased. */
    domainId: text("domain_id").references(() => domains.id, { onDelete: "set null" }),
    /** Name of the API key, host of the webhook, or address of whoever was invited or removed; otherwise null. */
    subject: text("subject"),
    at: instant("at").notNull(),
  },
  (t) => [
    index("account_events_account").on(t.accountId, t.kind, t.id),
    index("account_events_domain").on(t.domainId),
    index("account_events_age").on(t.at),
    ...enums("account_events", { kind: t.kind }),
  ],
);
