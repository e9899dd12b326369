import { eq, isNull, sql } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { prepared } from "#db/queries.ts";
import { notices, webhookMessages } from "#db/schema.ts";
import { rowsOfClaim } from "../claims/claim-lifecycle.server.ts";
import { claimOfAccount, domainOfAccount, toClaim } from "../claims/claim-rows.server.ts";
import { toVerification } from "../claims/verification-view.ts";
import type { TxContext } from "../context.server.ts";
import { toDomain } from "../domains/domain-rows.server.ts";
import { liveOfClaim, toHandoff } from "../handoffs/handoff-rows.ts";
import { toNotice } from "../notices/notice-rows.ts";
import { linkBySlug, toProofLink } from "../proofs/proof-rows.server.ts";
import { iso } from "../time.ts";
import { toWatch, watchedClaim } from "../watching/watch-rows.server.ts";
import type { MessageData, MessageType } from "./messages.ts";

const unwritten = prepared((db) =>
  db.select().from(webhookMessages).where(isNull(webhookMessages.body)).prepare(),
);

const setBody = prepared((db) =>
  db
    .update(webhookMessages)
    .set({ body: sql`${sql.placeholder("body")}` })
    .where(eq(webhookMessages.id, sql.placeholder("id")))
    .prepare(),
);

const noticeById = prepared((db) =>
  db
    .select()
    .from(notices)
    .where(eq(notices.id, sql.placeholder("id")))
    .prepare(),
);

type Source = { tx: Tx; ctx: TxContext; accountId: string; ids: Record<string, string> };

/** A row that the event's own transaction cannot have removed. */
function present<T>(row: T | undefined): T {
  if (row === undefined) throw new Error("the subject of an event is missing");
  return row;
}

const domain = ({ tx, accountId, ids: { domainId = "" } }: Source) => ({
  domain: toDomain(present(domainOfAccount(tx).get({ id: domainId, accountId }))),
});
const claim = ({ tx, accountId, ids: { claimId = "" } }: Source) => ({
  claim: toClaim(present(claimOfAccount(tx).get({ id: claimId, accountId }))),
});
const verification = ({ tx, ctx, ids: { claimId = "" } }: Source) => ({
  verification: toVerification(tx, present(rowsOfClaim(tx).get({ id: claimId })), ctx.clock()),
});
const proofLink = ({ tx, ctx, ids: { slug = "" } }: Source) => ({
  proofLink: toProofLink(ctx, present(linkBySlug(tx).get({ slug }))),
});

const watch = (source: Source) => ({
  ...claim(source),
  watch: toWatch(present(watchedClaim(source.tx).get({ claimId: source.ids.claimId ?? "" }))),
});

const DATA: { [T in Exclude<MessageType, "webhook.test">]: (source: Source) => MessageData<T> } = {
  "verification.ran": verification,
  "claim.opened": claim,
  "claim.ended": claim,
  "claim.proved": claim,
  "claim.expired": claim,
  "claim.needs_attention": (source) => ({ ...claim(source), ...verification(source) }),
  "domain.created": domain,
  "domain.archived": domain,
  "domain.unarchived": domain,
  "domain.deleted": ({ ids: { domainId = "" } }) => ({ domain: { id: domainId } }),
  "proof_link.issued": proofLink,
  "proof_link.revoked": proofLink,
  "notice.created": ({ tx, ids: { noticeId = "" } }) => ({
    notice: toNotice(present(noticeById(tx).get({ id: noticeId }))),
  }),
  "watch.published": watch,
  "watch.missing": watch,
  "watch.lapsed": watch,
  "watch.moved": watch,
  "watch.gone": watch,
  "handoff.opened": ({ tx, ctx, accountId, ids: { claimId = "" } }) => {
    const { claim } = present(claimOfAccount(tx).get({ id: claimId, accountId }));
    return {
      handoff: toHandoff(ctx, present(liveOfClaim(tx).get({ claimId })), iso(claim.expiresAt)),
    };
  },
};

/** The JSON of a message. `at`: when the event happened, epoch milliseconds. */
export const messageBody = <T extends MessageType>(type: T, at: number, data: MessageData<T>) =>
  JSON.stringify({ type, timestamp: iso(at), data });

/**
 * Writes the bodies of the messages queued in this transaction, at its end: each has its resource as the transaction
 * leaves it.
 */
export function writeBodies(tx: Tx, ctx: TxContext): void {
  for (const { id, accountId, type, ids, at } of unwritten(tx).all()) {
    const data = DATA[type as keyof typeof DATA]({ tx, ctx, accountId, ids: JSON.parse(ids) });
    setBody(tx).run({ id, body: messageBody(type as MessageType, at, data as never) });
  }
}
