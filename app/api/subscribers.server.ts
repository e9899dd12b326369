import { activeCredentials } from "#app/auth/api-key.server.ts";
import type { EventStreams, Subscriber } from "#app/http/app.server.ts";
import { formatEvent } from "#app/http/sse.server.ts";
import type { Context } from "#app/services/context.server.ts";
import { readFeed } from "#app/services/feed/feed.server.ts";
import type { FeedSubscriber } from "#app/services/feed/feed-hub.server.ts";
import type { FeedMessage } from "#app/services/resources.ts";

const PAGE_SIZE = 100;
const encoder = new TextEncoder();

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

/** The open event streams of this process, by account. */
export class Subscribers implements EventStreams, FeedSubscriber {
  readonly #ctx: Context;
  readonly #closing: AbortSignal;
  readonly #accounts = new Map<string, Set<Subscriber>>();
  #stopListening = () => {};

  constructor(ctx: Context, closing: AbortSignal) {
    this.#ctx = ctx;
    this.#closing = closing;
    closing.addEventListener("abort", () => this.#closeAll());
  }

  get count(): number {
    return [...this.#accounts.values()].reduce((sum, { size }) => sum + size, 0);
  }

  countOf = (accountId: string): number => this.#accounts.get(accountId)?.size ?? 0;

  follows = (accountId: string): boolean => this.#accounts.has(accountId);

  /**
   * Sends the account's feed from the subscriber's position on, now and as it grows. Returns the callbacks for a
   * heartbeat and for the end of the stream.
   */
  subscribe(accountId: string, subscriber: Subscriber): { onBeat(): void; onEnd(): void } {
    if (this.#closing.aborted) {
      subscriber.sink.close();
      return { onBeat: () => {}, onEnd: () => {} };
    }
    if (this.#accounts.size === 0) this.#stopListening = this.#ctx.feed.subscribe(this);
    const group = this.#accounts.get(accountId) ?? new Set();
    this.#accounts.set(accountId, group.add(subscriber));
    this.#catchUp(accountId);
    return {
      onBeat: () => this.#catchUp(accountId),
      onEnd: () => this.#remove(accountId, subscriber),
    };
  }

  #remove(accountId: string, subscriber: Subscriber): void {
    const group = this.#accounts.get(accountId);
    if (!group?.delete(subscriber) || group.size > 0) return;
    this.#accounts.delete(accountId);
    if (this.#accounts.size === 0) this.#stopListening();
  }

  /** Checks all their sessions and keys in one query before sending anything. */
  onMessages(moved: ReadonlyMap<string, readonly FeedMessage[]>): void {
    this.#guarded(moved.keys(), () => {
      this.#endSignedOut(moved.keys());
      for (const [accountId, messages] of moved) deliver(this.#of(accountId), messages);
    });
  }

  /** Closes the streams of ended sessions and keys and sends the others everything after their position. */
  #catchUp(accountId: string): void {
    this.#guarded([accountId], () => {
      this.#endSignedOut([accountId]);
      while (this.#sendPage(accountId) === PAGE_SIZE);
    });
  }

  #sendPage(accountId: string): number {
    const subscribers = this.#of(accountId);
    if (subscribers.size === 0) return 0;
    const oldest = Math.min(...Array.from(subscribers, ({ position }) => position));
    const messages = readFeed(this.#ctx, accountId, oldest, PAGE_SIZE);
    deliver(subscribers, messages);
    return messages.length;
  }

  #endSignedOut(accountIds: Iterable<string>): void {
    const subscribers = Array.from(accountIds, (id) => [...this.#of(id)]).flat();
    const active = activeCredentials(
      this.#ctx,
      subscribers.map(({ credential }) => credential),
    );
    for (const { credential, sink } of subscribers) if (!active.has(credential)) sink.close();
  }

  #closeAll(): void {
    for (const group of this.#accounts.values()) for (const { sink } of group) sink.close();
  }

  #guarded(accountIds: Iterable<string>, work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#ctx.log.error({ err: error }, "the event streams of an account failed");
      for (const id of accountIds) for (const { sink } of this.#of(id)) sink.close();
    }
  }

  #of = (accountId: string): ReadonlySet<Subscriber> => this.#accounts.get(accountId) ?? new Set();
}
