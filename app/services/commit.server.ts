import { type Tx, write } from "#db/client.ts";
import type { Context, TxContext } from "./context.server.ts";
import { writeBodies } from "./webhooks/bodies.server.ts";

/**
 * Runs `work` in one immediate transaction, with which the events for webhooks are written too, and, once it is
 * committed, notifies subscribers to the change feed. `work` is synchronous. Inside it, every query goes through `tx`: the context it receives has no `db`.
 */
export async function commit<T>(ctx: Context, work: (tx: Tx, ctx: TxContext) => T): Promise<T> {
  const { db, ...rest } = ctx;
  const result = await write(db, (tx) => {
    const done = work(tx, rest);
    writeBodies(tx, rest);
    return done;
  });
  ctx.feed.announce();
  return result;
}
