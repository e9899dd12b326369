import { setTimeout as sleep } from "node:timers/promises";
import { timestamp } from "@deed/dns/verdict/diagnosis.ts";
import { and, desc, eq, gt, gte, inArray, isNotNull, lt, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { defineEndpoint } from "#app/api/endpoint.server.ts";
import { Cursor, PageSize } from "#app/api/inputs.ts";
import { commit } from "#app/core/commit.server.ts";
import type { Context } from "#app/core/context.server.ts";
import { pageOf, parseCursor } from "#app/core/cursor.ts";
import { DeedError, orThrow } from "#app/core/errors.server.ts";
import { object } from "#app/core/resources.ts";
import { isoFields, isoOrNull } from "#app/core/time.ts";
import type { Db, Tx } from "#db/client.ts";
import { DELIVERY_STATES, webhookDeliveries } from "#db/schema.ts";
import { webhookBase } from "./api.server.ts";
import { postOf } from "./chat.server.ts";
import { writeMessage } from "./messages.server.ts";
import {
  BATCH,
  deliveryRows,
  listWebhooks,
  runInBatches,
  type Webhook,
  webhookRow,
} from "./webhooks.server.ts";

export const Delivery = object("Delivery", {
  id: z.string(),
  messageId: z.string().describe("The value of `webhook-id`"),
  type: z.string(),
  state: z.enum(DELIVERY_STATES),
  tries: z.int().min(0),
  createdAt: timestamp,
  triedAt: timestamp.nullable(),
  nextTryAt: timestamp.nullable().meta({
    description:
      "Null once the delivery has ended, and while it waits for an earlier delivery about its domain",
  }),
  status: z.int().nullable().describe("The status of the last answer"),
  reason: z.string().nullable().describe("Why there was no answer; null if there was one"),
  answer: z.string().nullable().describe("The beginning of the last answer"),
  latencyMs: z.int().min(0).nullable(),
});
export type Delivery = z.infer<typeof Delivery>;

const DeliveryDetail = object("DeliveryDetail", {
  ...Delivery.shape,
  body: z.string().describe("What is posted"),
});

const DeliveryList = object("DeliveryList", {
  deliveries: z.array(Delivery),
  nextCursor: z.string().nullable(),
});

const { id: deliveryId, number, webhookId: webhookOfDelivery, createdAt } = webhookDeliveries;

/** Selects deliveries, newest first in the order of the events, since times in milliseconds may be equal. */
const selectDeliveries = (db: Db | Tx, webhookId: string, condition: SQL) =>
  deliveryRows(db, and(eq(webhookOfDelivery, webhookId), condition)).orderBy(desc(number));

const findDelivery = (db: Db | Tx, webhookId: string, id: string) =>
  selectDeliveries(db, webhookId, eq(deliveryId, id)).get();
type Row = NonNullable<ReturnType<typeof findDelivery>>;

const getDelivery = (...args: Parameters<typeof findDelivery>): Row =>
  orThrow(findDelivery(...args), "delivery_not_found");

function toDelivery({ delivery, message: { type } }: Row): Delivery {
  const { number, webhookId, lane, dueAt, ...rest } = delivery;
  const dates = isoFields(rest, "createdAt", "triedAt");
  return { ...rest, type, ...dates, nextTryAt: isoOrNull(dueAt) };
}

/** Lists deliveries, newest first. Throws webhook_not_found, and invalid_request on an invalid cursor. */
export function listDeliveries(
  ctx: Context,
  accountId: string,
  webhookId: string,
  { cursor, limit = 25 }: { cursor?: string | undefined; limit?: number },
) {
  webhookRow(ctx.db, accountId, webhookId);
  // A cursor with the number itself would show how many deliveries others had.
  const last = findDelivery(ctx.db, webhookId, parseCursor(cursor, "dlv").id)?.delivery.number ?? 0;
  const isBefore = lt(number, cursor === undefined ? Number.MAX_SAFE_INTEGER : last);
  const query = selectDeliveries(ctx.db, webhookId, isBefore).limit(limit + 1);
  const { page, nextCursor } = pageOf(query.all(), limit, ({ delivery }) => delivery);
  return { deliveries: page.map(toDelivery), nextCursor };
}

export type ShownWebhook = ReturnType<typeof shownWebhook>;

/** Adds `refused`: of the events that the webhook did not accept, the one that Deed sends again first, or null. */
export function shownWebhook({ db }: Context, webhook: Webhook) {
  const { dueAt, tries } = webhookDeliveries;
  const isRefused = and(eq(webhookOfDelivery, webhook.id), isNotNull(dueAt), gt(tries, 0));
  const row = deliveryRows(db, isRefused).orderBy(dueAt).limit(1).get();
  return { ...webhook, refused: row ? toDelivery(row) : null };
}

export const shownWebhooks = (ctx: Context, accountId: string) =>
  listWebhooks(ctx, accountId).map((webhook) => shownWebhook(ctx, webhook));

/** Reads a delivery. Throws webhook_not_found, delivery_not_found. */
export function readDelivery(ctx: Context, accountId: string, webhookId: string, id: string) {
  webhookRow(ctx.db, accountId, webhookId);
  const row = getDelivery(ctx.db, webhookId, id);
  return { ...toDelivery(row), body: postOf(ctx, row).body };
}

/** Posts a test. Throws webhook_not_found, webhook_disabled. */
export const testWebhook = (ctx: Context, accountId: string, id: string): Promise<Delivery> =>
  commit(ctx, (tx, ctx, now) => {
    requireEnabled(tx, accountId, id);
    const ids = { webhookId: id };
    const test = { accountId, type: "webhook.test", ids, at: now } as const;
    const [delivery = ""] = writeMessage(tx, ctx, test, [{ id, isTaking: 1 }]);
    return toDelivery(getDelivery(tx, id, delivery));
  });

/** Sends an ended delivery, out of its lane's order. Throws webhook_not_found, delivery_not_found, webhook_disabled. */
export const sendAgain = (ctx: Context, accountId: string, webhookId: string, id: string) =>
  commit(ctx, (tx, _, now) => {
    requireEnabled(tx, accountId, webhookId);
    const { state, dueAt } = getDelivery(tx, webhookId, id).delivery;
    const changes =
      state === "pending"
        ? { dueAt: dueAt === null ? null : now }
        : { state: "pending" as const, lane: id, tries: 0, dueAt: now };
    tx.update(webhookDeliveries).set(changes).where(eq(deliveryId, id)).run();
    return toDelivery(getDelivery(tx, webhookId, id));
  });

/** Sends again what failed since `since` (epoch milliseconds), in each domain's order, and returns how many. */
export async function sendFailedAgain(
  ctx: Context,
  accountId: string,
  webhookId: string,
  since: number,
): Promise<number> {
  let count = 0;
  await runInBatches(ctx, (tx, ctx) => {
    requireEnabled(tx, accountId, webhookId);
    const isOfWebhook = eq(webhookOfDelivery, webhookId);
    const isFailed = and(isOfWebhook, eq(webhookDeliveries.state, "failed"), gte(createdAt, since));
    const batch = tx.select({ number }).from(webhookDeliveries).where(isFailed).limit(BATCH).all();
    const isInBatch = inArray(
      number,
      batch.map((one) => one.number),
    );
    tx.update(webhookDeliveries).set({ state: "pending", tries: 0 }).where(isInBatch).run();
    tx.run(sql`update webhook_deliveries as d set due_at = iif(number = (
      select min(number) from webhook_deliveries where webhook_id = d.webhook_id
      and lane = d.lane and state = 'pending'), ${ctx.clock()}, null)
      where state = 'pending' and webhook_id = ${webhookId} and lane in (
        select lane from webhook_deliveries where ${isInBatch})`);
    count += batch.length;
    return { changes: batch.length };
  });
  return count;
}

function requireEnabled(tx: Tx, accountId: string, webhookId: string): void {
  if (webhookRow(tx, accountId, webhookId).disabledAt !== null)
    throw new DeedError("webhook_disabled");
}

/** The longest time of a first try, including the worker's round before it. */
const FIRST_TRY_MS = 7_000;
const POLL_EVERY_MS = 100;

/** Waits until a delivery has been tried after `since` (epoch milliseconds), or as long as a try can take. */
export async function waitForTry(
  { db }: Context,
  webhookId: string,
  id: string,
  since: number,
  signal: AbortSignal,
): Promise<void> {
  const giveUpAt = performance.now() + FIRST_TRY_MS;
  while (!signal.aborted && performance.now() < giveUpAt) {
    const row = findDelivery(db, webhookId, id);
    if (!row || (row.delivery.triedAt ?? 0) >= since) return;
    await sleep(POLL_EVERY_MS);
  }
}

const common = { ...webhookBase, errors: ["webhook_not_found", "delivery_not_found"] } as const;

export const deliveryEndpoints = {
  resendFailed: defineEndpoint("POST /api/webhooks/:id/resend", {
    ...webhookBase,
    summary: "Send again all that failed",
    description:
      "Sends the deliveries since `since` that were given up, and the events that the webhook missed while it was disabled. Both are kept for seven days, and at most 10,000 missed events. Each message keeps its `webhook-id`, and messages about one domain are sent in order. `count` says how many.",
    body: z.strictObject({
      since: z.iso.datetime({ offset: true }).describe("A week ago at most"),
    }),
    response: { 202: object("SentAgain", { count: z.int() }) },
    errors: [...webhookBase.errors, "webhook_disabled"],
    handler: async ({ app, caller, params, body }) => {
      const since = Date.parse(body.since);
      return { count: await sendFailedAgain(app, caller.accountId, params.id, since) };
    },
  }),
  tryWebhook: defineEndpoint("POST /api/webhooks/:id/test", {
    ...webhookBase,
    summary: "Send a test",
    description: "Posts a `webhook.test`. Its delivery shows the answer.",
    response: { 202: Delivery },
    errors: [...webhookBase.errors, "webhook_disabled"],
    handler: ({ app, caller, params }) => testWebhook(app, caller.accountId, params.id),
  }),
  browseDeliveries: defineEndpoint("GET /api/webhooks/:id/deliveries", {
    ...webhookBase,
    summary: "List the deliveries of the last week, newest first",
    query: z.strictObject({ cursor: Cursor.optional(), limit: PageSize }),
    response: { 200: DeliveryList },
    handler: ({ app, caller, params, query }) =>
      listDeliveries(app, caller.accountId, params.id, query),
  }),
  getDelivery: defineEndpoint("GET /api/webhooks/:id/deliveries/:delivery", {
    ...common,
    summary: "Read a delivery, with what is posted",
    response: { 200: DeliveryDetail },
    handler: ({ app, caller, params }) =>
      readDelivery(app, caller.accountId, params.id, params.delivery),
  }),
  resendDelivery: defineEndpoint("POST /api/webhooks/:id/deliveries/:delivery/resend", {
    ...common,
    summary: "Send a message again",
    description:
      "Sends the same message with the same `webhook-id`, outside the order of its domain. A message that waits for its next try is sent at once.",
    response: { 202: Delivery },
    errors: [...common.errors, "webhook_disabled"],
    handler: ({ app, caller, params }) =>
      sendAgain(app, caller.accountId, params.id, params.delivery),
  }),
};
