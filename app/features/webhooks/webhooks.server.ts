import { randomBytes } from "node:crypto";
import { timestamp } from "@deed/dns/verdict/diagnosis.ts";
import { and, asc, eq, type Placeholder, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import {
  type AccountEventKind,
  type Actor,
  logAccountEvent,
  readAccount,
} from "#app/core/accounts/accounts.server.ts";
import { commit } from "#app/core/commit.server.ts";
import type { Context, TxContext } from "#app/core/context.server.ts";
import { DeedError, invalidField, orThrow } from "#app/core/errors.server.ts";
import { newId } from "#app/core/ids.server.ts";
import { object } from "#app/core/resources.ts";
import { DAY, isoFields, isoOrNull } from "#app/core/time.ts";
import { keyById } from "#app/http/caller/api-key.server.ts";
import type { Db, Tx } from "#db/client.ts";
import { markErased } from "#db/erase.ts";
import {
  domains,
  WEBHOOK_ENDS,
  WEBHOOK_EVENTS,
  WEBHOOK_KINDS,
  webhookDeliveries,
  webhookMessages,
  webhooks,
} from "#db/schema.ts";
import type { WebhookEnd } from "./end-texts.ts";
import { EVENTS_SHOWN, type WebhookEvent } from "./events.ts";
import { defaultEvents, kindOfUrl, type WebhookKind } from "./kinds.ts";

export const MAX_WEBHOOKS = 10;
/** The time after a rotation in which the previous secret signs beside the new one. */
const OVERLAP_MS = DAY;
/** The number of deliveries to give up or delete in one transaction. */
export const BATCH = 500;

export const EventName = z.enum(WEBHOOK_EVENTS).meta({ id: "WebhookEvent" });

export const Webhook = object("Webhook", {
  id: z.string(),
  url: z.string(),
  kind: z.enum(WEBHOOK_KINDS).meta({
    description:
      "The format of the posts: `deed` is signed JSON; the others are a sentence and a link, unsigned",
  }),
  events: z.array(EventName),
  disabledBecause: z.enum(WEBHOOK_ENDS).nullable().meta({
    description:
      "Why it gets no events: `holder` (switched off), `gone` (it answered 410), `failing` (a delivery failed for three days), `person_left` (a person who set it up left the account), `key_revoked` (an API key that set it up ended); null while it gets them",
  }),
  disabledAt: timestamp.nullable(),
  previousSecretUntil: timestamp
    .nullable()
    .describe("When the previous secret stops signing posts"),
  createdAt: timestamp,
});
export type Webhook = z.infer<typeof Webhook>;

type WebhookRow = typeof webhooks.$inferSelect;

/** Reads the row of a webhook. Throws webhook_not_found. */
export function webhookRow(db: Db | Tx, accountId: string, id: string): WebhookRow {
  const isThisWebhook = and(eq(webhooks.id, id), eq(webhooks.accountId, accountId));
  return orThrow(db.select().from(webhooks).where(isThisWebhook).get(), "webhook_not_found");
}

function toWebhook(row: WebhookRow, now: number): Webhook {
  const { id, url, kind, events, disabledBecause } = row;
  return {
    ...{ id, url, kind, events, disabledBecause },
    ...isoFields(row, "createdAt", "disabledAt"),
    previousSecretUntil: isoOrNull((row.previousUntil ?? 0) > now ? row.previousUntil : null),
  };
}

export const listWebhooks = (ctx: Context, accountId: string): Webhook[] =>
  ctx.db
    .select()
    .from(webhooks)
    .where(eq(webhooks.accountId, accountId))
    .orderBy(asc(webhooks.createdAt), asc(webhooks.id))
    .all()
    .map((row) => toWebhook(row, ctx.clock()));

/** Lists webhooks without their secrets, oldest first. */
export const webhooksWhere = (db: Db | Tx, condition: SQL) =>
  db
    .select({ id: webhooks.id, url: webhooks.url })
    .from(webhooks)
    .where(condition)
    .orderBy(asc(webhooks.createdAt), asc(webhooks.id))
    .all();

/**
 * Lists the enabled webhooks for which a key last chose the address, or was last shown the secret. With a person's id,
 * lists those of that person from before webhooks recorded keys.
 */
export const webhooksOf = (db: Db | Tx, accountId: string, id: string) =>
  webhooksWhere(
    db,
    sql`account_id = ${accountId} and disabled_at is null
      and ${id} in (coalesce(url_by_key, url_by), coalesce(secret_by_key, secret_by))`,
  );

export const deliveryRows = (db: Db | Tx, condition: SQL | undefined) =>
  db
    .select({
      delivery: webhookDeliveries,
      message: webhookMessages,
      webhook: webhooks,
      domain: { id: domains.id, name: domains.name, reference: domains.reference },
    })
    .from(webhookDeliveries)
    .innerJoin(webhookMessages, eq(webhookMessages.id, webhookDeliveries.messageId))
    .innerJoin(webhooks, eq(webhooks.id, webhookDeliveries.webhookId))
    .leftJoin(domains, eq(domains.id, webhookMessages.domainId))
    .where(condition);

/** Reads a webhook. Throws webhook_not_found. */
export const readWebhook = (ctx: Context, accountId: string, id: string): Webhook =>
  toWebhook(webhookRow(ctx.db, accountId, id), ctx.clock());

function checkUrl(ctx: Pick<Context, "outbound">, url: string): void {
  const problem = ctx.outbound.problem(url);
  if (problem) throw invalidField("url", problem);
}

const sortedEvents = (events: readonly WebhookEvent[]) =>
  EVENTS_SHOWN.filter((type) => events.includes(type));

/** Makes a secret in the format of Standard Webhooks. */
const newSecret = () => `whsec_${randomBytes(32).toString("base64")}`;

/** Makes the caller the owner of a webhook's address and secret. Throws invalid_api_key if the key just ended. */
function ownerColumns(ctx: Context, { personId, keyId }: Actor) {
  if (keyId && !keyById(ctx, keyId)) throw new DeedError("invalid_api_key");
  const byKey = keyId ?? "none";
  return { urlBy: personId, urlByKey: byKey, secretBy: personId, secretByKey: byKey };
}

function logChange(tx: Tx, acting: Actor, kind: AccountEventKind, url: string, now: number) {
  const { accountId, personId } = acting;
  const { email = "" } = readAccount({ db: tx }, personId)?.person ?? {};
  logAccountEvent(tx, accountId, kind, now, { email, subject: new URL(url).host });
}

type WebhookFields = { url: string; kind: WebhookKind; events: readonly WebhookEvent[] };
type Changes = { [K in keyof WebhookFields]?: WebhookFields[K] | undefined };

/** Adds a webhook. Throws invalid_request, too_many_webhooks. */
export async function addWebhook(
  ctx: Context,
  acting: Actor,
  given: Pick<WebhookFields, "url"> & Changes,
) {
  const { url, kind = kindOfUrl(url), events = defaultEvents(kind) } = given;
  checkUrl(ctx, url);
  const { accountId } = acting;
  return commit(ctx, (tx, _, now) => {
    const isOfAccount = eq(webhooks.accountId, accountId);
    const existing = tx.select({ id: webhooks.id }).from(webhooks).where(isOfAccount).all();
    if (existing.length >= MAX_WEBHOOKS) throw new DeedError("too_many_webhooks");
    const { href } = new URL(url);
    const chosen = { url: href, kind, events: sortedEvents(events), ...ownerColumns(ctx, acting) };
    const row = tx
      .insert(webhooks)
      .values({ id: newId("whk", now), accountId, ...chosen, secret: newSecret(), createdAt: now })
      .returning()
      .get();
    logChange(tx, acting, "webhook_added", href, now);
    return { ...toWebhook(row, now), secret: row.secret };
  });
}

const change = (
  ctx: Context,
  acting: Actor,
  id: string,
  kind: AccountEventKind,
  changesOf: (before: WebhookRow, now: number) => Partial<WebhookRow>,
) =>
  commit(ctx, (tx, _, now) => {
    const changes = changesOf(webhookRow(tx, acting.accountId, id), now);
    const row = tx.update(webhooks).set(changes).where(eq(webhooks.id, id)).returning().get();
    logChange(tx, acting, kind, row.url, now);
    return { ...toWebhook(row, now), secret: row.secret };
  });

/** Changes only the given fields. Throws webhook_not_found, invalid_request. */
export async function updateWebhook(
  ctx: Context,
  acting: Actor,
  id: string,
  { url, kind, events, enabled }: Changes & { enabled?: boolean | undefined },
): Promise<Webhook> {
  if (url !== undefined) checkUrl(ctx, url);
  webhookRow(ctx.db, acting.accountId, id);
  // A crash may have left some deliveries pending.
  if (enabled === true) await giveUpPending(ctx, id);
  const { secret: _, ...changed } = await change(ctx, acting, id, "webhook_changed", (row, now) => {
    const href = url === undefined ? row.url : new URL(url).href;
    const isLeft = row.urlBy === null || row.disabledBecause === "key_revoked";
    const isRestarted = href !== row.url || (enabled === true && isLeft);
    const { urlBy, urlByKey } = isRestarted ? ownerColumns(ctx, acting) : row;
    return {
      ...{ url: href, urlBy, urlByKey, kind: kind ?? row.kind },
      events: events ? sortedEvents(events) : row.events,
      ...(enabled === true && { disabledAt: null, disabledBecause: null, mailDueAt: null }),
      ...(enabled === false && row.disabledAt === null && endColumns("holder", now)),
    };
  });
  if (enabled === false) await giveUpPending(ctx, id);
  return changed;
}

/** Makes a new secret; only the acting person then owns the webhook. Throws webhook_not_found. */
export const rotateSecret = (ctx: Context, acting: Actor, id: string) =>
  change(ctx, acting, id, "webhook_rotated", ({ secret: previousSecret }, now) => ({
    secret: newSecret(),
    ...ownerColumns(ctx, acting),
    previousSecret,
    previousUntil: now + OVERLAP_MS,
  }));

/** Returns the columns that end a webhook. Its mail is due, except after the holder's act or a departure, which has a mail. */
const endColumns = (disabledBecause: WebhookEnd, now: number) => ({
  disabledAt: now,
  disabledBecause,
  mailDueAt: disabledBecause === "holder" || disabledBecause === "person_left" ? null : now,
  mailTries: 0,
});

/** Whether a webhook gets events or has them kept: after a key was revoked, for a day. `dayAgo` is in epoch milliseconds. */
export const takesEvents = (dayAgo: number | Placeholder = sql.placeholder("dayAgo")) =>
  sql`(${webhooks.disabledAt} is null or (${webhooks.disabledBecause} = 'key_revoked' and ${webhooks.disabledAt} > ${dayAgo}))`;

/** Disables a webhook. Call `giveUpPending` afterwards. */
export const endWebhook = (tx: Tx, id: string, because: WebhookEnd, now: number): void =>
  void tx.update(webhooks).set(endColumns(because, now)).where(eq(webhooks.id, id)).run();

/** Disables the webhooks of a key: whoever has the key may know their secrets. Returns them, oldest first. */
export function endWebhooksOfKey(tx: Tx, accountId: string, keyId: string, now: number) {
  const keyWebhooks = webhooksOf(tx, accountId, keyId);
  for (const { id } of keyWebhooks) endWebhook(tx, id, "key_revoked", now);
  return keyWebhooks;
}

/** Works in batches, and lets other writes run in between. */
export async function runInBatches(
  ctx: Context,
  work: (tx: Tx, ctx: TxContext) => { changes: number },
): Promise<void> {
  while ((await commit(ctx, work)).changes === BATCH)
    await new Promise((resolve) => setImmediate(resolve));
}

/** Gives up pending deliveries of one or all disabled webhooks: a lane's newest first, its first delivery last. */
export const giveUpPending = (ctx: Context, id?: string): Promise<void> =>
  runInBatches(ctx, (tx) =>
    tx.run(sql`update webhook_deliveries set state = 'failed', due_at = null where number in (
      select d.number from webhooks cross join webhook_deliveries d on d.webhook_id = webhooks.id
      where ${id ? eq(webhooks.id, id) : sql`true`} and not ${takesEvents(ctx.clock() - DAY)}
      and d.state = 'pending' order by d.lane desc, d.number desc limit ${BATCH})`),
  );

/** Deletes a webhook with its deliveries. Throws webhook_not_found. */
export async function removeWebhook(ctx: Context, acting: Actor, id: string): Promise<void> {
  await commit(ctx, (tx, _, now) => {
    const { disabledAt } = webhookRow(tx, acting.accountId, id);
    if (disabledAt === null) endWebhook(tx, id, "holder", now);
  });
  await runInBatches(ctx, (tx) =>
    tx.run(sql`delete from webhook_deliveries where number in (
      select number from webhook_deliveries where webhook_id = ${id} limit ${BATCH})`),
  );
  await commit(ctx, (tx, _, now) => {
    const { url } = webhookRow(tx, acting.accountId, id);
    tx.delete(webhooks).where(eq(webhooks.id, id)).run();
    markErased(tx);
    logChange(tx, acting, "webhook_removed", url, now);
  });
}
