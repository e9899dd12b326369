import { and, desc, eq, gte, lt, type SQL, sql } from "drizzle-orm";
import type { Context } from "#app/core/context.server.ts";
import { isoOrNull } from "#app/core/time.ts";
import { claims, domains } from "#db/schema.ts";

/** A name on the account's list or in its archive, its status, and when the claim in play ended if it has. */
export type KnownName = ReturnType<typeof knownNames>[number];

/** Sorts after every character of a name. */
const AFTER = "\u{10ffff}";
const LONGEST = 253;

/** Names without a reference that start with `typed`; if it is empty, archived names first, then the newest. At most `limit`. */
export function knownNames({ db }: Context, accountId: string, typed: string, limit: number) {
  const start = typed.trim().toLowerCase().slice(0, LONGEST);
  const own = and(eq(domains.accountId, accountId), eq(domains.reference, sql.raw("''")));
  // An ASCII prefix is looked up in the index of names, any other among the account's rows.
  const column = /^[\x20-\x7e]*$/.test(start) ? domains.name : domains.unicodeName;
  const order: SQL[] = start
    ? [sql`length(${column})`, sql`${column}`]
    : [desc(domains.archived), desc(domains.createdAt)];
  return db
    .select({
      name: domains.name,
      unicodeName: domains.unicodeName,
      archived: domains.archived,
      status: domains.status,
      endedAt: claims.endedAt,
    })
    .from(domains)
    .leftJoin(claims, eq(claims.id, domains.claimId))
    .where(start ? and(own, gte(column, start), lt(column, start + AFTER)) : own)
    .orderBy(...order)
    .limit(limit)
    .all()
    .map(({ endedAt, ...known }) => ({ ...known, endedAt: isoOrNull(endedAt) }));
}
