import { type Db, isBusy } from "#db/client.ts";
import type { Context } from "../context.server.ts";
import type { FeedMessage } from "../resources.ts";
import { type AccountMessage, feedPosition, readWholeFeed } from "./feed.server.ts";

/** How soon rows that another process wrote are seen. */
const POLL_MS = 200;
/** The rows of one look; where there are more, the next turn has them. */
const ROWS = 1_000;

/** Who follows the feed of a database for some of its accounts. */
export type FeedReader = {
  follows(accountId: string): boolean;
  /**
   * Called soon after rows of followed accounts were committed, by this process or another (polled), with the messages
   * of each, oldest first. None for an account that is only to be looked at again. Does not throw.
   */
  onMoved(moved: ReadonlyMap<string, readonly FeedMessage[]>): void;
};

/** The readers of one database's feed. It is read once for all of them, and polled only while there are any. */
class Hub {
  readonly #db: Db;
  readonly #readers = new Set<FeedReader>();
  #position = 0;
  #timer: NodeJS.Timeout | null = null;
  #announced = false;

  constructor(db: Db) {
    this.#db = db;
  }

  add(reader: FeedReader): () => void {
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

  /** Many commits of one turn of the loop make one look. */
  announce(): void {
    if (!this.#timer || this.#announced) return;
    this.#announced = true;
    setImmediate(() => {
      this.#announced = false;
      this.#look();
    });
  }

  /** Tells the account's readers though its feed has not moved. */
  wake(accountId: string): void {
    for (const reader of this.#readers)
      if (reader.follows(accountId)) reader.onMoved(new Map([[accountId, []]]));
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
      if (moved.size > 0) reader.onMoved(moved);
    }
  }

  /** Where the database is busy, the next look sees them. */
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

/** Has the feed looked at at once: something was just committed. */
export const announce = (db: Db): void => hubOf(db).announce();

/** Has those who follow the account look again at once: something they depend on ended outside the feed. */
export const wakeSubscribers = (db: Db, accountId: string): void => hubOf(db).wake(accountId);

/** Has the reader told of the feed from now on. Returns how it stops. */
export const onFeed = (ctx: Pick<Context, "db">, reader: FeedReader): (() => void) =>
  hubOf(ctx.db).add(reader);
