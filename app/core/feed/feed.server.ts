import { and, asc, eq, gt, type SQL, sql } from "drizzle-orm";
import { type Db, isBusy, prepared, preparedInsert, type Tx } from "#db/client.ts";
import { changeFeed, type NOTICE_KINDS } from "#db/schema.ts";
import { MAILED_PEOPLE_SQL } from "../accounts/accounts.server.ts";
import type { Context } from "../context.server.ts";
import { newId } from "../ids.server.ts";
import { DAY } from "../time.ts";

export const FEED_KEPT_MS = DAY;

type DbOnly = Pick<Context, "db">;
type DbAndClock = Pick<Context, "db" | "clock">;

const changesAfter = (db: Db, filter?: SQL) =>
  db
    .select()
    .from(changeFeed)
    .where(and(filter, gt(changeFeed.id, sql.placeholder("after"))))
    .orderBy(asc(changeFeed.id))
    .limit(sql.placeholder("limit"));
const changesOfAll = prepared((db) => changesAfter(db));
const changesOfAccount = prepared((db) =>
  changesAfter(db, eq(changeFeed.accountId, sql.placeholder("accountId"))),
);

export type FeedMessage = typeof changeFeed.$inferSelect;

/** The position just after message `id`, which was written `at`. Id 0 is the start of a feed that has no messages. */
export type FeedPosition = { id: number; at: number };

export const feedEnd = ({ db, clock }: DbAndClock, accountId: string): FeedPosition =>
  db.get<FeedPosition | undefined>(sql`select id, at from change_feed
    where account_id = ${accountId} order by id desc limit 1`) ?? { id: 0, at: clock() };

/** Returns false if messages after the position were trimmed, or if an older backup of the database was restored. */
export function isAllKept({ db, clock }: DbAndClock, accountId: string, { id, at }: FeedPosition) {
  const now = clock();
  if (id === 0) return at > now - FEED_KEPT_MS && at <= now;
  // The oldest messages are trimmed first.
  const row = db.select().from(changeFeed).where(eq(changeFeed.id, id)).get();
  return row?.at === at && row.accountId === accountId;
}

export const readFeed = ({ db }: DbOnly, accountId: string, after: number, limit: number) =>
  changesOfAccount(db).all({ accountId, after, limit });

export const feedPosition = ({ db }: DbOnly): number =>
  db.get<{ id: number }>(sql`select ifnull(max(id), 0) as id from change_feed`).id;

const insertChange = preparedInsert(changeFeed, "accountId", "type", "ids", "at");

/** `at` is in epoch milliseconds. */
type Change<T> = [accountId: string, type: T, ids: Record<string, string>, at: number];

const rowOf = <T>([accountId, type, ids, at]: Change<T>) => ({ accountId, type, ids, at });

/** `commit` writes the event last, so it shows the state at the end of the transaction. */
export const queueForWebhooks = (tx: Tx, ...change: Change<Tx["$queued"][number]["type"]>): void =>
  void tx.$queued.push(rowOf(change));

export function writeFeedEvent(tx: Tx, ...change: Change<FeedMessage["type"]>): void {
  insertChange(tx)(rowOf(change));
  queueForWebhooks(tx, ...change);
}

export type NoticeKind = (typeof NOTICE_KINDS)[number];

type ClaimIds = { id: string; accountId: string; domainId: string };

const insertNotice = prepared((db) =>
  db.$client.prepare(
    `insert into notices (id, kind, account_id, domain_id, claim_id, created_at)
     select @id, @kind, @accountId, id, @claimId, @at from domains where id = +@domainId and not archived
       and not exists (select 1 from notices where claim_id = +@claimId and kind = +@kind and created_at > @at - ${DAY})`,
  ),
);
const insertMails = prepared((db) =>
  db.$client.prepare(
    `insert into notice_mails (notice_id, person_id, due_at)
     select @id, people.id, @now from ${MAILED_PEOPLE_SQL} +@accountId`,
  ),
);

/** Creates a notice dated `at`, at most one of its kind a day; none for archived domains. Mails it unless it is `expired`. */
export function createNotice(tx: Tx, kind: NoticeKind, claim: ClaimIds, now: number, at = now) {
  const { id: claimId, accountId, domainId } = claim;
  const noticeId = newId("ntc", now);
  const row = { id: noticeId, kind, accountId, domainId, claimId, at };
  if (insertNotice(tx).run(row).changes === 0) return;
  if (kind !== "expired") insertMails(tx).run({ id: noticeId, accountId, now });
  writeFeedEvent(tx, accountId, "notice.created", { noticeId, domainId, claimId }, now);
}

/** Selects the newest proof of a name by each other account. */
export const otherProofs = prepared((db) =>
  db.$client.prepare<[name: string, accountId: string], ClaimIds>(
    `select id, account_id as accountId, domain_id as domainId, max(ended_at) from claims
     where name = +? and state = 'proved' and account_id <> ? group by account_id`,
  ),
);

const POLL_MS = 200;
const MAX_ROWS = 1_000;

export type FeedSubscriber = {
  follows(accountId: string): boolean;
  /** Gets each account's new messages, oldest first; an empty list means "check the account again". Must not throw. */
  onMessages(newMessages: ReadonlyMap<string, readonly FeedMessage[]>): void;
};

/** Reads the feed once for all subscribers, and polls only while there are subscribers. */
export class FeedHub {
  readonly #subscribers = new Set<FeedSubscriber>();
  #position = 0;
  #timer: NodeJS.Timeout | null = null;
  #isPollQueued = false;

  constructor(private readonly db: Db) {}

  subscribe(subscriber: FeedSubscriber): () => void {
    if (!this.#timer) {
      this.#position = feedPosition({ db: this.db });
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

  announce(): void {
    if (!this.#timer || this.#isPollQueued) return;
    this.#isPollQueued = true;
    setImmediate(() => {
      this.#isPollQueued = false;
      this.#poll();
    });
  }

  /** Makes an account's subscribers check it again at once, since a session or key may have ended outside the feed. */
  wake(accountId: string): void {
    for (const subscriber of this.#subscribers)
      if (subscriber.follows(accountId)) subscriber.onMessages(new Map([[accountId, []]]));
  }

  #poll(): void {
    if (!this.db.$client.open) clearInterval(this.#timer ?? undefined);
    if (!this.#timer || !this.db.$client.open) return;
    const rows = this.#newRows();
    this.#position = rows.at(-1)?.id ?? this.#position;
    if (rows.length === MAX_ROWS) this.announce();
    for (const subscriber of this.#subscribers) {
      const followed = rows.filter(({ accountId }) => subscriber.follows(accountId));
      const newMessages = Map.groupBy(followed, ({ accountId }) => accountId);
      if (newMessages.size > 0) subscriber.onMessages(newMessages);
    }
  }

  /** If the database is busy, the next read finds the rows. */
  #newRows() {
    try {
      return changesOfAll(this.db).all({ after: this.#position, limit: MAX_ROWS });
    } catch (error) {
      if (isBusy(error)) return [];
      throw error;
    }
  }
}
