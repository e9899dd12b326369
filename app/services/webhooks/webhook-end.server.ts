import { and, desc, eq, inArray, sql } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { markErased } from "#db/erase.ts";
import { type WEBHOOK_ENDS, webhookDeliveries, webhooks } from "#db/schema.ts";
import type { Person } from "../accounts/accounts.server.ts";
import { commit } from "../commit.server.ts";
import type { Context } from "../context.server.ts";
import { logChange, webhookRow } from "./webhook-rows.server.ts";

export type WebhookEnd = (typeof WEBHOOK_ENDS)[number];

/** Deliveries that one transaction gives up or deletes. */
const BATCH = 500;

/**
 * Disables a webhook. If it is its receiver's fault, a mail is due; whoever removes a person sends their own.
 * `giveUpPending` follows.
 */
export function endWebhook(tx: Tx, id: string, because: WebhookEnd, now: number): void {
  const mailDueAt = because === "gone" || because === "failing" ? now : null;
  tx.update(webhooks)
    .set({ disabledAt: now, disabledBecause: because, mailDueAt, mailTries: 0 })
    .where(eq(webhooks.id, id))
    .run();
}

/** Repeats a transaction as long as it finds a whole batch, and lets others write in between. */
async function inBatches(ctx: Context, work: (tx: Tx) => { changes: number }): Promise<void> {
  while ((await commit(ctx, work)).changes === BATCH)
    await new Promise((resolve) => setImmediate(resolve));
}

/**
 * Gives up what is pending for a webhook that is disabled; it can be sent again by hand. The newest of a lane goes
 * first, so that what is left of a lane has its first.
 */
export const giveUpPending = (ctx: Context, id: string): Promise<void> =>
  inBatches(ctx, (tx) => {
    const { number, webhookId, lane, state } = webhookDeliveries;
    const isDisabled = sql`exists (select 1 from webhooks where id = ${id} and disabled_at is not null)`;
    const some = tx
      .select({ number })
      .from(webhookDeliveries)
      .where(and(eq(webhookId, id), eq(state, sql.raw("'pending'")), isDisabled))
      .orderBy(desc(lane), desc(number))
      .limit(BATCH);
    return tx
      .update(webhookDeliveries)
      .set({ state: "failed", dueAt: null })
      .where(inArray(number, some))
      .run();
  });

/** Deletes a webhook with its deliveries. Throws webhook_not_found. */
export async function removeWebhook(ctx: Context, acting: Person, id: string): Promise<void> {
  await commit(ctx, (tx, ctx) => {
    const { disabledAt } = webhookRow(tx, acting.accountId, id);
    if (disabledAt === null) endWebhook(tx, id, "holder", ctx.clock());
  });
  await inBatches(ctx, (tx) => {
    const { number, webhookId } = webhookDeliveries;
    const some = tx
      .select({ number })
      .from(webhookDeliveries)
      .where(eq(webhookId, id))
      .limit(BATCH);
    return tx.delete(webhookDeliveries).where(inArray(number, some)).run();
  });
  await commit(ctx, (tx, ctx) => {
    const { url } = webhookRow(tx, acting.accountId, id);
    tx.delete(webhooks).where(eq(webhooks.id, id)).run();
    markErased(tx);
    logChange(tx, acting, "webhook_removed", url, ctx.clock());
  });
}
