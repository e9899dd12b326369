import type { Context } from "#app/services/context.server.ts";
import { startWorker, type Worker } from "./index.ts";

export type LeaderWorker = {
  /** Starts or stops the worker; a change waits until the one before it is done. */
  onDuty(duty: boolean): void;
  running(): boolean;
  /** Stops for good; resolves when nothing is left. */
  end(graceMs: number): Promise<void>;
};

/** The worker as duty comes and goes: in a cluster it runs on the primary alone. */
export function createLeaderWorker(ctx: Context): LeaderWorker {
  let worker: Worker | null = null;
  let wanted = false;
  let ended = false;
  let turn = Promise.resolve();

  let grace: number | undefined;

  const settle = async () => {
    if (wanted && !worker) worker = startWorker(ctx);
    if (wanted || !worker) return;
    await worker.stop(grace);
    worker = null;
  };

  return {
    onDuty(duty) {
      if (ended) return;
      wanted = duty;
      turn = turn.then(settle);
    },
    running: () => worker?.running() ?? false,
    async end(graceMs) {
      ended = true;
      wanted = false;
      grace = graceMs;
      turn = turn.then(settle);
      await turn;
    },
  };
}
