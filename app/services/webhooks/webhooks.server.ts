import { randomBytes } from "node:crypto";
import { and, asc, count, eq, sql } from "drizzle-orm";
import type { Db, Tx } from "#db/client.ts";
import { prepared } from "#db/queries.ts";
import { type WEBHOOK_ENDS, webhookDeliveries, webhooks } from "#db/schema.ts";
import { commit } from "../commit.server.ts";
import type { Context } from "../context.server.ts";
import { DeedError } from "../errors.server.ts";
import type { WebhookEvent } from "../feed/webhook-queue.server.ts";
import { newId } from "../ids.server.ts";
import { DAY, iso, isoOrNull } from "../time.ts";
import { EVENTS_SHOWN } from "./events.ts";
import type { Webhook, WebhookWithSecret } from "./webhook-resources.ts";

export type WebhookRow = typeof webhooks.$inferSelect;
export type WebhookEnd = (typeof WEBHOOK_ENDS)[number];

export const MOST_WEBHOOKS = 10;
/** How long the secret before a rotation signs beside the new one. */
export const OVERLAP_MS = DAY;
const SECRET_BYTES = 32;

/** A secret as Standard Webhooks writes it. */
const newWebhookSecret = () => `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;

const own = and(
  eq(webhooks.id, sql.placeholder("id")),
  eq(webhooks.accountId, sql.placeholder("accountId")),
);
const byId = prepared((db) => db.select().from(webhooks).where(own).prepare());
const ofAccount = prepared((db) =>
  db
    .select()
    .from(webhooks)
    .where(eq(webhooks.accountId, sql.placeholder("accountId")))
    .orderBy(asc(webhooks.createdAt), asc(webhooks.id))
    .prepare(),
);

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

const toWebhook = (row: WebhookRow, now: number): Webhook => ({
  id: row.id,
  url: row.url,
  events: JSON.parse(row.events),
  disabledBecause: row.disabledBecause,
  disabledAt: isoOrNull(row.disabledAt),
  previousSecretUntil:
    row.previousUntil !== null && row.previousUntil > now ? iso(row.previousUntil) : null,
  createdAt: iso(row.createdAt),
});

/** Oldest first. */
export const listWebhooks = (ctx: Context, accountId: string): Webhook[] =>
  ofAccount(ctx.db)
    .all({ accountId })
    .map((row) => toWebhook(row, ctx.clock()));

/** Throws webhook_not_found. */
export const readWebhook = (ctx: Context, accountId: string, id: string): Webhook =>
  toWebhook(webhookRow(ctx.db, accountId, id), ctx.clock());

/** The account's webhooks that Deed disabled, and nobody has enabled again. */
export const endedWebhooks = (ctx: Context, accountId: string): Webhook[] =>
  listWebhooks(ctx, accountId).filter(
    ({ disabledBecause }) => disabledBecause !== null && disabledBecause !== "holder",
  );

function checkUrl(ctx: Pick<Context, "outbound">, url: string): void {
  const problem = ctx.outbound.problem(url);
  if (problem) throw new DeedError("invalid_request", { message: `The field "url" ${problem}.` });
}

/** The events as stored: each once, in one order. */
const stored = (events: readonly WebhookEvent[]) =>
  JSON.stringify(EVENTS_SHOWN.filter((type) => events.includes(type)));

type Wanted = { url: string; events: readonly WebhookEvent[] };

/** Throws invalid_request, too_many_webhooks. */
export async function addWebhook(
  ctx: Context,
  accountId: string,
  { url, events }: Wanted,
): Promise<WebhookWithSecret> {
  checkUrl(ctx, url);
  return commit(ctx, (tx, ctx) => {
    const ofIt = eq(webhooks.accountId, accountId);
    const some = tx.select({ count: count() }).from(webhooks).where(ofIt).get();
    if ((some?.count ?? 0) >= MOST_WEBHOOKS) throw new DeedError("too_many_webhooks");
    const now = ctx.clock();
    const row = tx
      .insert(webhooks)
      .values({
        id: newId("whk", now),
        accountId,
        url: new URL(url).href,
        events: stored(events),
        secret: newWebhookSecret(),
        createdAt: now,
      })
      .returning()
      .get();
    return { ...toWebhook(row, now), secret: row.secret };
  });
}

/** Changes what is given. Throws webhook_not_found, invalid_request. */
export async function updateWebhook(
  ctx: Context,
  accountId: string,
  id: string,
  change: Partial<Wanted> & { enabled?: boolean },
): Promise<Webhook> {
  if (change.url !== undefined) checkUrl(ctx, change.url);
  return commit(ctx, (tx, ctx) => {
    const now = ctx.clock();
    const before = webhookRow(tx, accountId, id);
    const set = {
      ...(change.url === undefined ? {} : { url: new URL(change.url).href }),
      ...(change.events === undefined ? {} : { events: stored(change.events) }),
      ...(change.enabled === true
        ? { disabledAt: null, disabledBecause: null, mailDueAt: null }
        : {}),
    };
    if (Object.keys(set).length > 0) tx.update(webhooks).set(set).where(eq(webhooks.id, id)).run();
    if (change.enabled === false && before.disabledAt === null) endWebhook(tx, id, "holder", now);
    return toWebhook(webhookRow(tx, accountId, id), now);
  });
}

/**
 * Disables a webhook: what is pending is given up, and can be sent again by hand. Unless its holder wished it, a mail
 * is due.
 */
export function endWebhook(tx: Tx, id: string, because: WebhookEnd, now: number): void {
  const mail = because === "holder" ? {} : { mailDueAt: now, mailTries: 0 };
  tx.update(webhooks)
    .set({ disabledAt: now, disabledBecause: because, ...mail })
    .where(eq(webhooks.id, id))
    .run();
  tx.update(webhookDeliveries)
    .set({ state: "failed", dueAt: null })
    .where(and(eq(webhookDeliveries.webhookId, id), eq(webhookDeliveries.state, "pending")))
    .run();
}

/** A new secret; the one before signs for a day longer. Throws webhook_not_found. */
export async function rotateSecret(
  ctx: Context,
  accountId: string,
  id: string,
): Promise<WebhookWithSecret> {
  return commit(ctx, (tx, ctx) => {
    const now = ctx.clock();
    const { secret: previousSecret } = webhookRow(tx, accountId, id);
    const row = tx
      .update(webhooks)
      .set({ secret: newWebhookSecret(), previousSecret, previousUntil: now + OVERLAP_MS })
      .where(eq(webhooks.id, id))
      .returning()
      .get();
    return { ...toWebhook(row, now), secret: row.secret };
  });
}

/** Deletes a webhook with its deliveries. Throws webhook_not_found. */
export async function removeWebhook(ctx: Context, accountId: string, id: string): Promise<void> {
  await commit(ctx, (tx) => {
    webhookRow(tx, accountId, id);
    tx.delete(webhooks).where(eq(webhooks.id, id)).run();
  });
}
