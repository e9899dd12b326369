import type { Configuration } from "openid-client";
import type { Context } from "#app/core/context.server.ts";
import type { MailHealth } from "#app/core/mail/mail.server.ts";
import type { EventList } from "#app/core/resources.ts";
import type { Env } from "#app/environment/env.server.ts";
import type { Limiter } from "./limits.server.ts";

export type NodeFacts = {
  role: "primary" | "replica" | "orphan";
  /** Whether LiteFS says that this node is the primary, although another one was promoted later. */
  isSuperseded: boolean;
  /** When this copy's primary was promoted, in epoch milliseconds; null before the first one. */
  term: number | null;
  position: string;
  lagMs: number | null;
};

/** The secrets that sign cookies and make keyed hashes, newest first. */
export type Secrets = readonly [string, ...string[]];

export type Subscriber = {
  sink: { send(text: string | Uint8Array): void; close(): void };
  credential: string;
  lastEventId: string | null;
};

export type OidcClient = { client: typeof import("openid-client"); configuration: Configuration };

export type EventStreams = {
  readonly count: number;
  countOf(accountId: string): number;
  list(accountId: string, after: string | undefined, limit: number): EventList;
  subscribe(accountId: string, by: Subscriber): Record<"onBeat" | "onRoom" | "onEnd", () => void>;
};

export type App = Context & {
  env: Env;
  limiter: Limiter;
  secrets: Secrets;
  streams: EventStreams;
  /** The worlds of test keys, one for each key, with its own database. */
  testWorlds: {
    forKey(accountId: string, keyId: string): Promise<App>;
    bySlug(slug?: string): Promise<App | null>;
  };
  oidcClient: () => Promise<OidcClient>;
  /** Aborts at shutdown, so that open streams end. */
  closing: AbortSignal;
  isWorkerRunning: () => boolean;
  mailHealth: () => MailHealth;
  nodeFacts?: () => NodeFacts;
};

let currentApp: App | null = null;

export function provideApp(app: App): void {
  currentApp = app;
}

export function getApp(): App {
  if (!currentApp) throw new Error("the service has not started");
  return currentApp;
}
