import { and, desc, eq, gte, lt, type SQL, sql } from "drizzle-orm";
import type { Context } from "#app/core/context.server.ts";
import type { Position } from "#app/core/cursor.ts";
import { iso, isoOrNull } from "#app/core/time.ts";
import type { Db, Tx } from "#db/client.ts";
import { claims, type DOMAIN_STATUSES, domainNumbers, domains, verifications } from "#db/schema.ts";
import { outstandingColumns, toOutstanding } from "../claims/verifications.server.ts";
import type { Domain } from "./resources.ts";

export type DomainRow = typeof domains.$inferSelect;
export type DomainStatus = (typeof DOMAIN_STATUSES)[number];

const listed = {
  domain: domains,
  claim: {
    challengeLabel: claims.challengeLabel,
    name: claims.name,
    token: claims.token,
    createdAt: claims.createdAt,
    endedAt: claims.endedAt,
  },
  verification: { id: verifications.id, ...outstandingColumns },
};

export const selectListed = (db: Db) =>
  db
    .select(listed)
    .from(domains)
    .leftJoin(claims, eq(claims.id, domains.claimId))
    .leftJoin(verifications, eq(verifications.claimId, claims.id));
export type ListedRow = ReturnType<ReturnType<typeof selectListed>["all"]>[number];

/** `reference` is empty for none. */
export const domainByIdentity = (db: Db | Tx, accountId: string, name: string, reference: string) =>
  db
    .select()
    .from(domains)
    .where(
      and(
        eq(domains.accountId, accountId),
        eq(domains.name, name),
        eq(domains.reference, reference),
      ),
    );

/** The domains of a page of the list, after the place of `createdAt` and `id`. Null asks for any. */
export type ListFilter = {
  accountId: string;
  name: string | null;
  reference: string | null;
  /** Part of a name, in lower case. */
  q: string | null;
  status: DomainStatus | null;
  archived: boolean | null;
  /** Newest first, but for a list by name. */
  byName: boolean;
  createdAt: number;
  id: string;
};

const SHORTEST_INDEXED = 3;
/** How many names a request looks at for a search that no index answers. */
const LOOKED_AT = 2_000;

const isBounded = ({ name, reference, q, status }: ListFilter): boolean =>
  name !== null
    ? reference === null && (q !== null || status !== null)
    : q !== null && (reference !== null || [...q].length < SHORTEST_INDEXED);

/** The second condition is that of the indexes. */
const hasReference = (reference: string | null) =>
  reference === null
    ? sql`true`
    : sql`domains.reference = ${reference} and domains.reference <> ''`;

/** The next `LOOKED_AT` domains, whatever their state and the rest of their name. */
function lookedAt({ accountId, name, reference, archived, createdAt, id }: ListFilter): SQL {
  const next = (which: SQL) => sql`select * from (
    select rowid as number, created_at, id from domains where account_id = ${accountId} and ${which}
    and (created_at, id) < (${createdAt}, ${id}) order by created_at desc, id desc limit ${LOOKED_AT})`;
  const either = [false, true].filter((one) => archived === null || archived === one);
  const parts =
    name === null
      ? either.map((one) => next(sql`archived = ${Number(one)} and ${hasReference(reference)}`))
      : [next(sql`name = ${name}`)];
  return sql`(${sql.join(parts, sql` union all `)} order by created_at desc, id desc limit ${LOOKED_AT})`;
}

/** The last domain that is looked at for a bounded search, if as many are as may be. */
export const lastLookedAt = (db: Db, filter: ListFilter): Position | undefined =>
  isBounded(filter)
    ? db.get(sql`select created_at as createdAt, id from ${lookedAt(filter)}
        order by created_at desc, id desc limit 1 offset ${LOOKED_AT - 1}`)
    : undefined;

const searchMatch = (accountId: string, q: string): string => {
  const phrase = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const own = `owner : ${phrase(accountId.slice(-SHORTEST_INDEXED))}`;
  return `${own} AND {name unicode_name} : ${phrase(q)}`;
};

export function listedPage(db: Db, filter: ListFilter, limit: number) {
  const { accountId, name, reference, q, status, archived, byName, createdAt, id } = filter;
  const isAsked = and(
    status === null ? undefined : eq(domains.status, status),
    q === null
      ? undefined
      : sql`(instr(${domains.name}, ${q}) or instr(${domains.unicodeName}, ${q}))`,
  );
  const newestFirst = [desc(domains.createdAt), desc(domains.id)] as const;
  const rows = selectListed(db).limit(limit).$dynamic();
  if (isBounded(filter))
    return rows
      .where(and(sql`domains.rowid in (select number from ${lookedAt(filter)})`, isAsked))
      .orderBy(...newestFirst);
  const ofAccount = and(
    eq(domains.accountId, accountId),
    archived === null ? undefined : eq(domains.archived, archived),
    isAsked,
  );
  const below = sql`(${domains.createdAt}, ${domains.id}) < (${createdAt}, ${id})`;
  if (q !== null && name === null)
    return rows
      .innerJoin(domainNumbers, eq(domainNumbers.domainId, domains.id))
      .innerJoin(sql`domain_search`, sql`domain_search.rowid = ${domainNumbers.number}`)
      .where(
        and(
          sql`domain_search match ${searchMatch(accountId, q)}`,
          sql`domain_search.rowid <= ifnull((select number from domain_numbers where domain_id = ${id}), 9e15)`,
          ofAccount,
          below,
        ),
      )
      .orderBy(sql`domain_search.rowid desc`);
  if (byName) {
    const before = sql`(select name from domains where id = ${id} and account_id = ${accountId})`;
    return rows
      .where(and(ofAccount, sql`(${domains.name}, ${domains.id}) > (ifnull(${before}, ''), ${id})`))
      .orderBy(domains.name, domains.id);
  }
  const named = name === null ? undefined : eq(domains.name, name);
  return rows.where(and(ofAccount, named, hasReference(reference), below)).orderBy(...newestFirst);
}

export const listedWithMistake = (db: Db, accountId: string, limit: number): ListedRow[] =>
  selectListed(db)
    .where(
      and(
        eq(verifications.accountId, accountId),
        sql`${verifications.status} = 'needs_attention'`,
        eq(domains.id, claims.domainId),
      ),
    )
    .orderBy(verifications.createdAt, verifications.id)
    .limit(limit)
    .all();

export const withReference = (db: Db, accountId: string) =>
  db
    .select({ id: domains.id })
    .from(domains)
    .where(and(eq(domains.accountId, accountId), sql`${domains.reference} <> ''`))
    .limit(1);

export const toDomain = (row: DomainRow): Domain => ({
  id: row.id,
  name: row.name,
  unicodeName: row.unicodeName,
  reference: row.reference || null,
  archived: row.archived,
  lastProvedAt: isoOrNull(row.lastProvedAt),
  createdAt: iso(row.createdAt),
});

export const toListedDomain = ({ domain, claim, verification }: ListedRow, now: number) => ({
  ...toDomain(domain),
  status: domain.status,
  claimId: domain.claimId,
  verificationId: verification?.id ?? null,
  claimStartedAt: isoOrNull(claim?.createdAt ?? null),
  claimEndedAt: isoOrNull(claim?.endedAt ?? null),
  ...(claim && verification
    ? toOutstanding({ claim, verification }, now)
    : { diagnosis: null, waitEstimate: null }),
});

export type KnownName = ReturnType<typeof knownNames>[number];

/** Sorts after every character of a name. */
const AFTER = "\u{10ffff}";
const LONGEST = 253;

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
      id: domains.id,
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
