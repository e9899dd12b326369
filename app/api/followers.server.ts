import { isStanding } from "#app/auth/standing.server.ts";
import type { App } from "#app/http/app.server.ts";
import { type EventSink, formatEvent } from "#app/http/sse.server.ts";
import { onFeed, readFeed } from "#app/services/events.server.ts";

const PAGE = 100;
const encoder = new TextEncoder();

/** One open stream: of which session, and the newest message it was sent. */
export type Follower = { sink: EventSink; sessionId: string; position: number };

/** The open streams of one account. The feed is read and each message encoded once for all of them. */
class Account {
  readonly #app: App;
  readonly #id: string;
  readonly #followers = new Set<Follower>();
  readonly #stopListening: () => void;

  constructor(app: App, id: string) {
    this.#app = app;
    this.#id = id;
    this.#stopListening = onFeed(app, id, () => this.look());
  }

  get size(): number {
    return this.#followers.size;
  }

  add(follower: Follower): void {
    this.#followers.add(follower);
  }

  /** False where nobody is left. */
  remove(follower: Follower): boolean {
    this.#followers.delete(follower);
    if (this.size === 0) this.#stopListening();
    return this.size > 0;
  }

  /** Ends the streams of sessions that have ended, and sends the others what the feed holds past each. */
  look(): void {
    try {
      this.#endSignedOut();
      while (this.#sendPage() === PAGE && this.size > 0);
    } catch (error) {
      this.#app.log.error({ err: error }, "the streams of an account failed");
      for (const { sink } of this.#followers) sink.close();
    }
  }

  #endSignedOut(): void {
    const known = new Map<string, boolean>();
    for (const { sessionId, sink } of this.#followers) {
      const stands = known.get(sessionId) ?? isStanding(this.#app, sessionId);
      known.set(sessionId, stands);
      if (!stands) sink.close();
    }
  }

  #sendPage(): number {
    const positions = [...this.#followers].map(({ position }) => position);
    const messages = readFeed(this.#app, this.#id, Math.min(...positions), PAGE);
    for (const { id, type, ids } of messages) {
      const bytes = encoder.encode(formatEvent({ id, data: { type, ...ids } }));
      for (const follower of this.#followers) {
        if (follower.position >= id) continue;
        follower.sink.send(bytes);
        follower.position = id;
      }
    }
    return messages.length;
  }
}

const accounts = new Map<string, Account>();

/** Streams the account has open in this process. */
export const streamsOf = (accountId: string): number => accounts.get(accountId)?.size ?? 0;

/** Streams open in this process, for the metrics. */
export const openStreamCount = (): number =>
  [...accounts.values()].reduce((sum, { size }) => sum + size, 0);

/** Sends the account's feed past the follower's position, now and as it grows. Returns what to do at a beat and at the end. */
export function follow(
  app: App,
  accountId: string,
  follower: Follower,
): { onBeat(): void; onEnd(): void } {
  const account = accounts.get(accountId) ?? new Account(app, accountId);
  accounts.set(accountId, account);
  account.add(follower);
  account.look();
  return {
    onBeat: () => account.look(),
    onEnd() {
      if (!account.remove(follower)) accounts.delete(accountId);
    },
  };
}
