import { pascalCase, timestamp } from "@deed/dns/verdict/diagnosis.ts";
import { eq, sql } from "drizzle-orm";
import * as z from "zod";
import type { TxContext } from "#app/core/context.server.ts";
import { newId } from "#app/core/ids.server.ts";
import { object } from "#app/core/resources.ts";
import { DAY, iso } from "#app/core/time.ts";
import { Claim, Verification } from "#app/features/claims/resources.ts";
import { toWatch, Watch } from "#app/features/claims/watch.ts";
import { Domain } from "#app/features/domains/resources.ts";
import { Handoff } from "#app/features/handoffs/resources.ts";
import { Notice } from "#app/features/notices/resources.ts";
import { ProofLink } from "#app/features/proofs/resources.ts";
import { prepared, type QueuedEvent, type Tx } from "#db/client.ts";
import { notices, webhookMessages, webhooks } from "#db/schema.ts";
import { getClaim, getDomain, toClaim } from "../claims/claim-rows.server.ts";
import { rowsOfClaim } from "../claims/outcome.server.ts";
import { toVerification } from "../claims/verifications.server.ts";
import { toDomain } from "../domains/domain-rows.server.ts";
import { liveOfClaim, toHandoff } from "../handoffs/handoffs.server.ts";
import { toNotice } from "../notices/notices.server.ts";
import { linkBySlug, toProofLink } from "../proofs/proofs.server.ts";
import { watchedClaim } from "../watching/watch-rows.server.ts";
import { MAX_KEPT_EVENTS } from "./end-texts.ts";
import { takesEvents } from "./webhooks.server.ts";

/** `webhook.test` is sent on request only, and cannot be chosen. */
export type MessageType = QueuedEvent["type"] | "webhook.test";
type Message = Omit<QueuedEvent, "type"> & { type: MessageType };
type Source = { tx: Tx; ctx: TxContext; accountId: string; ids: Record<string, string> };
type Part = { shape: z.ZodType; read: (source: Source) => unknown };
const part = <T>(shape: z.ZodType<T>, read: (source: Source) => T): Part => ({ shape, read });

/** The event's own transaction cannot have removed this row. */
function requireRow<T>(row: T | undefined): T {
  if (row === undefined) throw new Error("the subject of an event is missing");
  return row;
}
const claimRow = ({ tx, accountId, ids: { claimId = "" } }: Source) =>
  getClaim(tx, accountId, claimId);

const claim = part(Claim, (source) => toClaim(claimRow(source)));
const domain = part(Domain, ({ tx, accountId, ids: { domainId = "" } }) =>
  toDomain(getDomain(tx, accountId, domainId)),
);
const verification = part(Verification, ({ tx, ctx, ids: { claimId: id = "" } }) =>
  toVerification(tx, requireRow(rowsOfClaim(tx).get({ id })), ctx.clock()),
);
const proofLink = part(ProofLink, ({ tx, ctx, ids: { slug = "" } }) =>
  toProofLink(ctx, requireRow(linkBySlug(tx, slug))),
);
const notice = part(Notice, ({ tx, ids: { noticeId = "" } }) =>
  toNotice(requireRow(tx.select().from(notices).where(eq(notices.id, noticeId)).get())),
);
const handoff = part(Handoff, (source) => {
  const { claim } = claimRow(source);
  const live = requireRow(liveOfClaim(source.tx, claim.id));
  return toHandoff(source.ctx, live, iso(claim.expiresAt));
});
const watch = part(Watch, ({ tx, ids: { claimId = "" } }) =>
  toWatch(requireRow(watchedClaim(tx, claimId))),
);
const idOnly = z.strictObject({ id: z.string() });

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
  "domain.holds": { domain },
  "domain.no_longer_holds": { domain },
  "proof_link.issued": { proofLink },
  "proof_link.revoked": { proofLink },
  "notice.created": { notice },
  "handoff.opened": { handoff },
  "watch.published": { claim, watch },
  "watch.missing": { claim, watch },
  "watch.lapsed": { claim, watch },
  "watch.moved": { claim, watch },
  "watch.gone": { claim, watch },
  "watch.registered_again": { claim, watch },
  "domain.expiring": { domain, watch },
  "domain.renewed": { domain, watch },
  "webhook.test": { webhook: part(idOnly, ({ ids: { webhookId: id = "" } }) => ({ id })) },
};

const dataOf = <T>(type: MessageType, from: (part: Part) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(DATA[type]).map(([name, part]) => [name, from(part)]));

const at = timestamp.describe("When it happened: ISO 8601, UTC, milliseconds");

const shapeOf = (type: MessageType) =>
  object(`${pascalCase(type.replace(".", "_"))}Message`, {
    type: z.literal(type),
    timestamp: at,
    data: z.strictObject(dataOf(type, ({ shape }) => shape)),
  });

export const MESSAGES = Object.fromEntries(
  Object.keys(DATA).map((type) => [type, shapeOf(type as MessageType)]),
) as unknown as Record<MessageType, z.ZodObject>;

const receiversOfAccount = prepared((db) =>
  db
    .select({ id: webhooks.id, events: webhooks.events, isTaking: sql<number>`${takesEvents()}` })
    .from(webhooks)
    .where(eq(webhooks.accountId, sql.placeholder("accountId"))),
);

/** Inserts a delivery: due at once, or without a time while another of its lane is pending. */
const insertDelivery = prepared((db) =>
  db.$client.prepare(
    `insert into webhook_deliveries (id, message_id, webhook_id, lane, created_at, due_at)
     select @id, @messageId, @webhookId, @lane, @at, iif(exists (select 1 from webhook_deliveries
       where webhook_id = @webhookId and lane = @lane and state = 'pending'), null, @at)`,
  ),
);

/** Inserts a delivery for a disabled webhook, which is kept and only sent on request. */
const keepDelivery = prepared((db) =>
  db.$client.prepare(
    `insert into webhook_deliveries (id, message_id, webhook_id, lane, created_at, state)
     select @id, @messageId, @webhookId, @lane, @at, 'failed' where not exists (
       select 1 from webhook_deliveries where webhook_id = @webhookId limit 1 offset ${MAX_KEPT_EVENTS - 1})`,
  ),
);

/** Writes a message with its subject's present state, and queues it for the webhooks. Returns the deliveries' ids. */
export function writeMessage(
  tx: Tx,
  ctx: TxContext,
  { accountId, type, ids, at }: Message,
  receivers: readonly { id: string; isTaking: number }[],
): string[] {
  const { claimId = "" } = ids;
  const domainId = ids.domainId ?? rowsOfClaim(tx).get({ id: claimId })?.claim.domainId ?? null;
  const messageId = newId("msg", at);
  const data = dataOf(type, ({ read }) => read({ tx, ctx, accountId, ids }));
  const body = JSON.stringify({ type, timestamp: iso(at), data });
  const row = { id: messageId, accountId, domainId, type, body, at };
  tx.insert(webhookMessages).values(row).run();
  return receivers.map(({ id: webhookId, isTaking }) => {
    const id = newId("dlv", at);
    const write = isTaking ? insertDelivery(tx) : keepDelivery(tx);
    write.run({ id, messageId, webhookId, lane: domainId ?? messageId, at });
    return id;
  });
}

export function writeMessages(tx: Tx, ctx: TxContext): void {
  for (const [accountId, queued] of Map.groupBy(tx.$queued, (event) => event.accountId)) {
    const dayAgo = (queued[0]?.at ?? 0) - DAY;
    const receivers = receiversOfAccount(tx).all({ accountId, dayAgo });
    for (const event of queued) {
      const subscribed = receivers.filter(({ events }) => events.includes(event.type));
      if (subscribed.length > 0) writeMessage(tx, ctx, event, subscribed);
    }
  }
}
