import { recordHeartbeat } from "#app/core/clock/heartbeat.server.ts";
import type { Context } from "#app/core/context.server.ts";
import { DeedError } from "#app/core/errors.server.ts";
import { SECOND, unlessAborted } from "#app/core/time.ts";
import { EVERY_SECOND, firstDue, jobsOf } from "./index.ts";

/** The longest work of a call. A week of a claim that is never proved has about 400 due moments. */
const MAX_MS = 10 * SECOND;
/** After each slice, pages and other calls get their turn. */
const SLICE_MS = 20;

/** Makes a test world's worker, which only works while its clock moves. Returns the function that moves the clock. */
export function testWork(
  ctx: Context,
  closing: AbortSignal,
  turn: () => Promise<void>,
  setClock: (at: number) => void,
): (byMs: number) => Promise<void> {
  const { list, deliveries } = jobsOf(ctx, closing, () => true);
  const jobs = list.flatMap(([every, , work]) => (every === EVERY_SECOND ? [work] : []));
  const firstPost = ctx.db.$client
    .prepare<[number], number | null>("select min(due_at) from webhook_deliveries where due_at > ?")
    .pluck();
  const running = [ctx.runs, ctx.watchReads, deliveries];

  let sliceStartedAt = 0;
  async function doDueWork(signal: AbortSignal): Promise<void> {
    for (const work of jobs)
      for (let isBusy = true; isBusy && !signal.aborted; ) {
        if (performance.now() - sliceStartedAt >= SLICE_MS) {
          await turn();
          sliceStartedAt = performance.now();
        }
        await work();
        isBusy = running.some(({ size }) => size > 0);
        for (const runner of running)
          while (runner.size > 0 && !signal.aborted)
            await unlessAborted(runner.untilOneEnds(), signal).catch(() => {});
      }
  }

  async function move(byMs: number): Promise<void> {
    const signal = AbortSignal.any([closing, AbortSignal.timeout(MAX_MS)]);
    const target = ctx.clock() + byMs;
    await doDueWork(signal);
    for (let now = ctx.clock(); now < target && !signal.aborted; now = ctx.clock()) {
      const due = [firstDue(ctx.db).get({ after: now }), firstPost.get(now), target];
      setClock(Math.min(...due.flatMap((at) => at ?? [])));
      await recordHeartbeat(ctx);
      await doDueWork(signal);
    }
  }

  let isMoving = false;
  return async (byMs) => {
    const message = "The clock of test mode is being moved. Make one call at a time.";
    if (isMoving)
      throw new DeedError("rate_limited", { message, retryAfter: 1, budget: "testClock" });
    isMoving = true;
    await move(byMs).finally(() => (isMoving = false));
  };
}
