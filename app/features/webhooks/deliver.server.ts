import { setTimeout as sleep } from "node:timers/promises";
import { escapeUntrusted } from "@deed/dns/verdict/escape-untrusted.ts";
import { eq, lte, sql } from "drizzle-orm";
import { Webhook as Signer } from "standardwebhooks";
import { mailedPeople } from "#app/core/accounts/accounts.server.ts";
import { isTimeKnown } from "#app/core/clock/timekeeper.server.ts";
import { commit } from "#app/core/commit.server.ts";
import type { Context } from "#app/core/context.server.ts";
import { FairShare, RunningWork } from "#app/core/fair-share.ts";
import { recordMailFailure } from "#app/core/mail/mail.server.ts";
import { OutboundError } from "#app/core/outbound/failures.ts";
import { retryAfterMs } from "#app/core/outbound/outbound.server.ts";
import { HOUR, MINUTE, SECOND } from "#app/core/time.ts";
import { prepared, type Tx } from "#db/client.ts";
import { webhookDeliveries, webhooks } from "#db/schema.ts";
import { link, renderMail } from "../notices/mail-texts.ts";
import { RETRY_AFTER_MS } from "../notices/notice-mails.server.ts";
import { postOf } from "./chat.server.ts";
import { END_REASON_TEXTS, keptEventsText } from "./end-texts.ts";
import { deliveryRows, endWebhook, giveUpPending } from "./webhooks.server.ts";

const MAX_CONCURRENT_POSTS = { all: 256, each: 4 };
const ANSWER_LENGTH = 1_000;
const STATUS_GONE = 410;
/** Waits after each failed try, as the specification advises: ten tries within 75 hours and 35 minutes. */
export const NEXT_TRY_MS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR),
];
export const JITTER = 0.1;

/** Selects the first due deliveries of every enabled webhook, including running ones. */
const dueDeliveries = prepared((db) =>
  db.$client.prepare<[now: number], { number: number; accountId: string }>(
    `select d.number, a.id as accountId from webhooks w
     join accounts a on a.id = w.account_id and a.disabled_at is null
     join webhook_deliveries d on d.number in (
       select number from webhook_deliveries where webhook_id = w.id and due_at <= ?
       order by due_at, number limit ${MAX_CONCURRENT_POSTS.each})
     where w.disabled_at is null order by d.due_at, d.number`,
  ),
);

const deliveryByNumber = prepared((db) =>
  deliveryRows(db, eq(webhookDeliveries.number, sql.placeholder("number"))),
);
type Row = NonNullable<ReturnType<ReturnType<typeof deliveryByNumber>["get"]>>;

/** How a try ended. `reason` says why there was no answer; `waitMs` is how long the receiver wants Deed to wait. */
type TryResult = Pick<
  typeof webhookDeliveries.$inferSelect,
  "status" | "reason" | "answer" | "latencyMs" | "triedAt"
> & { waitMs: number };

/** Signs a post (Standard Webhooks). After a rotation the previous secret also signs while it is valid. */
function signedHeaders({ message: { id, body }, webhook }: Row, now: number) {
  const { secret, previousSecret, previousUntil } = webhook;
  const isRotating = previousSecret !== null && (previousUntil ?? 0) > now;
  const secrets = isRotating ? [secret, previousSecret] : [secret];
  return {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(now / SECOND)),
    "webhook-signature": secrets
      .map((one) => new Signer(one).sign(id, new Date(now), body))
      .join(" "),
  };
}

async function attempt(ctx: Context, row: Row, signal: AbortSignal): Promise<TryResult> {
  const triedAt = ctx.clock();
  const startedAt = performance.now();
  const result = (facts: Partial<TryResult>): TryResult => {
    const latencyMs = Math.round(performance.now() - startedAt);
    return { triedAt, latencyMs, status: null, reason: null, answer: null, waitMs: 0, ...facts };
  };
  const { url, kind } = row.webhook;
  const post = postOf(ctx, row);
  const headers = {
    ...post.headers,
    "User-Agent": `Deed/${ctx.settings.version}`,
    // The time is real, because receivers compare it with their clock.
    ...(kind === "deed" && signedHeaders(row, (ctx.test?.real ?? ctx).clock())),
  };
  try {
    const request = { method: "POST", url, headers, body: post.body } as const;
    const { status, headers: given, body } = await ctx.outbound.call(request, signal);
    const text = body.toString("utf8", 0, 4 * ANSWER_LENGTH);
    const waitMs = retryAfterMs(given["retry-after"], ctx.clock());
    return result({ status, answer: escapeUntrusted(text, ANSWER_LENGTH), waitMs });
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return result({ reason: error.reason });
  }
}

const isAccepted = ({ status }: TryResult) => status !== null && status >= 200 && status < 300;

/** Returns the milliseconds until the next try after `tries` failures; null after the last, or if the receiver is gone. */
function nextTry({ status, waitMs }: TryResult, tries: number, random: number): number | null {
  const wait = NEXT_TRY_MS[tries - 1];
  if (wait === undefined || status === STATUS_GONE) return null;
  return Math.max(Math.round(wait * (1 - JITTER + 2 * JITTER * random)), waitMs);
}

const advance = (tx: Tx, { webhookId, lane }: Row["delivery"], now: number) =>
  tx.run(sql`update webhook_deliveries set due_at = ${now} where due_at is null and number = (
    select min(number) from webhook_deliveries
    where webhook_id = ${webhookId} and lane = ${lane} and state = 'pending')`);

/** Records a try's result and what follows from it, in one transaction. Returns whether it disabled the webhook. */
const record = (ctx: Context, { delivery, webhook }: Row, tried: TryResult): Promise<boolean> =>
  commit(ctx, (tx, ctx, now) => {
    const { waitMs, ...facts } = tried;
    const tries = delivery.tries + 1;
    const { number } = delivery;
    const isThisDelivery = eq(webhookDeliveries.number, number);
    const set = (end: Partial<Row["delivery"]>) => {
      const changes = { ...facts, tries, ...end };
      tx.update(webhookDeliveries).set(changes).where(isThisDelivery).run();
    };
    if (isAccepted(tried)) {
      set({ state: "delivered", dueAt: null });
      advance(tx, delivery, now);
      return false;
    }
    const { disabledBecause = "holder" } = deliveryByNumber(tx).get({ number })?.webhook ?? {};
    const isEnabled = disabledBecause === null;
    const wait = nextTry(tried, tries, ctx.random());
    if (wait !== null && (isEnabled || disabledBecause === "key_revoked")) {
      set({ dueAt: now + wait });
      return false;
    }
    set({ state: "failed", dueAt: null });
    const because = tried.status === STATUS_GONE ? "gone" : "failing";
    if (isEnabled) endWebhook(tx, webhook.id, because, now);
    else advance(tx, delivery, now);
    return isEnabled;
  });

/** Tries a delivery. A try that `signal` aborts is not recorded, and is made again. Never rejects. */
async function deliver(ctx: Context, number: number, signal: AbortSignal): Promise<void> {
  try {
    const row = deliveryByNumber(ctx.db).get({ number });
    if (!row) return;
    const result = await attempt(ctx, row, signal);
    if (signal.aborted && !isAccepted(result)) return;
    if (await record(ctx, row, result)) await giveUpPending(ctx, row.webhook.id);
  } catch (error) {
    ctx.log.error({ err: error, delivery: number }, "webhook delivery failed");
    // If the result cannot be written, wait, so that the event is not posted over and over.
    await sleep(MINUTE, undefined, { signal, ref: false }).catch(() => {});
  }
}

export class Deliveries extends RunningWork<number> {
  readonly #share = new FairShare(MAX_CONCURRENT_POSTS.all, 1);

  constructor(private readonly ctx: Context) {
    super();
  }

  /** Starts due deliveries that have a place. If it starts any, resolves to true when one ends, or after a second. */
  async round(): Promise<boolean> {
    const { ctx, size: before } = this;
    for (const { number, accountId } of dueDeliveries(ctx.db).all(ctx.clock())) {
      if (this.has(number) || !this.#share.tryAcquire(accountId)) continue;
      const abort = new AbortController();
      const done = deliver(ctx, number, abort.signal);
      this.add(number, { abort, done: done.finally(() => this.#share.release(accountId)) });
    }
    if (this.size === before) return false;
    await Promise.race([sleep(SECOND, undefined, { ref: false }), this.untilOneEnds()]);
    return isTimeKnown(ctx);
  }
}

const setMail = (ctx: Context, id: string, mailDueAt: number | null, mailTries: number) =>
  commit(ctx, (tx) =>
    tx.update(webhooks).set({ mailDueAt, mailTries }).where(eq(webhooks.id, id)).run(),
  );

/** Mails that one webhook was disabled; if a mail fails, sends all again later. Returns true if there may be more. */
export async function sendEndMails(ctx: Context): Promise<boolean> {
  const now = ctx.clock();
  const row = ctx.db.select().from(webhooks).where(lte(webhooks.mailDueAt, now)).limit(1).get();
  if (!row?.disabledBecause) return false;
  const { id, accountId, url, kind, disabledBecause: because, mailTries } = row;
  const wait = RETRY_AFTER_MS[mailTries];
  await setMail(ctx, id, wait === undefined ? null : now + wait, mailTries + 1);
  const { baseUrl } = ctx.settings;
  const { host } = new URL(url);
  const mail = renderMail(
    `Deed no longer sends events to ${host}`,
    [
      `Your webhook at ${host} ${END_REASON_TEXTS[because]}. Deed disabled it.`,
      keptEventsText(because, kind),
      link("See what it answered, and enable it", `${baseUrl}/account/webhooks/${id}`),
    ],
    [
      "You received this email because this webhook belongs to your account on Deed.",
      link("Turn off these emails", `${baseUrl}/account`),
    ],
  );
  let isAllSent = true;
  for (const { email: to } of mailedPeople(ctx.db, accountId))
    await ctx.mailer.send({ to, ...mail }).catch((error) => {
      isAllSent = false;
      return recordMailFailure(ctx, to, error);
    });
  if (isAllSent) await setMail(ctx, id, null, mailTries + 1);
  return true;
}
