import { desc } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { changeFeed, heartbeat } from "#db/schema.ts";
import { commit } from "../commit.server.ts";
import type { Context } from "../context.server.ts";

/** The time of the last change or heartbeat, epoch milliseconds; null in a new database. */
export function newestTime(db: Db): number | null {
  const { id, at } = changeFeed;
  const change = db.select({ at }).from(changeFeed).orderBy(desc(id)).limit(1).get();
  const beat = db.select({ at: heartbeat.at }).from(heartbeat).get();
  const times = [change, beat].flatMap((row) => row?.at ?? []);
  return times.length === 0 ? null : Math.max(...times);
}

/** Without it, an idle service would be mistaken for one that was off. */
export async function recordHeartbeat(ctx: Context): Promise<void> {
  const at = ctx.clock();
  await commit(ctx, (tx) =>
    tx
      .insert(heartbeat)
      .values({ id: 1, at })
      .onConflictDoUpdate({ target: heartbeat.id, set: { at } })
      .run(),
  );
}
