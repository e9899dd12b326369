import { and, asc, eq, gt, max, sql } from "drizzle-orm";
import { type Db, isBusy, prepared } from "#db/client.ts";
import { changeFeed } from "#db/schema.ts";
import type { Context } from "./context.server.ts";
import type { FeedMessage } from "./resources.ts";

/** How soon rows that another process wrote are seen. */
const POLL_MS = 200;

const messagesAfter = prepared((db) =>
  db
    .select({ id: changeFeed.id, type: changeFeed.type, ids: changeFeed.ids })
    .from(changeFeed)
    .where(
      and(
        eq(changeFeed.accountId, sql.placeholder("accountId")),
        gt(changeFeed.id, sql.placeholder("after")),
      ),
    )
    .orderBy(asc(changeFeed.id))
    .limit(sql.placeholder("limit"))
    .prepare(),
);

const newest = prepared((db) =>
  db
    .select({ id: max(changeFeed.id) })
    .from(changeFeed)
    .prepare(),
);

const movedAfter = prepared((db) =>
  db
    .selectDistinct({ accountId: changeFeed.accountId })
    .from(changeFeed)
    .where(gt(changeFeed.id, sql.placeholder("after")))
    .prepare(),
);

/**
 * Messages of the account's change feed after `afterId`, oldest first, at most `limit`.
 */
export function readFeed(
  ctx: Context,
  accountId: string,
  afterId: number,
  limit: number,
): FeedMessage[] {
  return messagesAfter(ctx.db)
    .all({ accountId, after: afterId, limit })
    .map(({ id, type, ids }) => ({ id, type, ids: JSON.parse(ids) }));
}

const positionOf = (db: Db): number => newest(db).get()?.id ?? 0;

/** The newest id of the whole feed; 0 where it is empty. */
export const feedPosition = (ctx: Pick<Context, "db">): number => positionOf(ctx.db);

/** Who listens to one database's feed. It polls only while somebody does. */
class Hub {
  readonly #db: Db;
  readonly #listeners = new Map<string, Set<() => void>>();
  #position = 0;
  #timer: NodeJS.Timeout | null = null;
  #announced = false;

  constructor(db: Db) {
    this.#db = db;
  }

  add(accountId: string, listener: () => void): () => void {
    if (!this.#timer) {
      this.#position = positionOf(this.#db);
      this.#timer = setInterval(() => this.#look(), POLL_MS).unref();
    }
    const group = this.#listeners.get(accountId) ?? new Set();
    this.#listeners.set(accountId, group.add(listener));
    return () => {
      group.delete(listener);
      if (group.size === 0 && this.#listeners.get(accountId) === group)
        this.#listeners.delete(accountId);
      if (this.#listeners.size === 0 && this.#timer) {
        clearInterval(this.#timer);
        this.#timer = null;
      }
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

  /** Accounts with new rows. Where the database is busy, the next look sees them. */
  #moved(): { accountId: string }[] {
    try {
      const position = positionOf(this.#db);
      if (position <= this.#position) return [];
      const moved = movedAfter(this.#db).all({ after: this.#position });
      this.#position = position;
      return moved;
    } catch (error) {
      if (isBusy(error)) return [];
      throw error;
    }
  }

  /** Calls the account's listeners though its feed has not moved. */
  wake(accountId: string): void {
    for (const listener of [...(this.#listeners.get(accountId) ?? [])]) listener();
  }

  #look(): void {
    if (!this.#timer || !this.#db.$client.open) return;
    for (const { accountId } of this.#moved()) this.wake(accountId);
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

/** Has whoever listens look at the feed at once: something was just committed. */
export const announce = (db: Db): void => hubOf(db).announce();

/** Has those who follow the account look again at once: something they depend on ended outside the feed. */
export const wakeFollowers = (db: Db, accountId: string): void => hubOf(db).wake(accountId);

/**
 * Calls `listener` soon after rows of that account were committed, by this process or another (polled).
 * A listener does not throw. Returns the unsubscribe.
 */
export function onFeed(ctx: Context, accountId: string, listener: () => void): () => void {
  return hubOf(ctx.db).add(accountId, listener);
}
