import type { Context } from "#app/services/context.server.ts";

export type Worker = {
  /** Stops taking work, lets the reads under way end or aborts them after `graceMs`, resolves when none is left. */
  stop(graceMs?: number): Promise<void>;
  running(): boolean;
};

/** Starts the schedule beside the server: due reads, expiry, notices and their mails, trimming. */
export function startWorker(_ctx: Context): Worker {
  throw new Error("unwritten");
}
