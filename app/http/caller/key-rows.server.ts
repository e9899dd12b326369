import { and, eq, isNull, sql } from "drizzle-orm";
import { commit } from "#app/core/commit.server.ts";
import type { Context } from "#app/core/context.server.ts";
import { HOUR, MINUTE } from "#app/core/time.ts";
import { prepared } from "#db/client.ts";
import { apiKeys } from "#db/schema.ts";

export type KeyRow = typeof apiKeys.$inferSelect;

const byIds = prepared((db) =>
  db
    .select()
    .from(apiKeys)
    .where(sql`${apiKeys.id} in (select value from json_each(${sql.placeholder("ids")}))`)
    .prepare(),
);

/** The keys with these ids, whoever's they are. */
export const keysById = (ctx: Pick<Context, "db">, ids: Iterable<string>): KeyRow[] =>
  byIds(ctx.db).all({ ids: JSON.stringify([...new Set(ids)]) });

/** Whether the secret with that hash opens the key at `now`, in epoch milliseconds. */
export function isInForce(row: KeyRow, hash: string, now: number): boolean {
  if (row.expiresAt !== null && row.expiresAt <= now) return false;
  if (hash === row.secretHash) return true;
  const { previousHash, previousUntil, previousPersonId } = row;
  return hash === previousHash && previousPersonId !== null && (previousUntil ?? 0) > now;
}

/** Whether a use at `now` from `address` is to be written: once an hour, and of another address once a minute. */
export function isNoteworthy(
  { lastUsedAt, lastUsedFrom }: KeyRow,
  address: string,
  now: number,
): boolean {
  // Also if the clock went back since.
  const apartMs = Math.abs(now - (lastUsedAt ?? Number.NEGATIVE_INFINITY));
  return apartMs >= (lastUsedFrom === address ? HOUR : MINUTE);
}

/** Writes when and from where the key was used, and the hash of its secret under the newest SESSION_SECRET. */
export async function noteUse(
  ctx: Context,
  { id, lastUsedAt, secretHash }: KeyRow,
  use: { at: number; from: string; secretHash: string },
): Promise<void> {
  const unchanged = and(
    eq(apiKeys.id, id),
    eq(apiKeys.secretHash, secretHash),
    lastUsedAt === null ? isNull(apiKeys.lastUsedAt) : eq(apiKeys.lastUsedAt, lastUsedAt),
  );
  await commit(ctx, (tx) => {
    tx.update(apiKeys)
      .set({ lastUsedAt: use.at, lastUsedFrom: use.from, secretHash: use.secretHash })
      .where(unchanged)
      .run();
  });
}
