import { and, asc, eq, isNotNull, isNull, lte, sql } from "drizzle-orm";
import { Webhook as Signer } from "standardwebhooks";
import { escapeUntrusted } from "#app/dns/verdict/escape-untrusted.ts";
import { OutboundError } from "#app/outbound/failures.ts";
import type { OutboundAnswer } from "#app/outbound/outbound.server.ts";
import { askedWait } from "#app/outbound/retry-after.ts";
import type { Tx } from "#db/client.ts";
import { limitBy, prepared } from "#db/queries.ts";
import { accounts, webhookDeliveries, webhookMessages, webhooks } from "#db/schema.ts";
import { isTimeKnown } from "../clock/timekeeper.server.ts";
import { commit } from "../commit.server.ts";
import type { Context } from "../context.server.ts";
import { SECOND } from "../time.ts";
import { nextTry } from "./retries.ts";
import { endWebhook, giveUpPending } from "./webhook-end.server.ts";

/** Characters of an answer that are kept. */
const ANSWER_LENGTH = 1_000;
const GONE = 410;

/** The webhooks with a delivery that is or will be due, found by skipping through the index. */
const waiting = prepared((db) =>
  db.$client
    .prepare(
      `with recursive waiting (id) as (
         select min(webhook_id) from webhook_deliveries where due_at is not null
         union all
         select (select min(webhook_id) from webhook_deliveries
           where due_at is not null and webhook_id > waiting.id)
         from waiting where waiting.id is not null
       ) select id from waiting where id is not null`,
    )
    .pluck(),
);

const due = prepared((db) =>
  db
    .select({ delivery: webhookDeliveries, message: webhookMessages, webhook: webhooks })
    .from(webhookDeliveries)
    .innerJoin(webhookMessages, eq(webhookMessages.id, webhookDeliveries.messageId))
    .innerJoin(webhooks, eq(webhooks.id, webhookDeliveries.webhookId))
    .innerJoin(accounts, eq(accounts.id, webhooks.accountId))
    .where(
      and(
        eq(webhookDeliveries.webhookId, sql.placeholder("webhookId")),
        isNotNull(webhookDeliveries.dueAt),
        lte(webhookDeliveries.dueAt, sql.placeholder("now")),
        isNull(webhooks.disabledAt),
        isNull(accounts.disabledAt),
      ),
    )
    .orderBy(asc(webhookDeliveries.dueAt), asc(webhookDeliveries.number))
    .limit(limitBy("limit"))
    .prepare(),
);
type Due = NonNullable<ReturnType<ReturnType<typeof due>["get"]>>;

/** How a try ended. `reason` says why there was no answer. */
type Tried = Pick<
  typeof webhookDeliveries.$inferSelect,
  "status" | "reason" | "answer" | "latencyMs" | "triedAt"
> & { asked: number };

/** The headers of Standard Webhooks. Signed with the secret before the last rotation too while that is valid. */
function signedHeaders({ message, webhook }: Due, body: string, now: number) {
  const { secret, previousSecret, previousUntil } = webhook;
  const secrets = [
    secret,
    ...(previousSecret && (previousUntil ?? 0) > now ? [previousSecret] : []),
  ];
  const at = new Date(now);
  return {
    "webhook-id": message.id,
    "webhook-timestamp": String(Math.floor(now / SECOND)),
    "webhook-signature": secrets.map((one) => new Signer(one).sign(message.id, at, body)).join(" "),
  };
}

async function post(ctx: Context, row: Due): Promise<OutboundAnswer | OutboundError> {
  const body = row.message.body ?? "";
  const headers = {
    "Content-Type": "application/json",
    "User-Agent": `Deed/${ctx.settings.version}`,
    ...signedHeaders(row, body, ctx.clock()),
  };
  const { url } = row.webhook;
  try {
    return await ctx.outbound.call({ method: "POST", url, headers, body }, ctx.deliveries.ending);
  } catch (error) {
    if (error instanceof OutboundError) return error;
    throw error;
  }
}

async function attempt(ctx: Context, row: Due): Promise<Tried> {
  const triedAt = ctx.clock();
  const startedAt = performance.now();
  const answer = await post(ctx, row);
  const latencyMs = Math.round(performance.now() - startedAt);
  const when = { triedAt, latencyMs };
  if (answer instanceof OutboundError)
    return { ...when, status: null, reason: answer.reason, answer: null, asked: 0 };
  const text = answer.body.toString("utf8", 0, 4 * ANSWER_LENGTH);
  return {
    ...when,
    status: answer.status,
    reason: null,
    answer: escapeUntrusted(text, ANSWER_LENGTH),
    asked: askedWait(answer.headers["retry-after"], ctx.clock()),
  };
}

const isTaken = ({ status }: Tried) => status !== null && status >= 200 && status < 300;

/** Makes the next delivery of the lane due. */
function advance(tx: Tx, { webhookId, lane }: Due["delivery"], now: number): void {
  const next = tx
    .select({ number: webhookDeliveries.number })
    .from(webhookDeliveries)
    .where(
      and(
        eq(webhookDeliveries.webhookId, webhookId),
        eq(webhookDeliveries.lane, lane),
        eq(webhookDeliveries.state, "pending"),
      ),
    )
    .orderBy(asc(webhookDeliveries.number))
    .limit(1);
  tx.update(webhookDeliveries)
    .set({ dueAt: now })
    .where(and(eq(webhookDeliveries.number, next), isNull(webhookDeliveries.dueAt)))
    .run();
}

/** Writes how a try ended and what follows from it, in one transaction. Whether it disabled the webhook. */
function record(ctx: Context, { delivery, webhook }: Due, tried: Tried): Promise<boolean> {
  return commit(ctx, (tx, ctx) => {
    const { asked, ...facts } = tried;
    const now = ctx.clock();
    const tries = delivery.tries + 1;
    const set = (end: Partial<typeof webhookDeliveries.$inferInsert>) =>
      tx
        .update(webhookDeliveries)
        .set({ ...facts, tries, ...end })
        .where(eq(webhookDeliveries.number, delivery.number))
        .run().changes > 0;
    if (isTaken(tried)) {
      set({ state: "delivered", dueAt: null });
      advance(tx, delivery, now);
      return false;
    }
    const isEnabled =
      tx
        .select({ disabledAt: webhooks.disabledAt })
        .from(webhooks)
        .where(eq(webhooks.id, webhook.id))
        .get()?.disabledAt === null;
    const wait = tried.status === GONE ? null : nextTry(tries, asked, ctx.random());
    if (isEnabled && wait !== null) {
      set({ dueAt: now + wait });
      return false;
    }
    const isThere = set({ state: "failed", dueAt: null });
    const isEnd = isEnabled && isThere;
    if (isEnd) endWebhook(tx, webhook.id, tried.status === GONE ? "gone" : "failing", now);
    return isEnd;
  });
}

/** One try. Whether the webhook took it. Cut off by a stop, it leaves nothing, and is made again. */
async function deliver(ctx: Context, row: Due): Promise<boolean> {
  const { ending } = ctx.deliveries;
  const tried = await attempt(ctx, row);
  if (ending.aborted && !isTaken(tried)) return false;
  if (await record(ctx, row, tried)) await giveUpPending(ctx, row.webhook.id);
  return isTaken(tried);
}

/** Starts what is due of one webhook and may start, and goes on as each ends. */
function startDue(ctx: Context, webhookId: string, signal: AbortSignal): void {
  const { underWay, most } = ctx.deliveries.of(webhookId);
  if (signal.aborted || underWay >= most || !isTimeKnown(ctx)) return;
  const rows = due(ctx.db).all({ webhookId, now: ctx.clock(), limit: most });
  const free = rows.filter(({ delivery }) => !ctx.deliveries.isUnderWay(webhookId, delivery.lane));
  for (const row of free.slice(0, most - underWay)) {
    const { lane } = row.delivery;
    const { accountId } = row.webhook;
    const work = () =>
      deliver(ctx, row).catch((error) => {
        ctx.log.error({ err: error, deliveryId: row.delivery.id }, "webhook delivery failed");
        return false;
      });
    const goOn = () => {
      try {
        startDue(ctx, webhookId, signal);
      } catch (error) {
        // The next round of the worker tries again.
        ctx.log.error({ err: error, webhookId }, "webhook deliveries could not be read");
      }
    };
    if (!ctx.deliveries.start({ accountId, webhookId, lane }, work, goOn)) return;
  }
}

/** Starts the deliveries that are due, as far as there are places for them. `signal` starts no more. */
export function startDueDeliveries(ctx: Context, signal: AbortSignal): void {
  for (const webhookId of waiting(ctx.db).all() as string[]) startDue(ctx, webhookId, signal);
}
