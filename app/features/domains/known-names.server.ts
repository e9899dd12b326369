import { and, desc, eq, gte, lt, type SQL, sql } from "drizzle-orm";
import type { Context } from "#app/core/context.server.ts";
import { isoOrNull } from "#app/core/time.ts";
import { claims, domains } from "#db/schema.ts";
import type { DomainStatus } from "./domain-rows.server.ts";

/** A name on the account's list or in its archive, and its status. */
export type KnownName = {
  name: string;
  unicodeName: string;
  archived: boolean;
  status: DomainStatus;
  /** When the claim in play ended; null if there is none or it is open. */
  endedAt: string | null;
};

/** Sorts after every character of a name. */
const AFTER = "\u{10ffff}";
const LONGEST = 253;

const startsWith = (column: typeof domains.name | typeof domains.unicodeName, typed: string) =>
  and(gte(column, typed), lt(column, typed + AFTER));

/** Names without a reference that start with `typed`; if it is empty, archived names first, then the newest. At most `limit`. */
export function knownNames(
  { db }: Context,
  accountId: string,
  typed: string,
  limit: number,
): KnownName[] {
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
    .where(start ? and(own, startsWith(column, start)) : own)
    .orderBy(...order)
    .limit(limit)
    .all()
    .map(({ endedAt, ...known }) => ({ ...known, endedAt: isoOrNull(endedAt) }));
}
