import { type Tx, write } from "#db/client.ts";
import { preparedInsert } from "#db/prepared-writes.ts";
import { changeFeed } from "#db/schema.ts";
import type { Context } from "../context.server.ts";
import type { FeedMessage } from "../resources.ts";
import { announce } from "./events.server.ts";

const insertChange = preparedInsert(changeFeed, "accountId", "type", "ids", "at");

/** Notes in the change feed what a transaction moves: a type and the ids it concerns. */
export function writeFeedEvent(
  tx: Tx,
  accountId: string,
  type: FeedMessage["type"],
  ids: Record<string, string>,
  at: number,
): void {
  insertChange(tx)({ accountId, type, ids: JSON.stringify(ids), at });
}

/** One immediate transaction, and once it is committed a word to whoever listens to the change feed. */
export async function commit<T>(ctx: Pick<Context, "db">, work: (tx: Tx) => T): Promise<T> {
  const result = await write(ctx.db, work);
  announce(ctx.db);
  return result;
}
