import { type Tx, write } from "#db/client.ts";
import type { Context, TxContext } from "./context.server.ts";

/**
 * One transaction with its webhook events, sent after the commit. `work` is synchronous and must query by `tx`; `now`:
 * the time when it begins, epoch milliseconds.
 */
export async function commit<T>(
  ctx: Context,
  work: (tx: Tx, ctx: TxContext, now: number) => T,
): Promise<T> {
  const { db, ...rest } = ctx;
  const result = await write(db, (tx) => {
    const outcome = work(tx, rest, rest.clock());
    rest.writeMessages(tx, rest);
    return outcome;
  });
  ctx.feed.announce();
  return result;
}
