import { and, eq, isNull, sql } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { limitBy, prepared, preparedInsert } from "#db/queries.ts";
import {
  claims,
  type WEBHOOK_EVENTS,
  webhookDeliveries,
  webhookMessages,
  webhooks,
} from "#db/schema.ts";
import { newId } from "../ids.server.ts";

export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

const ofAccount = prepared((db) =>
  db
    .select({ id: webhooks.id, events: webhooks.events })
    .from(webhooks)
    .where(and(eq(webhooks.accountId, sql.placeholder("accountId")), isNull(webhooks.disabledAt)))
    .prepare(),
);

const domainOfClaim = prepared((db) =>
  db
    .select({ domainId: claims.domainId })
    .from(claims)
    .where(eq(claims.id, sql.placeholder("claimId")))
    .prepare(),
);

const waitingInLane = prepared((db) =>
  db
    .select({ number: webhookDeliveries.number })
    .from(webhookDeliveries)
    .where(
      and(
        eq(webhookDeliveries.webhookId, sql.placeholder("webhookId")),
        eq(webhookDeliveries.lane, sql.placeholder("lane")),
        eq(webhookDeliveries.state, sql.raw("'pending'")),
      ),
    )
    .limit(limitBy(1))
    .prepare(),
);

const insertMessage = preparedInsert(
  webhookMessages,
  "id",
  "accountId",
  "domainId",
  "type",
  "ids",
  "at",
);
const insertDelivery = preparedInsert(
  webhookDeliveries,
  "id",
  "webhookId",
  "messageId",
  "lane",
  "createdAt",
  "dueAt",
);

/**
 * Queues an event for the account's webhooks that want it, in its transaction. `commit` writes the message's body when
 * the transaction has made all its changes.
 */
export function queueForWebhooks(
  tx: Tx,
  accountId: string,
  type: WebhookEvent,
  ids: Record<string, string>,
  at: number,
): void {
  const wanting = ofAccount(tx)
    .all({ accountId })
    .filter(({ events }) => (JSON.parse(events) as string[]).includes(type));
  if (wanting.length === 0) return;
  const { claimId = "" } = ids;
  const domainId = ids.domainId ?? domainOfClaim(tx).get({ claimId })?.domainId ?? null;
  const messageId = newId("msg", at);
  insertMessage(tx)({ id: messageId, accountId, domainId, type, ids: JSON.stringify(ids), at });
  for (const { id: webhookId } of wanting)
    queueDelivery(tx, { webhookId, messageId, lane: domainId ?? messageId }, at);
}

/** Queues a message for one webhook, behind what is pending in its lane. Returns the delivery's id. */
export function queueDelivery(
  tx: Tx,
  where: { webhookId: string; messageId: string; lane: string },
  at: number,
): string {
  const isFirst = waitingInLane(tx).get(where) === undefined;
  const id = newId("dlv", at);
  insertDelivery(tx)({ ...where, id, createdAt: at, dueAt: isFirst ? at : null });
  return id;
}
