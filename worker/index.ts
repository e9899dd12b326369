import { setTimeout as sleep } from "node:timers/promises";
import { newestTime, recordHeartbeat } from "#app/core/clock/heartbeat.server.ts";
import { isTimeKnown } from "#app/core/clock/timekeeper.server.ts";
import type { Context } from "#app/core/context.server.ts";
import { SECOND } from "#app/core/time.ts";
import { damageWatch, dnsWatch } from "#app/features/admin/health.server.ts";
import {
  createReminders,
  expireOverdue,
  rescheduleAfterRollback,
} from "#app/features/claims/expiry.server.ts";
import { glanceRound } from "#app/features/claims/glances.server.ts";
import { ROUND_MS } from "#app/features/claims/glances.ts";
import { startDueReads } from "#app/features/claims/runs.server.ts";
import { sendDueMails } from "#app/features/notices/notice-mails.server.ts";
import { testReceipts } from "#app/features/proofs/receipts.server.ts";
import { signOldReceiptsAgain } from "#app/features/receipts/issue.server.ts";
import { ensureCurrentKey } from "#app/features/receipts/keys.server.ts";
import { receiptStamping } from "#app/features/receipts/stamps.server.ts";
import {
  askRegistryOfWatched,
  startDueWatchReads,
} from "#app/features/watching/watch-reads.server.ts";
import { Deliveries, sendEndMails } from "#app/features/webhooks/deliver.server.ts";
import { askNext } from "#app/features/zones/registry/registrations.server.ts";
import { prepared } from "#db/client.ts";
import { READ_DUE_AT } from "#db/schema.ts";
import { trimEverything } from "./housekeeping.server.ts";
import { repeatUntilDone, startJob } from "./job.ts";

const GRACE_MS = 2_000;
/** How many reads of a long queue start together, and how often, so that pages and API calls get their turn. */
const READ_PACE = { reads: 2, everyMs: 10 };
const ROOM_MS = 50;
/** Starts per second: enough for 345,600 a day, but no rush after a day without the service. */
const WATCH_READS_PER_SECOND = 4;
/** The smallest rollback of the clock that is noticed; a smaller one delays a read by no more than this. */
const MIN_ROLLBACK_MS = 60_000;

export const EVERY_SECOND = "* * * * * *";
const EVERY_TEN_SECONDS = "*/10 * * * * *";
const EVERY_HOUR = "17 7 * * * *";

/** Selects the first planned moment after `after`; null if nothing is planned. */
export const firstDue = prepared((db) =>
  db.$client
    .prepare<{ after: number }, number | null>(
      `select min(at) from (
         select min(${READ_DUE_AT}) as at from verifications where ${READ_DUE_AT} > @after
         union all select min(next_read_at) from watches where next_read_at > @after
         union all select min(next_ask_at) from watches where purpose = 'watch' and next_ask_at > @after
         union all select min(expires_at) from claims where state = 'pending' and expires_at > @after
         union all select min(next_notice_at) from claims where next_notice_at > @after
         union all select min(due_at) from notice_mails where due_at > @after
         union all select min(mail_due_at) from webhooks where mail_due_at > @after)`,
    )
    .pluck(),
);

/** Returns a function that tells all jobs whether anything is due, and asks the database only once a second. */
function createDueCheck(ctx: Context): () => boolean {
  let checkedAt = Number.NEGATIVE_INFINITY;
  let isDue = false;
  return () => {
    if (performance.now() - checkedAt < SECOND / 2) return isDue;
    const firstDueAt = firstDue(ctx.db).get({ after: -1 }) ?? null;
    isDue = firstDueAt !== null && firstDueAt <= ctx.clock();
    checkedAt = performance.now();
    return isDue;
  };
}

type Job = [every: string, name: string, work: () => Promise<void>];

/** Returns the worker's jobs, which run until `signal` aborts. */
export function jobsOf(ctx: Context, signal: AbortSignal, isAnythingDue: () => boolean) {
  const pause = (ms: number) => sleep(ms, undefined, { signal, ref: false }).catch(() => {});

  let lastTick = Number.POSITIVE_INFINITY;
  const checkForRollback = async () => {
    const now = ctx.clock();
    if (now < lastTick - MIN_ROLLBACK_MS)
      await repeatUntilDone(() => rescheduleAfterRollback(ctx), signal);
    lastTick = now;
  };

  /** The pause grows while timers are late: at a fixed pace, pages would wait on a slow machine. */
  const runDueReads = async () => {
    let pauseMs = READ_PACE.everyMs;
    while (!signal.aborted && isTimeKnown(ctx)) {
      await checkForRollback();
      // A read that a glance started may wait here before it is due.
      if (signal.aborted || !(isAnythingDue() || ctx.runs.queue.reads.size > 0)) return;
      const outcome = await startDueReads(ctx, READ_PACE.reads);
      if (outcome === "all") return;
      const waitMs = ctx.runs.queue.reads.size > 0 ? ROOM_MS : SECOND;
      if (outcome === "held") await Promise.race([ctx.runs.untilOneEnds(), pause(waitMs)]);
      const pausedAt = performance.now();
      await pause(pauseMs);
      const isLate = performance.now() - pausedAt - pauseMs > READ_PACE.everyMs / 2;
      pauseMs = isLate ? Math.min(2 * pauseMs, SECOND) : Math.max(pauseMs / 2, READ_PACE.everyMs);
    }
  };

  const whenDue = (work: () => Promise<void>) => async () => {
    if (isAnythingDue()) await work();
  };
  const repeatWhenDue = (step: () => Promise<boolean>) =>
    whenDue(() => repeatUntilDone(step, signal));
  const watchDns = dnsWatch(ctx);
  const deliveries = new Deliveries(ctx);
  let hasOldReceipts = true;
  const signReceipts = async () => {
    await ensureCurrentKey(ctx);
    if (hasOldReceipts) await signOldReceiptsAgain(ctx, signal);
    hasOldReceipts = false;
    await testReceipts(ctx, signal);
  };
  const list: Job[] = [
    [EVERY_SECOND, "reads", runDueReads],
    [EVERY_SECOND, "watches", whenDue(() => startDueWatchReads(ctx, WATCH_READS_PER_SECOND))],
    [EVERY_SECOND, "expiry", repeatWhenDue(() => expireOverdue(ctx))],
    [EVERY_SECOND, "notices", repeatWhenDue(() => createReminders(ctx))],
    [EVERY_SECOND, "mails", repeatWhenDue(() => sendDueMails(ctx, signal))],
    [EVERY_SECOND, "webhook mails", repeatWhenDue(() => sendEndMails(ctx))],
    [EVERY_SECOND, "webhooks", () => repeatUntilDone(() => deliveries.round(), signal)],
    [EVERY_SECOND, "registries", () => askNext(ctx, signal)],
    [EVERY_SECOND, "registrations", whenDue(() => askRegistryOfWatched(ctx))],
    [EVERY_SECOND, "receipts", signReceipts],
    [EVERY_SECOND, "stamps", receiptStamping(ctx, signal)],
    [EVERY_TEN_SECONDS, "dns watch", async () => watchDns()],
    [EVERY_TEN_SECONDS, "damage watch", damageWatch(ctx, signal)],
    [EVERY_HOUR, "trimming", () => trimEverything(ctx, signal)],
    [EVERY_HOUR, "heartbeat", () => recordHeartbeat(ctx)],
  ];
  return { list, deliveries };
}

/** Starts the jobs; none runs while the time is not known. */
export function startWorker(ctx: Context) {
  const newestAt = newestTime(ctx.db);
  if (newestAt !== null) ctx.timekeeper.resume(newestAt);
  const stopping = new AbortController();
  const { signal } = stopping;
  const { list, deliveries } = jobsOf(ctx, signal, createDueCheck(ctx));
  const start = ([every, job, work]: Job) =>
    startJob(
      every,
      async () => {
        if (isTimeKnown(ctx)) await work();
      },
      (error) => ctx.log.error({ err: error, job }, "job failed"),
    );
  // Glances are not a job: they run a hundred times a second, and never in a test world.
  const glance = async () => {
    let isFailing = false;
    const logFailure = (error: unknown) => {
      if (!isFailing && !signal.aborted) ctx.log.error({ err: error }, "a glance failed");
      isFailing = true;
    };
    while (!signal.aborted) {
      const ms = ctx.glances.size > 0 && !isFailing ? ROUND_MS : SECOND;
      isFailing = false;
      if (isTimeKnown(ctx)) glanceRound(ctx, signal).catch(logFailure);
      await sleep(ms, undefined, { signal, ref: false }).catch(() => {});
    }
  };
  void glance();
  const jobs = new Map(list.map((job) => [job[1], start(job)]));

  return {
    /** The first run of the receipts' job: old receipts are signed again, if the time is known. */
    receiptsSigned: jobs.get("receipts")?.run(),
    /** Aborts reads that still run after `graceMs`. */
    async stop(graceMs = GRACE_MS): Promise<void> {
      stopping.abort();
      const grace = new Promise((resolve) => setTimeout(resolve, graceMs).unref());
      const ended = Promise.all([...jobs.values()].map(({ stop }) => stop()));
      await Promise.all([
        Promise.race([ended, grace]),
        ctx.runs.drain(graceMs),
        deliveries.drain(graceMs),
        ctx.watchReads.drain(graceMs),
      ]);
    },
    running: () => !signal.aborted,
  };
}

export type Worker = ReturnType<typeof startWorker>;

/** Creates a worker that can be switched on and off: in a cluster, it runs only on the primary. */
export function createLeaderWorker(ctx: Context, start = startWorker) {
  let worker: Worker | null = null;
  let isWorkerWanted = false;
  let isEnded = false;
  let queue = Promise.resolve();
  let grace: number | undefined;

  const applyDuty = async () => {
    if (isWorkerWanted && !worker) worker = start(ctx);
    if (isWorkerWanted || !worker) return;
    await worker.stop(grace);
    worker = null;
  };

  return {
    setActive(isActive: boolean): void {
      if (isEnded) return;
      isWorkerWanted = isActive;
      queue = queue.then(applyDuty);
    },
    running: () => worker?.running() ?? false,
    receiptsSigned: () => queue.then(() => worker?.receiptsSigned),
    async stop(graceMs: number): Promise<void> {
      isEnded = true;
      isWorkerWanted = false;
      grace = graceMs;
      queue = queue.then(applyDuty);
      await queue;
    },
  };
}
