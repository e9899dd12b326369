import type { Env } from "#app/env.server.ts";
import type { Context } from "#app/services/context.server.ts";

/** This node's place among several. */
export type NodeFacts = {
  role: "primary" | "replica" | "orphan";
  /** Newest transaction of this node's copy of the database, in hex. */
  position: string;
  /** Milliseconds since the primary was last heard of; null before the first word of it. */
  lagMs: number | null;
};

/** The running service: what the composition root made, for routes to reach. */
export type App = Context & {
  env: Env;
  /** Aborts at shutdown: open streams end. */
  closing: AbortSignal;
  /** Whether the worker beside this server is running. */
  workerRunning: () => boolean;
  /** Whether mail leaves, by the last mail handed over; unknown before the first. */
  mailHealth: () => "ok" | "failing" | "unknown";
  /** Absent where this is the only node. */
  nodeFacts?: () => NodeFacts;
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
