import { setTimeout as sleep } from "node:timers/promises";
import { pascalCase, timestamp } from "@deed/dns/verdict/diagnosis.ts";
import { and, desc, eq, isNull, lt, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { commit } from "#app/core/commit.server.ts";
import type { Context, TxContext } from "#app/core/context.server.ts";
import { pageOf, parseCursor } from "#app/core/cursor.ts";
import { DeedError } from "#app/core/errors.server.ts";
import { newId } from "#app/core/ids.server.ts";
import { iso, isoOrNull } from "#app/core/time.ts";
import { Claim, Verification } from "#app/features/claims/resources.ts";
import { Domain } from "#app/features/domains/resources.ts";
import { Handoff } from "#app/features/handoffs/resources.ts";
import { Notice } from "#app/features/notices/resources.ts";
import { ProofLink } from "#app/features/proofs/resources.ts";
import { Watch } from "#app/features/watching/resources.ts";
import { type Db, prepared, preparedInsert, type QueuedEvent, type Tx } from "#db/client.ts";
import {
  DELIVERY_STATES,
  notices,
  webhookDeliveries,
  webhookMessages,
  webhooks,
} from "#db/schema.ts";
import { ownClaim, ownDomain, toClaim } from "../claims/claim-rows.server.ts";
import { rowsOfClaim } from "../claims/outcome.server.ts";
import { toVerification } from "../claims/verifications.server.ts";
import { toDomain } from "../domains/domain-rows.server.ts";
import { liveOfClaim, toHandoff } from "../handoffs/handoffs.server.ts";
import { toNotice } from "../notices/notices.server.ts";
import { linkBySlug, toProofLink } from "../proofs/proof-rows.server.ts";
import { toWatch, watchedClaim } from "../watching/watch-rows.server.ts";
import { webhookRow } from "./webhooks.server.ts";

/** `webhook.test` is sent on request only, and cannot be chosen. */
export type MessageType = QueuedEvent["type"] | "webhook.test";
type Message = Omit<QueuedEvent, "type"> & { type: MessageType };
type Source = { tx: Tx; ctx: TxContext; accountId: string; ids: Record<string, string> };
type Part = { shape: z.ZodType; read: (source: Source) => unknown };
/** One resource in a message, as the API shows it. */
const part = <T>(shape: z.ZodType<T>, read: (source: Source) => T): Part => ({ shape, read });

/** A row that the event's own transaction cannot have removed. */
function present<T>(row: T | undefined): T {
  if (row === undefined) throw new Error("the subject of an event is missing");
  return row;
}
const claimRow = ({ tx, accountId, ids: { claimId = "" } }: Source) =>
  ownClaim(tx, accountId, claimId);

const claim = part(Claim, (source) => toClaim(claimRow(source)));
const domain = part(Domain, ({ tx, accountId, ids: { domainId = "" } }) =>
  toDomain(ownDomain(tx, accountId, domainId)),
);
const verification = part(Verification, ({ tx, ctx, ids: { claimId: id = "" } }) =>
  toVerification(tx, present(rowsOfClaim(tx).get({ id })), ctx.clock()),
);
const proofLink = part(ProofLink, ({ tx, ctx, ids: { slug = "" } }) =>
  toProofLink(ctx, present(linkBySlug(tx, slug))),
);
const notice = part(Notice, ({ tx, ids: { noticeId = "" } }) =>
  toNotice(present(tx.select().from(notices).where(eq(notices.id, noticeId)).get())),
);
const handoff = part(Handoff, (source) => {
  const { claim } = claimRow(source);
  const live = present(liveOfClaim(source.tx, claim.id));
  return toHandoff(source.ctx, live, iso(claim.expiresAt));
});
const watch = part(Watch, ({ tx, ids: { claimId = "" } }) =>
  toWatch(present(watchedClaim(tx, claimId))),
);
const idOnly = z.strictObject({ id: z.string() });

/** The `data` of each message. */
const DATA: Record<MessageType, Record<string, Part>> = {
  "verification.ran": { verification },
  "claim.opened": { claim },
  "claim.ended": { claim },
  "claim.proved": { claim },
  "claim.expired": { claim },
  "claim.needs_attention": { claim, verification },
  "domain.created": { domain },
  "domain.archived": { domain },
  "domain.unarchived": { domain },
  "domain.deleted": { domain: part(idOnly, ({ ids: { domainId: id = "" } }) => ({ id })) },
  "proof_link.issued": { proofLink },
  "proof_link.revoked": { proofLink },
  "notice.created": { notice },
  "handoff.opened": { handoff },
  "watch.published": { claim, watch },
  "watch.missing": { claim, watch },
  "watch.lapsed": { claim, watch },
  "watch.moved": { claim, watch },
  "watch.gone": { claim, watch },
  "webhook.test": { webhook: part(idOnly, ({ ids: { webhookId: id = "" } }) => ({ id })) },
};

const dataOf = <T>(type: MessageType, from: (part: Part) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(DATA[type]).map(([name, part]) => [name, from(part)]));

const at = timestamp.meta({ description: "When it happened: ISO 8601, UTC, milliseconds" });

const shapeOf = (type: MessageType) =>
  z
    .strictObject({
      type: z.literal(type),
      timestamp: at,
      data: z.strictObject(dataOf(type, ({ shape }) => shape)),
    })
    .meta({ id: `${pascalCase(type.replace(".", "_"))}Message` });

/** The bodies of all messages, by type. */
export const MESSAGES = Object.fromEntries(
  Object.keys(DATA).map((type) => [type, shapeOf(type as MessageType)]),
) as unknown as Record<MessageType, z.ZodObject>;

const enabledOfAccount = prepared((db) =>
  db
    .select({ id: webhooks.id, events: webhooks.events })
    .from(webhooks)
    .where(and(eq(webhooks.accountId, sql.placeholder("accountId")), isNull(webhooks.disabledAt)))
    .prepare(),
);

const insertMessage = preparedInsert(
  webhookMessages,
  "id",
  "accountId",
  "domainId",
  "type",
  "body",
  "at",
);

/** Due at once, unless something of the lane is pending. */
const insertDelivery = prepared((db) =>
  db.$client.prepare(
    `insert into webhook_deliveries (id, message_id, webhook_id, lane, created_at, due_at)
     select @id, @messageId, @webhookId, @lane, @at, iif(exists (select 1 from webhook_deliveries
       where webhook_id = @webhookId and lane = @lane and state = 'pending'), null, @at)`,
  ),
);

/** Writes a message with what it is about as it is now, and queues it for the webhooks. Returns the deliveries' ids. */
export function writeMessage(
  tx: Tx,
  ctx: TxContext,
  { accountId, type, ids, at }: Message,
  webhookIds: readonly string[],
): string[] {
  const { claimId = "" } = ids;
  const domainId = ids.domainId ?? rowsOfClaim(tx).get({ id: claimId })?.claim.domainId ?? null;
  const messageId = newId("msg", at);
  const data = dataOf(type, ({ read }) => read({ tx, ctx, accountId, ids }));
  const body = JSON.stringify({ type, timestamp: iso(at), data });
  insertMessage(tx)({ id: messageId, accountId, domainId, type, body, at });
  return webhookIds.map((webhookId) => {
    const id = newId("dlv", at);
    insertDelivery(tx).run({ id, messageId, webhookId, lane: domainId ?? messageId, at });
    return id;
  });
}

/** Writes the messages of the events that a transaction queued, at its end, for the webhooks that want them. */
export function writeMessages(tx: Tx, ctx: TxContext): void {
  for (const event of tx.$queued) {
    const wanting = enabledOfAccount(tx)
      .all({ accountId: event.accountId })
      .filter(({ events }) => JSON.parse(events).includes(event.type));
    if (wanting.length === 0) continue;
    const ids = wanting.map(({ id }) => id);
    writeMessage(tx, ctx, event, ids);
  }
}

const DEFAULT_LIMIT = 25;

export const Delivery = z
  .strictObject({
    id: z.string(),
    messageId: z.string().meta({ description: "What `webhook-id` says" }),
    type: z.string(),
    state: z.enum(DELIVERY_STATES),
    tries: z.int().min(0),
    createdAt: timestamp,
    triedAt: timestamp.nullable(),
    nextTryAt: timestamp.nullable().meta({
      description: "Null once it ended, and while it waits for another about its domain",
    }),
    status: z.int().nullable().meta({ description: "The status of the last answer" }),
    reason: z.string().nullable().meta({ description: "Why there was no answer, else null" }),
    answer: z.string().nullable().meta({ description: "The beginning of the last answer" }),
    latencyMs: z.int().min(0).nullable(),
  })
  .meta({ id: "Delivery" });
export type Delivery = z.infer<typeof Delivery>;

export const DeliveryDetail = z
  .strictObject({ ...Delivery.shape, body: z.string().meta({ description: "What is posted" }) })
  .meta({ id: "DeliveryDetail" });

export const DeliveryList = z
  .strictObject({ deliveries: z.array(Delivery), nextCursor: z.string().nullable() })
  .meta({ id: "DeliveryList" });

const { id: deliveryId, number, webhookId: itsWebhook, messageId } = webhookDeliveries;

/** Newest first, in the order of the events, which a time in milliseconds does not tell. */
const select = (db: Db | Tx, webhookId: string, which: SQL) =>
  db
    .select({ delivery: webhookDeliveries, message: webhookMessages })
    .from(webhookDeliveries)
    .innerJoin(webhookMessages, eq(webhookMessages.id, messageId))
    .where(and(eq(itsWebhook, webhookId), which))
    .orderBy(desc(number));

const find = (db: Db | Tx, webhookId: string, id: string) =>
  select(db, webhookId, eq(deliveryId, id)).get();
type Row = NonNullable<ReturnType<typeof find>>;

function rowOf(db: Db | Tx, webhookId: string, id: string): Row {
  const row = find(db, webhookId, id);
  if (!row) throw new DeedError("delivery_not_found");
  return row;
}

function toDelivery({ delivery, message: { type } }: Row): Delivery {
  const { number, webhookId, lane, createdAt, triedAt, dueAt, ...rest } = delivery;
  const dates = { triedAt: isoOrNull(triedAt), nextTryAt: isoOrNull(dueAt) };
  return { ...rest, type, createdAt: iso(createdAt), ...dates };
}

/** Newest first. Throws webhook_not_found, and invalid_request on an invalid cursor. */
export function listDeliveries(
  ctx: Context,
  accountId: string,
  webhookId: string,
  { cursor, limit = DEFAULT_LIMIT }: { cursor?: string | undefined; limit?: number },
) {
  webhookRow(ctx.db, accountId, webhookId);
  // The number itself would tell how many deliveries others had.
  const last = find(ctx.db, webhookId, parseCursor(cursor).id)?.delivery.number ?? 0;
  const isBefore = lt(number, cursor === undefined ? Number.MAX_SAFE_INTEGER : last);
  const query = select(ctx.db, webhookId, isBefore).limit(limit + 1);
  const rows = query.all().map((row) => ({ ...row.delivery, row }));
  const { page, nextCursor } = pageOf(rows, limit);
  return { deliveries: page.map(({ row }) => toDelivery(row)), nextCursor };
}

/** Throws webhook_not_found, delivery_not_found. */
export function readDelivery(ctx: Context, accountId: string, webhookId: string, id: string) {
  webhookRow(ctx.db, accountId, webhookId);
  const row = rowOf(ctx.db, webhookId, id);
  return { ...toDelivery(row), body: row.message.body };
}

/** Queues a message without an event, to see how it is answered. Throws webhook_not_found, webhook_disabled. */
export const testWebhook = (ctx: Context, accountId: string, id: string): Promise<Delivery> =>
  commit(ctx, (tx, ctx) => {
    requireEnabled(tx, accountId, id);
    const ids = { webhookId: id };
    const test = { accountId, type: "webhook.test", ids, at: ctx.clock() } as const;
    const [delivery = ""] = writeMessage(tx, ctx, test, [id]);
    return toDelivery(rowOf(tx, id, delivery));
  });

/**
 * Sends a message once more, now: one that ended, outside its order; one that waits for its next try, at once. Throws
 * webhook_not_found, delivery_not_found, webhook_disabled.
 */
export const sendAgain = (ctx: Context, accountId: string, webhookId: string, id: string) =>
  commit(ctx, (tx, ctx) => {
    requireEnabled(tx, accountId, webhookId);
    const { state, dueAt } = rowOf(tx, webhookId, id).delivery;
    const now = ctx.clock();
    const again =
      state === "pending"
        ? { dueAt: dueAt === null ? null : now }
        : { state: "pending" as const, lane: id, tries: 0, dueAt: now };
    tx.update(webhookDeliveries).set(again).where(eq(deliveryId, id)).run();
    return toDelivery(rowOf(tx, webhookId, id));
  });

function requireEnabled(tx: Tx, accountId: string, webhookId: string): void {
  if (webhookRow(tx, accountId, webhookId).disabledAt !== null)
    throw new DeedError("webhook_disabled");
}

/** How long a first try can take, with the worker's round before it. */
const FIRST_TRY_MS = 7_000;
const LOOK_EVERY_MS = 100;

/** Waits until a delivery was tried since `since` (epoch milliseconds), or as long as a try can take. */
export async function waitForTry(
  ctx: Context,
  webhookId: string,
  id: string,
  since: number,
  signal: AbortSignal,
): Promise<void> {
  const giveUpAt = performance.now() + FIRST_TRY_MS;
  while (!signal.aborted && performance.now() < giveUpAt) {
    const row = find(ctx.db, webhookId, id);
    if (!row || (row.delivery.triedAt ?? 0) >= since) return;
    await sleep(LOOK_EVERY_MS);
  }
}
