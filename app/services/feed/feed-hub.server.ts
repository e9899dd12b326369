import { type Db, isBusy } from "#db/client.ts";
import type { FeedMessage } from "../resources.ts";
import { type AccountMessage, feedPosition, readWholeFeed } from "./feed.server.ts";

/** How often the feed is polled for rows from other processes. */
const POLL_MS = 200;
/** Rows per read; the next turn reads the rest. */
const ROWS = 1_000;

/** A subscriber to the feed of some accounts. */
export type FeedSubscriber = {
  follows(accountId: string): boolean;
  /**
   * Called soon after rows of followed accounts are committed, by this process or another (polled), with each account's
   * messages, oldest first. An empty list means the account must be checked again. Must not throw.
   */
  onMessages(moved: ReadonlyMap<string, readonly FeedMessage[]>): void;
};

/** Subscribers to one database's feed. It is read once for all of them, and polled only while there are any. */
export class FeedHub {
  readonly #db: Db;
  readonly #subscribers = new Set<FeedSubscriber>();
  #position = 0;
  #timer: NodeJS.Timeout | null = null;
  #announced = false;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Adds a subscriber. Returns the function that removes it. */
  subscribe(subscriber: FeedSubscriber): () => void {
    if (!this.#timer) {
      this.#position = feedPosition({ db: this.#db });
      this.#timer = setInterval(() => this.#poll(), POLL_MS).unref();
    }
    this.#subscribers.add(subscriber);
    return () => {
      this.#subscribers.delete(subscriber);
      if (this.#subscribers.size > 0 || !this.#timer) return;
      clearInterval(this.#timer);
      this.#timer = null;
    };
  }

  /** Reads the feed soon, because something was committed: once for all commits of an event-loop turn. */
  announce(): void {
    if (!this.#timer || this.#announced) return;
    this.#announced = true;
    setImmediate(() => {
      this.#announced = false;
      this.#poll();
    });
  }

  /** Makes the account's subscribers check again at once, because something they depend on ended outside the feed. */
  wake(accountId: string): void {
    for (const subscriber of this.#subscribers)
      if (subscriber.follows(accountId)) subscriber.onMessages(new Map([[accountId, []]]));
  }

  #poll(): void {
    if (!this.#timer || !this.#db.$client.open) return;
    const rows = this.#newRows();
    this.#position = rows.at(-1)?.message.id ?? this.#position;
    if (rows.length === ROWS) this.announce();
    for (const subscriber of this.#subscribers) {
      const moved = new Map<string, FeedMessage[]>();
      for (const row of rows) {
        if (!subscriber.follows(row.accountId)) continue;
        const messages = moved.get(row.accountId) ?? [];
        messages.push(row.message);
        moved.set(row.accountId, messages);
      }
      if (moved.size > 0) subscriber.onMessages(moved);
    }
  }

  /** If the database is busy, the next read picks the rows up. */
  #newRows(): AccountMessage[] {
    try {
      return readWholeFeed({ db: this.#db }, this.#position, ROWS);
    } catch (error) {
      if (isBusy(error)) return [];
      throw error;
    }
  }
}
