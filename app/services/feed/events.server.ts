import { type Db, isBusy } from "#db/client.ts";
import type { Context } from "../context.server.ts";
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
class Hub {
  readonly #db: Db;
  readonly #readers = new Set<FeedSubscriber>();
  #position = 0;
  #timer: NodeJS.Timeout | null = null;
  #announced = false;

  constructor(db: Db) {
    this.#db = db;
  }

  add(reader: FeedSubscriber): () => void {
    if (!this.#timer) {
      this.#position = feedPosition({ db: this.#db });
      this.#timer = setInterval(() => this.#look(), POLL_MS).unref();
    }
    this.#readers.add(reader);
    return () => {
      this.#readers.delete(reader);
      if (this.#readers.size > 0 || !this.#timer) return;
      clearInterval(this.#timer);
      this.#timer = null;
    };
  }

  /** Coalesces the commits of one event-loop turn into one read. */
  announce(): void {
    if (!this.#timer || this.#announced) return;
    this.#announced = true;
    setImmediate(() => {
      this.#announced = false;
      this.#look();
    });
  }

  /** Notifies the account's subscribers although its feed has no new rows. */
  wake(accountId: string): void {
    for (const reader of this.#readers)
      if (reader.follows(accountId)) reader.onMessages(new Map([[accountId, []]]));
  }

  #look(): void {
    if (!this.#timer || !this.#db.$client.open) return;
    const rows = this.#newRows();
    this.#position = rows.at(-1)?.message.id ?? this.#position;
    if (rows.length === ROWS) this.announce();
    for (const reader of this.#readers) {
      const moved = new Map<string, FeedMessage[]>();
      for (const row of rows) {
        if (!reader.follows(row.accountId)) continue;
        const messages = moved.get(row.accountId) ?? [];
        messages.push(row.message);
        moved.set(row.accountId, messages);
      }
      if (moved.size > 0) reader.onMessages(moved);
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

const hubs = new WeakMap<Db, Hub>();

function hubOf(db: Db): Hub {
  const known = hubs.get(db);
  if (known) return known;
  const hub = new Hub(db);
  hubs.set(db, hub);
  return hub;
}

/** Triggers a read of the feed after a commit. */
export const feedChanged = (db: Db): void => hubOf(db).announce();

/** Makes the account's subscribers check again at once, because something they depend on ended outside the feed. */
export const wakeSubscribers = (db: Db, accountId: string): void => hubOf(db).wake(accountId);

/** Subscribes the reader to the feed. Returns the function that unsubscribes it. */
export const subscribeToFeed = (ctx: Pick<Context, "db">, reader: FeedSubscriber): (() => void) =>
  hubOf(ctx.db).add(reader);
