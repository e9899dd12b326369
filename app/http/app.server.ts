import type { Env } from "#app/env.server.ts";
import type { Context } from "#app/services/context.server.ts";

/** The running service: what the composition root made, for routes to reach. */
export type App = Context & {
  env: Env;
  /** Aborts at shutdown: open streams end. */
  closing: AbortSignal;
  /** Whether the worker beside this server is running. */
  workerRunning: () => boolean;
};

let current: App | null = null;

export function provideApp(app: App): void {
  current = app;
}

/** The running service. Throws before the composition root has provided it. */
export function getApp(): App {
  if (!current) throw new Error("the service has not started");
  return current;
}
