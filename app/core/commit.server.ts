import { type Tx, write } from "#db/client.ts";
import type { Context, TxContext } from "./context.server.ts";

/** One transaction with its webhook events, sent after the commit. `work` is synchronous and must query by `tx`. */
export async function commit<T>(ctx: Context, work: (tx: Tx, ctx: TxContext) => T): Promise<T> {
  const { db, ...rest } = ctx;
  const result = await write(db, (tx) => {
    const outcome = work(tx, rest);
    rest.writeMessages(tx, rest);
    return outcome;
  });
  ctx.feed.announce();
  return result;
}
