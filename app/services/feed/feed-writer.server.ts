import { type Tx, write } from "#db/client.ts";
import { preparedInsert } from "#db/prepared-writes.ts";
import { changeFeed } from "#db/schema.ts";
import type { Context } from "../context.server.ts";
import type { FeedMessage } from "../resources.ts";
import { feedChanged } from "./events.server.ts";

const insertChange = preparedInsert(changeFeed, "accountId", "type", "ids", "at");

/** Adds a change to the change feed, in its transaction: a type and the ids it concerns. */
export function writeFeedEvent(
  tx: Tx,
  accountId: string,
  type: FeedMessage["type"],
  ids: Record<string, string>,
  at: number,
): void {
  insertChange(tx)({ accountId, type, ids: JSON.stringify(ids), at });
}

/** Runs one immediate transaction and, once it is committed, notifies subscribers to the change feed. */
export async function commit<T>(ctx: Pick<Context, "db">, work: (tx: Tx) => T): Promise<T> {
  const result = await write(ctx.db, work);
  feedChanged(ctx.db);
  return result;
}
