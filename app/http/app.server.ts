import type { Env } from "#app/env.server.ts";
import type { Context } from "#app/services/context.server.ts";
import type { Limiter } from "./limits.server.ts";

/** The state of this cluster node. */
export type NodeFacts = {
  role: "primary" | "replica" | "orphan";
  /** The newest transaction of this node's copy of the database, in hex. */
  position: string;
  /** Milliseconds since the primary's last heartbeat; null before the first. */
  lagMs: number | null;
};

/** The running service, as the composition root made it. */
export type App = Context & {
  env: Env;
  limiter: Limiter;
  /** Aborts at shutdown: open streams end. */
  closing: AbortSignal;
  /** Whether the worker in this process is running. */
  workerRunning: () => boolean;
  /** Whether the last mail was accepted by the mail server; unknown before the first. */
  mailHealth: () => "ok" | "failing" | "unknown";
  /** Absent on a single node. */
  nodeFacts?: () => NodeFacts;
};

let current: App | null = null;

export function provideApp(app: App): void {
  current = app;
}

/** The running service. Throws until the composition root has provided it. */
export function getApp(): App {
  if (!current) throw new Error("the service has not started");
  return current;
}
