import { sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { heartbeat } from "#db/schema.ts";
import { commit } from "../commit.server.ts";
import type { Context } from "../context.server.ts";

/** Returns the time of the last change or heartbeat, in epoch milliseconds; null in a new database. */
export const newestTime = (db: Db) =>
  db.get<{ at: number | null }>(sql`select max(at) as at from (select at from heartbeat
    union all select * from (select at from change_feed order by id desc limit 1))`).at;

/** Records that the service runs: without this, an idle service would look like one that was off. */
export const recordHeartbeat = (ctx: Context): Promise<void> =>
  commit(ctx, (tx, _, at) => {
    const upsert = { target: heartbeat.id, set: { at } };
    tx.insert(heartbeat).values({ id: 1, at }).onConflictDoUpdate(upsert).run();
  });
