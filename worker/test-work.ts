import { setImmediate as turn } from "node:timers/promises";
import { recordHeartbeat } from "#app/core/clock/heartbeat.server.ts";
import type { Context } from "#app/core/context.server.ts";
import { SECOND, unlessAborted } from "#app/core/time.ts";
import { firstDue, jobsOf, SECONDLY } from "./index.ts";

/** A week of a claim that is never proved has about 400 due moments. */
const MOST_MS = 10 * SECOND;

/** The worker of a test world, which works while the clock is moved. Returns what moves it, one call after the other. */
export function testWork(
  ctx: Context,
  closing: AbortSignal,
  setClock: (at: number) => void,
): (byMs: number) => Promise<void> {
  const { list, deliveries } = jobsOf(ctx, closing, () => true);
  const works = list.flatMap(([every, , work]) => (every === SECONDLY ? [work] : []));
  const firstPost = ctx.db.$client
    .prepare<[number], number | null>("select min(due_at) from webhook_deliveries where due_at > ?")
    .pluck();
  const underWay = [ctx.runs, ctx.watchReads, deliveries];

  async function doDue(signal: AbortSignal): Promise<void> {
    // Pages and calls of others come in between.
    await turn();
    for (const work of works)
      for (let isBusy = true; isBusy && !signal.aborted; ) {
        await work();
        isBusy = underWay.some(({ size }) => size > 0);
        for (const some of underWay)
          while (some.size > 0 && !signal.aborted)
            await unlessAborted(some.oneEnds(), signal).catch(() => {});
      }
  }

  async function move(byMs: number): Promise<void> {
    const signal = AbortSignal.any([closing, AbortSignal.timeout(MOST_MS)]);
    const target = ctx.clock() + byMs;
    await doDue(signal);
    for (let now = ctx.clock(); now < target && !signal.aborted; now = ctx.clock()) {
      const due = [firstDue(ctx.db).get({ after: now }), firstPost.get(now), target];
      setClock(Math.min(...due.flatMap((at) => at ?? [])));
      await recordHeartbeat(ctx);
      await doDue(signal);
    }
  }

  let last = Promise.resolve();
  return (byMs) => {
    const moved = last.then(() => move(byMs));
    last = moved.catch(() => {});
    return moved;
  };
}
