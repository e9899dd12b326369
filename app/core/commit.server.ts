import { type Tx, write } from "#db/client.ts";
import type { Context, TxContext } from "./context.server.ts";

/** `work` is synchronous. Inside it, every query goes through `tx`: the context it receives has no `db`. */
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
