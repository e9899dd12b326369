import { rescheduleAfterRollback } from "#app/services/claims/clock-rollback.server.ts";
import { expireOverdue } from "#app/services/claims/expiry.server.ts";
import { createReminders } from "#app/services/claims/reminders.server.ts";
import { drainRuns, onFreePlace, startDueReads } from "#app/services/claims/runs.server.ts";
import { newestTime, recordHeartbeat } from "#app/services/clock/heartbeat.server.ts";
import { isTimeKnown } from "#app/services/clock/timekeeper.server.ts";
import type { Context } from "#app/services/context.server.ts";
import { trimEverything } from "#app/services/housekeeping.server.ts";
import { sendDueMails } from "#app/services/notices/notice-mails.server.ts";
import { startJob } from "./job.ts";
import { repeatUntilDone } from "./repeat-until-done.ts";

export type Worker = {
  /** Stops taking work, aborts reads still under way after `graceMs`, and resolves once none is left. */
  stop(graceMs?: number): Promise<void>;
  running(): boolean;
};

const GRACE_MS = 2_000;
/** Reads started at a time while more are due. */
const BEGUN_AT_ONCE = 5;
/**
 * Pause between batches. It grows with event-loop lag, so that a long queue uses only spare CPU and pages do not wait.
 */
const LEAST_PAUSE_MS = 5;
const MOST_PAUSE_MS = 50;
const PER_MS_LATE = 8;

/** Smaller clock rollbacks are ignored: they delay a read by no more than this. */
const BACK_MS = 60_000;

const EVERY_SECOND = "* * * * * *";
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
  let refill: NodeJS.Timeout | null = null;

  const job = (name: string, pattern: string, work: () => Promise<void>) =>
    startJob(
      pattern,
      async () => {
        if (isTimeKnown(ctx)) await work();
      },
      (error) => ctx.log.error({ err: error, job: name }, "job failed"),
    );

  let pause = LEAST_PAUSE_MS;
  const refillSoon = () => {
    if (refill || signal.aborted) return;
    const dueAt = performance.now() + pause;
    refill = setTimeout(() => {
      refill = null;
      const late = performance.now() - dueAt;
      pause = Math.min(LEAST_PAUSE_MS + PER_MS_LATE * late, MOST_PAUSE_MS);
      reads.trigger();
    }, pause);
  };

  let lastLook = Number.POSITIVE_INFINITY;
  const replan = async () => {
    const now = ctx.clock();
    if (now < lastLook - BACK_MS) await repeatUntilDone(() => rescheduleAfterRollback(ctx), signal);
    lastLook = now;
  };

  const reads = job("reads", EVERY_SECOND, async () => {
    await replan();
    if (!signal.aborted && (await startDueReads(ctx, BEGUN_AT_ONCE)) === "more") refillSoon();
  });
  onFreePlace(ctx, refillSoon);
  const jobs = [
    reads,
    job("expiry", EVERY_SECOND, () => repeatUntilDone(() => expireOverdue(ctx), signal)),
    job("notices", EVERY_SECOND, () => repeatUntilDone(() => createReminders(ctx), signal)),
    job("mails", EVERY_SECOND, () => repeatUntilDone(() => sendDueMails(ctx, signal), signal)),
    job("trimming", HOURLY, () => trimEverything(ctx, signal)),
    job("heartbeat", HOURLY, () => recordHeartbeat(ctx)),
  ];

  return {
    async stop(graceMs = GRACE_MS) {
      stopping.abort();
      if (refill) clearTimeout(refill);
      const grace = new Promise((resolve) => setTimeout(resolve, graceMs).unref());
      const ended = Promise.all(jobs.map(({ stop }) => stop()));
      await Promise.all([Promise.race([ended, grace]), drainRuns(ctx, graceMs)]);
    },
    running: () => !signal.aborted,
  };
}
