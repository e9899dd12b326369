import { and, eq, sql } from "drizzle-orm";
import type { Db, Tx } from "#db/client.ts";
import { prepared } from "#db/queries.ts";
import { webhooks } from "#db/schema.ts";
import { type AccountEventKind, logAccountEvent } from "../accounts/account-events.server.ts";
import type { Person } from "../accounts/accounts.server.ts";
import { DeedError } from "../errors.server.ts";
import { iso, isoOrNull } from "../time.ts";
import type { Webhook } from "./webhook-resources.ts";

export type WebhookRow = typeof webhooks.$inferSelect;

const own = and(
  eq(webhooks.id, sql.placeholder("id")),
  eq(webhooks.accountId, sql.placeholder("accountId")),
);
const byId = prepared((db) => db.select().from(webhooks).where(own).prepare());
/** Throws webhook_not_found. */
export function webhookRow(db: Db | Tx, accountId: string, id: string): WebhookRow {
  const row = byId(db).get({ id, accountId });
  if (!row) throw new DeedError("webhook_not_found");
  return row;
}

/** A webhook that takes deliveries. Throws webhook_not_found, webhook_disabled. */
export function enabledWebhook(tx: Tx, accountId: string, id: string): WebhookRow {
  const row = webhookRow(tx, accountId, id);
  if (row.disabledAt !== null) throw new DeedError("webhook_disabled");
  return row;
}

export const toWebhook = (row: WebhookRow, now: number): Webhook => ({
  id: row.id,
  url: row.url,
  events: JSON.parse(row.events),
  disabledBecause: row.disabledBecause,
  disabledAt: isoOrNull(row.disabledAt),
  previousSecretUntil:
    row.previousUntil !== null && row.previousUntil > now ? iso(row.previousUntil) : null,
  createdAt: iso(row.createdAt),
});

/** Adds a change of a webhook to the account's log. */
export const logChange = (
  tx: Tx,
  { accountId, email }: Person,
  kind: AccountEventKind,
  url: string,
  now: number,
): void => logAccountEvent(tx, accountId, kind, now, { email, subject: new URL(url).host });
