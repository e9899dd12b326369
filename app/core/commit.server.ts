import { type Tx, write } from "#db/client.ts";
import type { Context, TxContext } from "./context.server.ts";

/**
 * Runs `work` in one immediate transaction, writes its events for webhooks in the same, and, once it is committed,
 * notifies subscribers to the change feed. `work` is synchronous. Inside it, every query goes through `tx`: the context
 * it receives has no `db`.
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
