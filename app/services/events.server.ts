import type { Context } from "./context.server.ts";
import type { FeedMessage } from "./resources.ts";

/**
 * Messages of the account's change feed after `afterId`, oldest first, at most `limit`.
 */
export function readFeed(
  _ctx: Context,
  _accountId: string,
  _afterId: number,
  _limit: number,
): FeedMessage[] {
  throw new Error("unwritten");
}
/** The newest id of the whole feed; 0 where it is empty. */
export function feedPosition(_ctx: Context): number {
  throw new Error("unwritten");
}
/** Calls `listener` soon after rows of that account were committed, by this process or another (polled). Returns the unsubscribe. */
export function onFeed(_ctx: Context, _accountId: string, _listener: () => void): () => void {
  throw new Error("unwritten");
}
