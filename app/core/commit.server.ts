import { type Tx, write } from "#db/client.ts";
import type { Context, TxContext } from "./context.server.ts";

/**
 * One transaction with its webhook events; subscribers hear of it once it is committed. `work` is synchronous, and
 * every query in it goes through `tx`: the context it receives has no `db`.
 */
export async function commit<T>(ctx: Context, work: (tx: Tx, ctx: TxContext) => T): Promise<T> {
  const { db, ...rest } = ctx;
  const result = await write(db, (tx) => {
    const done = work(tx, rest);
    rest.writeMessages(tx, rest);
    return done;
  });
  ctx.feed.announce();
  return result;
}
