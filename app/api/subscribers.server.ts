import { activeSessions } from "#app/auth/active-sessions.server.ts";
import { appSingleton } from "#app/auth/app-singleton.server.ts";
import type { App } from "#app/http/app.server.ts";
import { type EventSink, formatEvent } from "#app/http/sse.server.ts";
import { type FeedReader, onFeed } from "#app/services/feed/events.server.ts";
import { readFeed } from "#app/services/feed/feed.server.ts";
import type { FeedMessage } from "#app/services/resources.ts";

const PAGE = 100;
const encoder = new TextEncoder();

/** One open stream: its session, and the id of the last message sent on it. */
export type Subscriber = { sink: EventSink; sessionId: string; position: number };

const encode = (messages: readonly FeedMessage[]): Uint8Array =>
  encoder.encode(
    messages.map(({ id, type, ids }) => formatEvent({ id, data: { type, ...ids } })).join(""),
  );

/** Sends each follower the messages it has not had yet. Followers at the same position share one encoding. */
function deliver(followers: Iterable<Subscriber>, messages: readonly FeedMessage[]): void {
  const newest = messages.at(-1)?.id ?? 0;
  const encoded = new Map<number, Uint8Array>();
  for (const follower of followers) {
    const { position, sink } = follower;
    if (position >= newest) continue;
    const bytes = encoded.get(position) ?? encode(messages.filter(({ id }) => id > position));
    encoded.set(position, bytes);
    follower.position = newest;
    sink.send(bytes);
  }
}

/** The open streams of one service, by account. */
class Followers implements FeedReader {
  readonly #app: App;
  readonly #accounts = new Map<string, Set<Subscriber>>();
  #stopListening = () => {};

  constructor(app: App) {
    this.#app = app;
  }

  get count(): number {
    return [...this.#accounts.values()].reduce((sum, { size }) => sum + size, 0);
  }

  countOf = (accountId: string): number => this.#accounts.get(accountId)?.size ?? 0;

  follows = (accountId: string): boolean => this.#accounts.has(accountId);

  add(accountId: string, follower: Subscriber): void {
    if (this.#accounts.size === 0) this.#stopListening = onFeed(this.#app, this);
    const group = this.#accounts.get(accountId) ?? new Set();
    this.#accounts.set(accountId, group.add(follower));
    this.look(accountId);
  }

  remove(accountId: string, follower: Subscriber): void {
    const group = this.#accounts.get(accountId);
    if (!group?.delete(follower) || group.size > 0) return;
    this.#accounts.delete(accountId);
    if (this.#accounts.size === 0) this.#stopListening();
  }

  /** Checks all their sessions in one query before sending anything. */
  onMoved(moved: ReadonlyMap<string, readonly FeedMessage[]>): void {
    this.#guarded(moved.keys(), () => {
      this.#endSignedOut(moved.keys());
      for (const [accountId, messages] of moved) deliver(this.#of(accountId), messages);
    });
  }

  /** Closes the streams of ended sessions and sends the others everything after their position. */
  look(accountId: string): void {
    this.#guarded([accountId], () => {
      this.#endSignedOut([accountId]);
      while (this.#sendPage(accountId) === PAGE);
    });
  }

  #sendPage(accountId: string): number {
    const followers = this.#of(accountId);
    if (followers.size === 0) return 0;
    const oldest = Math.min(...Array.from(followers, ({ position }) => position));
    const messages = readFeed(this.#app, accountId, oldest, PAGE);
    deliver(followers, messages);
    return messages.length;
  }

  #endSignedOut(accountIds: Iterable<string>): void {
    const followers = Array.from(accountIds, (id) => [...this.#of(id)]).flat();
    const standing = activeSessions(
      this.#app,
      followers.map(({ sessionId }) => sessionId),
    );
    for (const { sessionId, sink } of followers) if (!standing.has(sessionId)) sink.close();
  }

  #guarded(accountIds: Iterable<string>, work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#app.log.error({ err: error }, "the streams of an account failed");
      for (const id of accountIds) for (const { sink } of this.#of(id)) sink.close();
    }
  }

  #of = (accountId: string): ReadonlySet<Subscriber> => this.#accounts.get(accountId) ?? new Set();
}

const followersOf = appSingleton((app) => new Followers(app));

/** Number of streams the account has open in this process. */
export const streamsOf = (app: App, accountId: string): number =>
  followersOf(app).countOf(accountId);

/** Number of streams open in this process, for the metrics. */
export const openStreamCount = (app: App): number => followersOf(app).count;

/**
 * Sends the account's feed from the follower's position on, now and as it grows. Returns the callbacks for a heartbeat
 * and for the end of the stream.
 */
export function follow(
  app: App,
  accountId: string,
  follower: Subscriber,
): { onBeat(): void; onEnd(): void } {
  const followers = followersOf(app);
  followers.add(accountId, follower);
  return {
    onBeat: () => followers.look(accountId),
    onEnd: () => followers.remove(accountId, follower),
  };
}
