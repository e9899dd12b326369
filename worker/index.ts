import { setTimeout as sleep } from "node:timers/promises";
import { rescheduleAfterRollback } from "#app/services/claims/clock-rollback.server.ts";
import { expireOverdue } from "#app/services/claims/expiry.server.ts";
import { createReminders } from "#app/services/claims/reminders.server.ts";
import { drainRuns, startDueReads } from "#app/services/claims/runs.server.ts";
import { newestTime, recordHeartbeat } from "#app/services/clock/heartbeat.server.ts";
import { isTimeKnown } from "#app/services/clock/timekeeper.server.ts";
import type { Context } from "#app/services/context.server.ts";
import { dnsWatch } from "#app/services/health.server.ts";
import { trimEverything } from "#app/services/housekeeping.server.ts";
import { sendDueMails } from "#app/services/notices/notice-mails.server.ts";
import { testReceipts } from "#app/services/proofs/receipts.server.ts";
import { settleKey } from "#app/services/receipts/keys.server.ts";
import { askNext } from "#app/services/registry/asking.server.ts";
import { SECOND } from "#app/services/time.ts";
import { startDueWatchReads } from "#app/services/watching/watch-reads.server.ts";
import { Deliveries, sendEndMails } from "#app/services/webhooks/deliver.server.ts";
import { startJob } from "./job.ts";
import { repeatUntilDone } from "./repeat-until-done.ts";

export type Worker = {
  /** Stops taking work, aborts reads still under way after `graceMs`, and resolves once none is left. */
  stop(graceMs?: number): Promise<void>;
  running(): boolean;
};

const GRACE_MS = 2_000;
/** Of a long queue, so many reads start at once, so often at most: pages and API calls come in between. */
const PACE = { reads: 2, everyMs: 10 };
/** How often reads that wait for room at an address look for it. */
const ROOM_MS = 50;
/** Reads of watched records that start in a second: enough for 345,600 a day, and no more after a day without the service. */
const WATCH_READS = 4;
/** Smaller clock rollbacks are ignored: they delay a read by no more than this. */
const ROLLBACK_MS = 60_000;

const EVERY_SECOND = "* * * * * *";
const EVERY_TEN_SECONDS = "*/10 * * * * *";
const HOURLY = "17 7 * * * *";

/**
 * Starts the schedule beside the server: due reads, expiry, notices and their mails, trimming. Time continues from the
 * newest time in the database. While the time is not known, no job runs.
 */
export function startWorker(ctx: Context): Worker {
  const newest = newestTime(ctx.db);
  if (newest !== null) ctx.timekeeper.resume(newest);
  const stopping = new AbortController();
  const { signal } = stopping;
  const pause = (ms: number) => sleep(ms, undefined, { signal, ref: false }).catch(() => {});

  let lastTick = Number.POSITIVE_INFINITY;
  const checkForRollback = async () => {
    const now = ctx.clock();
    if (now < lastTick - ROLLBACK_MS)
      await repeatUntilDone(() => rescheduleAfterRollback(ctx), signal);
    lastTick = now;
  };

  /**
   * Starts what is due until nothing is left, waiting for a place if all are taken. The pause doubles when a timer comes
   * late and halves when it does not, because a fixed pace makes pages wait on a machine too slow for it.
   */
  const readDue = async () => {
    let pauseMs = PACE.everyMs;
    while (!signal.aborted && isTimeKnown(ctx)) {
      await checkForRollback();
      if (signal.aborted) return;
      const started = await startDueReads(ctx, PACE.reads);
      if (started === "all") return;
      const waitMs = ctx.runs.held.size > 0 ? ROOM_MS : SECOND;
      if (started === "held") await Promise.race([ctx.runs.oneEnds(), pause(waitMs)]);
      const pausedAt = performance.now();
      await pause(pauseMs);
      const lateMs = performance.now() - pausedAt - pauseMs;
      const isLate = lateMs > PACE.everyMs / 2;
      pauseMs = isLate ? Math.min(2 * pauseMs, SECOND) : Math.max(pauseMs / 2, PACE.everyMs);
    }
  };

  const watchDns = dnsWatch(ctx);
  const job = (name: string, pattern: string, work: () => Promise<void>) =>
    startJob(
      pattern,
      async () => {
        if (isTimeKnown(ctx)) await work();
      },
      (error) => ctx.log.error({ err: error, job: name }, "job failed"),
    );
  const deliveries = new Deliveries(ctx);
  const jobs = [
    job("reads", EVERY_SECOND, readDue),
    job("watches", EVERY_SECOND, () => startDueWatchReads(ctx, WATCH_READS)),
    job("expiry", EVERY_SECOND, () => repeatUntilDone(() => expireOverdue(ctx), signal)),
    job("notices", EVERY_SECOND, () => repeatUntilDone(() => createReminders(ctx), signal)),
    job("mails", EVERY_SECOND, () => repeatUntilDone(() => sendDueMails(ctx, signal), signal)),
    job("receipts", EVERY_SECOND, async () => {
      await settleKey(ctx);
      await testReceipts(ctx, signal);
    }),
    job("webhooks", EVERY_SECOND, () => repeatUntilDone(() => deliveries.round(), signal)),
    job("registries", EVERY_SECOND, () => askNext(ctx, signal)),
    job("webhook mails", EVERY_SECOND, () => repeatUntilDone(() => sendEndMails(ctx), signal)),
    job("dns watch", EVERY_TEN_SECONDS, async () => watchDns()),
    job("trimming", HOURLY, () => trimEverything(ctx, signal)),
    job("heartbeat", HOURLY, () => recordHeartbeat(ctx)),
  ];

  return {
    async stop(graceMs = GRACE_MS) {
      stopping.abort();
      const grace = new Promise((resolve) => setTimeout(resolve, graceMs).unref());
      const ended = Promise.all(jobs.map(({ stop }) => stop()));
      await Promise.all([
        Promise.race([ended, grace]),
        drainRuns(ctx, graceMs),
        deliveries.drain(graceMs),
        ctx.watchReads.drain(graceMs),
      ]);
    },
    running: () => !signal.aborted,
  };
}
