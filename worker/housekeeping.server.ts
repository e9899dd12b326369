import { and, asc, eq, inArray, isNull, lte, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { commit } from "#app/core/commit.server.ts";
import type { Context } from "#app/core/context.server.ts";
import { FEED_KEPT_MS } from "#app/core/feed/feed.server.ts";
import { DAY } from "#app/core/time.ts";
import { storedSummary } from "#app/features/claims/history.server.ts";
import { giveUpPending } from "#app/features/webhooks/webhooks.server.ts";
import { forgetRegistrations } from "#app/features/zones/registry/registrations.server.ts";
import { MAX_BYTES_SCHEDULED, scrub } from "#db/erase.ts";
import {
  accountEvents,
  attemptEvidence,
  changeFeed,
  handoffMailboxes,
  invitations,
  mailFailures,
  sessions,
  signInLinks,
  webhookMessages,
  webhooks,
} from "#db/schema.ts";
import { repeatUntilDone } from "./job.ts";

const EVIDENCE_KEPT_MS = 30 * DAY;
const ACCOUNT_EVENTS_KEPT_MS = 90 * DAY;
const WEBHOOK_MESSAGES_KEPT_MS = 7 * DAY;
const EVIDENCE_BATCH = 50;
const ROW_BATCH = 500;

/** Resolves to true if there may be more to do. */
type Step = (ctx: Context) => Promise<boolean>;

const trimRows =
  (
    table: SQLiteTable & { id: SQLiteColumn },
    isOld: (now: number) => SQL | undefined,
    ...order: SQLiteColumn[]
  ): Step =>
  (ctx) =>
    commit(ctx, (tx, { clock }) => {
      const oldRows = tx
        .select({ id: table.id })
        .from(table)
        .where(isOld(clock()))
        .orderBy(...order)
        .limit(ROW_BATCH);
      return tx.delete(table).where(inArray(table.id, oldRows)).run().changes === ROW_BATCH;
    });

const isOldMailbox = (now: number) =>
  and(isNull(handoffMailboxes.stoppedAt), lte(handoffMailboxes.mailedAt, now - 90 * DAY));

/** These tables have few rows, because questions and webhooks are bounded. */
const trimSmallTables: Step = (ctx) =>
  commit(ctx, (tx, { clock }) => {
    forgetRegistrations(tx, clock());
    tx.update(webhooks)
      .set({ previousSecret: null, previousUntil: null })
      .where(lte(webhooks.previousUntil, clock()))
      .run();
    return false;
  });

/** Whether no delivery is still pending for an enabled webhook. */
const isFullyDelivered = sql`not exists (
  select 1 from webhook_deliveries d
  join webhooks w on w.id = d.webhook_id and w.disabled_at is null
  join accounts a on a.id = w.account_id and a.disabled_at is null
  where d.message_id = ${webhookMessages.id} and d.state = 'pending')`;

const isOldMessage = (now: number) =>
  and(lte(webhookMessages.at, now - WEBHOOK_MESSAGES_KEPT_MS), isFullyDelivered);

const trimEvidence: Step = (ctx) =>
  commit(ctx, (tx, { clock }) => {
    const { at, trimmed } = attemptEvidence;
    const rows = tx
      .select()
      .from(attemptEvidence)
      .where(and(lte(at, clock() - EVIDENCE_KEPT_MS), sql`${trimmed} = 0`))
      .orderBy(asc(at))
      .limit(EVIDENCE_BATCH)
      .all();
    for (const row of rows)
      tx.update(attemptEvidence)
        .set({ evidence: JSON.stringify(storedSummary(row)), trimmed: true })
        .where(eq(attemptEvidence.attemptId, row.attemptId))
        .run();
    return rows.length === EVIDENCE_BATCH;
  });

/** Selects by id, because ids stay in order if the clock goes back: up to the last old message before the first kept one. */
function oldChanges(now: number): SQL {
  const keptSince = now - FEED_KEPT_MS;
  const firstKept = sql`(select min(id) from change_feed where at > ${keptSince} and at <= ${now})`;
  return sql`${changeFeed.id} <= (
    select max(id) from change_feed
    where at <= ${keptSince} and id < coalesce(${firstKept}, ${Number.MAX_SAFE_INTEGER}))`;
}

const STEPS = [
  trimRows(changeFeed, oldChanges, changeFeed.id),
  trimEvidence,
  trimRows(sessions, (now) => lte(sessions.expiresAt, now)),
  trimRows(signInLinks, (now) => lte(signInLinks.expiresAt, now - DAY)),
  trimRows(invitations, (now) => lte(invitations.expiresAt, now)),
  trimRows(mailFailures, (now) => lte(mailFailures.at, now - DAY)),
  trimRows(handoffMailboxes, isOldMailbox),
  trimSmallTables,
  trimRows(accountEvents, (now) => lte(accountEvents.at, now - ACCOUNT_EVENTS_KEPT_MS)),
  trimRows(webhookMessages, isOldMessage, webhookMessages.at),
];

export async function trimEverything(ctx: Context, signal: AbortSignal): Promise<void> {
  await giveUpPending(ctx);
  for (const step of STEPS) await repeatUntilDone(() => step(ctx), signal);
  if (!signal.aborted) scrub(ctx.db, MAX_BYTES_SCHEDULED);
}
