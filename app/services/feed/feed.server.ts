import { and, asc, eq, gt, max, sql } from "drizzle-orm";
import type { Db, Tx } from "#db/client.ts";
import { limitBy, prepared, preparedInsert } from "#db/queries.ts";
import { changeFeed } from "#db/schema.ts";
import type { FeedMessage } from "../resources.ts";
import { queueForWebhooks } from "./webhook-queue.server.ts";

type Reading = { db: Db };

const columns = {
  accountId: changeFeed.accountId,
  id: changeFeed.id,
  type: changeFeed.type,
  ids: changeFeed.ids,
};
const isAfter = gt(changeFeed.id, sql.placeholder("after"));

const ofAccount = prepared((db) =>
  db
    .select(columns)
    .from(changeFeed)
    .where(and(eq(changeFeed.accountId, sql.placeholder("accountId")), isAfter))
    .orderBy(asc(changeFeed.id))
    .limit(limitBy("limit"))
    .prepare(),
);

const ofAll = prepared((db) =>
  db
    .select(columns)
    .from(changeFeed)
    .where(isAfter)
    .orderBy(asc(changeFeed.id))
    .limit(limitBy("limit"))
    .prepare(),
);

const newest = prepared((db) =>
  db
    .select({ id: max(changeFeed.id) })
    .from(changeFeed)
    .prepare(),
);

type Row = { id: number; type: FeedMessage["type"]; ids: string };

const messageOf = ({ id, type, ids }: Row): FeedMessage => ({ id, type, ids: JSON.parse(ids) });

/** Messages of the account's change feed after `afterId`, oldest first, at most `limit`. */
export const readFeed = (
  { db }: Reading,
  accountId: string,
  afterId: number,
  limit: number,
): FeedMessage[] => ofAccount(db).all({ accountId, after: afterId, limit }).map(messageOf);

/** A message and the account whose feed it belongs to. */
export type AccountMessage = { accountId: string; message: FeedMessage };

/** Messages of all accounts after `afterId`, oldest first, at most `limit`. */
export const readWholeFeed = ({ db }: Reading, afterId: number, limit: number): AccountMessage[] =>
  ofAll(db)
    .all({ after: afterId, limit })
    .map((row) => ({ accountId: row.accountId, message: messageOf(row) }));

/** The newest id of the whole feed; 0 if it is empty. */
export const feedPosition = ({ db }: Reading): number => newest(db).get()?.id ?? 0;

const insertChange = preparedInsert(changeFeed, "accountId", "type", "ids", "at");

/** Adds a change to the change feed and the account's webhooks, in its transaction: a type and the ids it concerns. */
export function writeFeedEvent(
  tx: Tx,
  accountId: string,
  type: FeedMessage["type"],
  ids: Record<string, string>,
  at: number,
): void {
  insertChange(tx)({ accountId, type, ids: JSON.stringify(ids), at });
  queueForWebhooks(tx, accountId, type, ids, at);
}
