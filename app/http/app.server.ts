import type { Configuration } from "openid-client";
import type { Context } from "#app/core/context.server.ts";
import type { MailHealth } from "#app/core/mail/mail.server.ts";
import type { Env } from "#app/ops/environment/env.server.ts";
import type { Limiter } from "./limits.server.ts";

export type NodeFacts = {
  role: "primary" | "replica" | "orphan";
  /** Whether LiteFS takes this node for the primary although another was promoted after it. */
  isSuperseded: boolean;
  /** When the primary of this copy was promoted, in epoch milliseconds; null before the first. */
  term: number | null;
  /** The newest transaction of this node's copy of the database, in hex. */
  position: string;
  /** Milliseconds since the primary's last heartbeat; null before the first. */
  lagMs: number | null;
};

/** What signs cookies and keys the hashes of codes, newest first. */
export type Secrets = readonly [string, ...string[]];

/** One open event stream, and what it was opened with (app/http/caller/api-key.server.ts). */
export type Subscriber = {
  sink: { send(text: string | Uint8Array): void; close(): void };
  credential: string;
  /** The `Last-Event-ID` it was opened with. */
  lastEventId: string | null;
};

/** openid-client, loaded on the first sign-in through a provider, and the provider's configuration. */
export type OidcClient = { client: typeof import("openid-client"); configuration: Configuration };

/** The open event streams of this process; app/api/subscribers.server.ts. */
export type EventStreams = {
  readonly count: number;
  countOf(accountId: string): number;
  subscribe(accountId: string, subscriber: Subscriber): { onBeat(): void; onEnd(): void };
};

/** The running service, as the composition root made it. */
export type App = Context & {
  env: Env;
  limiter: Limiter;
  secrets: Secrets;
  streams: EventStreams;
  /** The identity provider's client; app/features/sign-in/oidc-client.server.ts. */
  oidcClient: () => Promise<OidcClient>;
  /** Aborts at shutdown: open streams end. */
  closing: AbortSignal;
  /** Whether the worker in this process is running. */
  workerRunning: () => boolean;
  mailHealth: () => MailHealth;
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
