import type { Context } from "#app/services/context.server.ts";
import { startWorker, type Worker } from "./index.ts";

export type LeaderWorker = {
  /** Starts or stops the worker, after any earlier change has completed. */
  setActive(duty: boolean): void;
  running(): boolean;
  /** Stops the worker permanently; resolves once it has stopped. */
  stop(graceMs: number): Promise<void>;
};

/** Runs the worker while this node is on duty: in a cluster, only on the primary. */
export function createLeaderWorker(ctx: Context, start = startWorker): LeaderWorker {
  let worker: Worker | null = null;
  let wanted = false;
  let ended = false;
  let turn = Promise.resolve();

  let grace: number | undefined;

  const settle = async () => {
    if (wanted && !worker) worker = start(ctx);
    if (wanted || !worker) return;
    await worker.stop(grace);
    worker = null;
  };

  return {
    setActive(duty) {
      if (ended) return;
      wanted = duty;
      turn = turn.then(settle);
    },
    running: () => worker?.running() ?? false,
    async stop(graceMs) {
      ended = true;
      wanted = false;
      grace = graceMs;
      turn = turn.then(settle);
      await turn;
    },
  };
}
