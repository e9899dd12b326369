import { activeSessions } from "#app/auth/active-sessions.server.ts";
import { appSingleton } from "#app/auth/app-singleton.server.ts";
import type { App } from "#app/http/app.server.ts";
import { type EventSink, formatEvent } from "#app/http/sse.server.ts";
import { type FeedSubscriber, subscribeToFeed } from "#app/services/feed/events.server.ts";
import { readFeed } from "#app/services/feed/feed.server.ts";
import type { FeedMessage } from "#app/services/resources.ts";

const PAGE_SIZE = 100;
const encoder = new TextEncoder();

/** One open stream: its session, and the id of the last message sent on it. */
export type Subscriber = { sink: EventSink; sessionId: string; position: number };

const encode = (messages: readonly FeedMessage[]): Uint8Array =>
  encoder.encode(
    messages.map(({ id, type, ids }) => formatEvent({ id, data: { type, ...ids } })).join(""),
  );

/** Sends each subscriber the messages it has not had yet. Subscribers at the same position share one encoding. */
function deliver(subscribers: Iterable<Subscriber>, messages: readonly FeedMessage[]): void {
  const newest = messages.at(-1)?.id ?? 0;
  const encoded = new Map<number, Uint8Array>();
  for (const subscriber of subscribers) {
    const { position, sink } = subscriber;
    if (position >= newest) continue;
    const bytes = encoded.get(position) ?? encode(messages.filter(({ id }) => id > position));
    encoded.set(position, bytes);
    subscriber.position = newest;
    sink.send(bytes);
  }
}

/** The open streams of one service, by account. */
class Subscribers implements FeedSubscriber {
  readonly #app: App;
  readonly #accounts = new Map<string, Set<Subscriber>>();
  #stopListening = () => {};

  constructor(app: App) {
    this.#app = app;
    app.closing.addEventListener("abort", () => this.#closeAll());
  }

  get count(): number {
    return [...this.#accounts.values()].reduce((sum, { size }) => sum + size, 0);
  }

  countOf = (accountId: string): number => this.#accounts.get(accountId)?.size ?? 0;

  follows = (accountId: string): boolean => this.#accounts.has(accountId);

  add(accountId: string, subscriber: Subscriber): void {
    if (this.#app.closing.aborted) {
      subscriber.sink.close();
      return;
    }
    if (this.#accounts.size === 0) this.#stopListening = subscribeToFeed(this.#app, this);
    const group = this.#accounts.get(accountId) ?? new Set();
    this.#accounts.set(accountId, group.add(subscriber));
    this.catchUp(accountId);
  }

  remove(accountId: string, subscriber: Subscriber): void {
    const group = this.#accounts.get(accountId);
    if (!group?.delete(subscriber) || group.size > 0) return;
    this.#accounts.delete(accountId);
    if (this.#accounts.size === 0) this.#stopListening();
  }

  /** Checks all their sessions in one query before sending anything. */
  onMessages(moved: ReadonlyMap<string, readonly FeedMessage[]>): void {
    this.#guarded(moved.keys(), () => {
      this.#endSignedOut(moved.keys());
      for (const [accountId, messages] of moved) deliver(this.#of(accountId), messages);
    });
  }

  /** Closes the streams of ended sessions and sends the others everything after their position. */
  catchUp(accountId: string): void {
    this.#guarded([accountId], () => {
      this.#endSignedOut([accountId]);
      while (this.#sendPage(accountId) === PAGE_SIZE);
    });
  }

  #sendPage(accountId: string): number {
    const subscribers = this.#of(accountId);
    if (subscribers.size === 0) return 0;
    const oldest = Math.min(...Array.from(subscribers, ({ position }) => position));
    const messages = readFeed(this.#app, accountId, oldest, PAGE_SIZE);
    deliver(subscribers, messages);
    return messages.length;
  }

  #endSignedOut(accountIds: Iterable<string>): void {
    const subscribers = Array.from(accountIds, (id) => [...this.#of(id)]).flat();
    const active = activeSessions(
      this.#app,
      subscribers.map(({ sessionId }) => sessionId),
    );
    for (const { sessionId, sink } of subscribers) if (!active.has(sessionId)) sink.close();
  }

  #closeAll(): void {
    for (const group of this.#accounts.values()) for (const { sink } of group) sink.close();
  }

  #guarded(accountIds: Iterable<string>, work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#app.log.error({ err: error }, "the event streams of an account failed");
      for (const id of accountIds) for (const { sink } of this.#of(id)) sink.close();
    }
  }

  #of = (accountId: string): ReadonlySet<Subscriber> => this.#accounts.get(accountId) ?? new Set();
}

const subscribersOf = appSingleton((app) => new Subscribers(app));

/** Number of streams the account has open in this process. */
export const streamCount = (app: App, accountId: string): number =>
  subscribersOf(app).countOf(accountId);

/** Number of streams open in this process, for the metrics. */
export const openStreamCount = (app: App): number => subscribersOf(app).count;

/**
 * Sends the account's feed from the subscriber's position on, now and as it grows. Returns the callbacks for a heartbeat
 * and for the end of the stream.
 */
export function subscribe(
  app: App,
  accountId: string,
  subscriber: Subscriber,
): { onBeat(): void; onEnd(): void } {
  const subscribers = subscribersOf(app);
  subscribers.add(accountId, subscriber);
  return {
    onBeat: () => subscribers.catchUp(accountId),
    onEnd: () => subscribers.remove(accountId, subscriber),
  };
}
