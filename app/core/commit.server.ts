import { type Tx, write } from "#db/client.ts";
import type { Context, TxContext } from "./context.server.ts";

/**
 * Runs `work` in one transaction, which also writes its webhook events. `work` is synchronous and must query through
 * `tx`; `now` is the time when it begins, in epoch milliseconds.
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
