import { randomBytes } from "node:crypto";
import { asc, count, eq, sql } from "drizzle-orm";
import { prepared } from "#db/queries.ts";
import { webhooks } from "#db/schema.ts";
import type { Person } from "../accounts/accounts.server.ts";
import { commit } from "../commit.server.ts";
import type { Context } from "../context.server.ts";
import { DeedError } from "../errors.server.ts";
import type { WebhookEvent } from "../feed/webhook-queue.server.ts";
import { newId } from "../ids.server.ts";
import { DAY } from "../time.ts";
import { EVENTS_SHOWN } from "./events.ts";
import { endWebhook, giveUpPending } from "./webhook-end.server.ts";
import type { Webhook, WebhookWithSecret } from "./webhook-resources.ts";
import { logChange, toWebhook, webhookRow } from "./webhook-rows.server.ts";

export const MOST_WEBHOOKS = 10;
/** How long the secret before a rotation signs beside the new one. */
export const OVERLAP_MS = DAY;
const SECRET_BYTES = 32;

/** A secret as Standard Webhooks writes it. */
const newWebhookSecret = () => `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;

const ofAccount = prepared((db) =>
  db
    .select()
    .from(webhooks)
    .where(eq(webhooks.accountId, sql.placeholder("accountId")))
    .orderBy(asc(webhooks.createdAt), asc(webhooks.id))
    .prepare(),
);

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
  acting: Person,
  { url, events }: Wanted,
): Promise<WebhookWithSecret> {
  checkUrl(ctx, url);
  const { accountId, personId } = acting;
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
        urlBy: personId,
        events: stored(events),
        secret: newWebhookSecret(),
        secretBy: personId,
        createdAt: now,
      })
      .returning()
      .get();
    logChange(tx, acting, "webhook_added", row.url, now);
    return { ...toWebhook(row, now), secret: row.secret };
  });
}

/** Changes what is given. Throws webhook_not_found, invalid_request. */
export async function updateWebhook(
  ctx: Context,
  acting: Person,
  id: string,
  change: Partial<Wanted> & { enabled?: boolean },
): Promise<Webhook> {
  if (change.url !== undefined) checkUrl(ctx, change.url);
  const { accountId, personId } = acting;
  webhookRow(ctx.db, accountId, id);
  // A crash may have left some of it.
  if (change.enabled === true) await giveUpPending(ctx, id);
  const changed = await commit(ctx, (tx, ctx) => {
    const now = ctx.clock();
    const before = webhookRow(tx, accountId, id);
    const url = change.url === undefined ? before.url : new URL(change.url).href;
    const isChosen = url !== before.url || (change.enabled === true && before.urlBy === null);
    const set = {
      ...(isChosen ? { url, urlBy: personId } : {}),
      ...(change.events === undefined ? {} : { events: stored(change.events) }),
      ...(change.enabled === true
        ? { disabledAt: null, disabledBecause: null, mailDueAt: null }
        : {}),
    };
    if (Object.keys(set).length > 0) tx.update(webhooks).set(set).where(eq(webhooks.id, id)).run();
    if (change.enabled === false && before.disabledAt === null) endWebhook(tx, id, "holder", now);
    const after = webhookRow(tx, accountId, id);
    logChange(tx, acting, "webhook_changed", after.url, now);
    return toWebhook(after, now);
  });
  if (change.enabled === false) await giveUpPending(ctx, id);
  return changed;
}

/**
 * A new secret; the one before signs for a day longer. The webhook is then the acting person's alone. Throws
 * webhook_not_found.
 */
export async function rotateSecret(
  ctx: Context,
  acting: Person,
  id: string,
): Promise<WebhookWithSecret> {
  return commit(ctx, (tx, ctx) => {
    const now = ctx.clock();
    const { secret: previousSecret } = webhookRow(tx, acting.accountId, id);
    const row = tx
      .update(webhooks)
      .set({
        secret: newWebhookSecret(),
        secretBy: acting.personId,
        urlBy: acting.personId,
        previousSecret,
        previousUntil: now + OVERLAP_MS,
      })
      .where(eq(webhooks.id, id))
      .returning()
      .get();
    logChange(tx, acting, "webhook_rotated", row.url, now);
    return { ...toWebhook(row, now), secret: row.secret };
  });
}
