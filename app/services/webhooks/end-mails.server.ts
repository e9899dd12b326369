import { eq, lte, sql } from "drizzle-orm";
import { limitBy, prepared } from "#db/queries.ts";
import { webhooks } from "#db/schema.ts";
import { commit } from "../commit.server.ts";
import type { Context } from "../context.server.ts";
import { mailedPeople } from "../feed/mailed-people.server.ts";
import { recordMailFailure } from "../mail-failures.server.ts";
import { webhookEndedMail } from "../notices/mail-texts.ts";
import { HOUR, MINUTE } from "../time.ts";
import type { WebhookRow } from "./webhook-rows.server.ts";

/** Delays after each failed try; after the last, the mails are given up. */
const RETRY_AFTER_MS = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR];

const due = prepared((db) =>
  db
    .select()
    .from(webhooks)
    .where(lte(webhooks.mailDueAt, sql.placeholder("now")))
    .limit(limitBy(1))
    .prepare(),
);

const setMail = (ctx: Context, id: string, mailDueAt: number | null, mailTries: number) =>
  commit(ctx, (tx) =>
    tx.update(webhooks).set({ mailDueAt, mailTries }).where(eq(webhooks.id, id)).run(),
  );

async function mailAll(ctx: Context, { id, accountId, url, disabledBecause }: WebhookRow) {
  const { baseUrl } = ctx.settings;
  const mail = webhookEndedMail({
    host: new URL(url).host,
    because: disabledBecause === "gone" ? "gone" : "failing",
    webhookUrl: `${baseUrl}/account/webhooks/${id}`,
    settingsUrl: `${baseUrl}/account`,
  });
  let isWhole = true;
  for (const { email } of mailedPeople(ctx.db).all({ accountId }))
    try {
      await ctx.mailer.send({ to: email, ...mail });
    } catch (error) {
      isWhole = false;
      await recordMailFailure(ctx, email, error);
    }
  return isWhole;
}

/**
 * Mails the people of one account that a webhook was disabled. The next try is written first, so that a crash delays
 * it; if some mails fail, all are sent again. True if there may be more.
 */
export async function sendEndMails(ctx: Context): Promise<boolean> {
  const webhook = due(ctx.db).get({ now: ctx.clock() });
  if (!webhook) return false;
  const { id, mailTries } = webhook;
  const wait = RETRY_AFTER_MS[mailTries];
  await setMail(ctx, id, wait === undefined ? null : ctx.clock() + wait, mailTries + 1);
  if (await mailAll(ctx, webhook)) await setMail(ctx, id, null, mailTries + 1);
  return true;
}
