import { desc } from "drizzle-orm";
import { type Db, prepared, write } from "#db/client.ts";
import { limitBy } from "#db/limit.ts";
import { changeFeed, heartbeat } from "#db/schema.ts";
import type { Context } from "../context.server.ts";

const newestChange = prepared((db) =>
  db
    .select({ at: changeFeed.at })
    .from(changeFeed)
    .orderBy(desc(changeFeed.id))
    .limit(limitBy(1))
    .prepare(),
);

const lastBeat = prepared((db) => db.select({ at: heartbeat.at }).from(heartbeat).prepare());

/**
 * The newest time in the database, epoch milliseconds: of the last change of anything an account holds, or of the last
 * heartbeat; null in a new one.
 */
export function newestTime(db: Db): number | null {
  const times = [newestChange(db).get(), lastBeat(db).get()].flatMap((row) => row?.at ?? []);
  return times.length === 0 ? null : Math.max(...times);
}

/** Writes down that the service runs, so that one with nothing to do is not taken for one that was off. */
export async function beat({ db, clock }: Pick<Context, "db" | "clock">): Promise<void> {
  const at = clock();
  await write(db, (tx) =>
    tx
      .insert(heartbeat)
      .values({ id: 1, at })
      .onConflictDoUpdate({ target: heartbeat.id, set: { at } })
      .run(),
  );
}
