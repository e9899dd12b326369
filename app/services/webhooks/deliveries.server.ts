import { setTimeout as sleep } from "node:timers/promises";
import { and, desc, eq, lt, sql } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { limitBy, prepared } from "#db/queries.ts";
import { webhookDeliveries, webhookMessages } from "#db/schema.ts";
import { commit } from "../commit.server.ts";
import type { Context } from "../context.server.ts";
import { pageOf, parseCursor } from "../cursor.ts";
import { DeedError } from "../errors.server.ts";
import { queueDelivery } from "../feed/webhook-queue.server.ts";
import { newId } from "../ids.server.ts";
import { iso, isoOrNull } from "../time.ts";
import { messageBody } from "./bodies.server.ts";
import { TEST_EVENT } from "./messages.ts";
import type { Delivery, DeliveryDetail, DeliveryList } from "./webhook-resources.ts";
import { enabledWebhook, webhookRow } from "./webhook-rows.server.ts";

const DEFAULT_LIMIT = 25;

const shown = { delivery: webhookDeliveries, type: webhookMessages.type };
const ofWebhook = eq(webhookDeliveries.webhookId, sql.placeholder("webhookId"));
const itsMessage = eq(webhookMessages.id, webhookDeliveries.messageId);

const page = prepared((db) =>
  db
    .select(shown)
    .from(webhookDeliveries)
    .innerJoin(webhookMessages, itsMessage)
    .where(and(ofWebhook, lt(webhookDeliveries.number, sql.placeholder("before"))))
    .orderBy(desc(webhookDeliveries.number))
    .limit(limitBy("limit"))
    .prepare(),
);

const byId = prepared((db) =>
  db
    .select({ ...shown, body: webhookMessages.body })
    .from(webhookDeliveries)
    .innerJoin(webhookMessages, itsMessage)
    .where(and(ofWebhook, eq(webhookDeliveries.id, sql.placeholder("id"))))
    .prepare(),
);

const triedAtOf = prepared((db) =>
  db
    .select({ triedAt: webhookDeliveries.triedAt })
    .from(webhookDeliveries)
    .where(eq(webhookDeliveries.id, sql.placeholder("id")))
    .prepare(),
);

type Row = { delivery: typeof webhookDeliveries.$inferSelect; type: string };

const toDelivery = ({ delivery, type }: Row): Delivery => ({
  id: delivery.id,
  messageId: delivery.messageId,
  type,
  state: delivery.state,
  tries: delivery.tries,
  createdAt: iso(delivery.createdAt),
  triedAt: isoOrNull(delivery.triedAt),
  nextTryAt: isoOrNull(delivery.dueAt),
  status: delivery.status,
  reason: delivery.reason,
  answer: delivery.answer,
  latencyMs: delivery.latencyMs,
});

/** Newest first. Throws webhook_not_found, and invalid_request on an invalid cursor. */
export function listDeliveries(
  ctx: Context,
  accountId: string,
  webhookId: string,
  query: { cursor?: string | undefined; limit?: number | undefined },
): DeliveryList {
  webhookRow(ctx.db, accountId, webhookId);
  // In the order of the events, which a time in milliseconds does not tell. A number would tell how many others had.
  const { id } = parseCursor(query.cursor);
  const last = query.cursor === undefined ? undefined : byId(ctx.db).get({ webhookId, id });
  const before =
    query.cursor === undefined ? Number.MAX_SAFE_INTEGER : (last?.delivery.number ?? 0);
  const limit = query.limit ?? DEFAULT_LIMIT;
  const rows = page(ctx.db)
    .all({ webhookId, before, limit: limit + 1 })
    .map((row) => ({ createdAt: row.delivery.createdAt, id: row.delivery.id, row }));
  const { page: some, nextCursor } = pageOf(rows, limit);
  return { deliveries: some.map(({ row }) => toDelivery(row)), nextCursor };
}

function deliveryRow(db: Context["db"] | Tx, webhookId: string, id: string) {
  const row = byId(db).get({ webhookId, id });
  if (!row) throw new DeedError("delivery_not_found");
  return row;
}

/** Throws webhook_not_found, delivery_not_found. */
export function readDelivery(
  ctx: Context,
  accountId: string,
  webhookId: string,
  id: string,
): DeliveryDetail {
  webhookRow(ctx.db, accountId, webhookId);
  const row = deliveryRow(ctx.db, webhookId, id);
  return { ...toDelivery(row), body: row.body ?? "" };
}

/** Queues a message without an event, for its holder to see how it is answered. Throws webhook_not_found, webhook_disabled. */
export async function testWebhook(ctx: Context, accountId: string, id: string): Promise<Delivery> {
  return commit(ctx, (tx, ctx) => {
    enabledWebhook(tx, accountId, id);
    ctx.deliveries.forgive(id);
    const at = ctx.clock();
    const messageId = newId("msg", at);
    const body = messageBody(TEST_EVENT, at, { webhook: { id } });
    tx.insert(webhookMessages)
      .values({ id: messageId, accountId, type: TEST_EVENT, ids: "{}", body, at })
      .run();
    const delivery = queueDelivery(tx, { webhookId: id, messageId, lane: messageId }, at);
    return toDelivery(deliveryRow(tx, id, delivery));
  });
}

/**
 * Sends a message once more, now: one that ended, outside its order; one that waits for its next try, at once. Throws
 * webhook_not_found, delivery_not_found, webhook_disabled.
 */
export async function sendAgain(
  ctx: Context,
  accountId: string,
  webhookId: string,
  id: string,
): Promise<Delivery> {
  return commit(ctx, (tx, ctx) => {
    enabledWebhook(tx, accountId, webhookId);
    ctx.deliveries.forgive(webhookId);
    const { delivery } = deliveryRow(tx, webhookId, id);
    const now = ctx.clock();
    const again =
      delivery.state === "pending"
        ? { dueAt: delivery.dueAt === null ? null : now }
        : { state: "pending" as const, lane: id, tries: 0, dueAt: now };
    tx.update(webhookDeliveries).set(again).where(eq(webhookDeliveries.id, id)).run();
    return toDelivery(deliveryRow(tx, webhookId, id));
  });
}

/** How long a first try can take, with the worker's round before it. */
const FIRST_TRY_MS = 7_000;
const LOOK_EVERY_MS = 100;

/** Waits until a delivery was tried since `since` (epoch milliseconds), or as long as a try can take. */
export async function waitForTry(
  ctx: Context,
  id: string,
  since: number,
  signal: AbortSignal,
): Promise<void> {
  const giveUpAt = performance.now() + FIRST_TRY_MS;
  while (!signal.aborted && performance.now() < giveUpAt) {
    const row = triedAtOf(ctx.db).get({ id });
    if (!row || (row.triedAt ?? 0) >= since) return;
    await sleep(LOOK_EVERY_MS);
  }
}
