import { and, desc, eq, gte, lt, type Placeholder, type SQL, sql } from "drizzle-orm";
import type { Context } from "#app/core/context.server.ts";
import type { Position } from "#app/core/cursor.ts";
import { iso, isoOrNull } from "#app/core/time.ts";
import { type Db, prepared } from "#db/client.ts";
import {
  claims,
  type DOMAIN_STATUSES,
  domainCounts,
  domainNumbers,
  domains,
  verifications,
  watches,
} from "#db/schema.ts";
import { outstandingColumns, toOutstanding } from "../claims/verifications.server.ts";
import { isWatchOfDomain, toWatch, watchColumns } from "../claims/watch.ts";
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
  watch: watchColumns,
};

const selectListed = (db: Db) =>
  db
    .select(listed)
    .from(domains)
    .leftJoin(claims, eq(claims.id, domains.claimId))
    .leftJoin(verifications, eq(verifications.claimId, claims.id))
    .leftJoin(watches, isWatchOfDomain);
export type ListedRow = ReturnType<ReturnType<typeof selectListed>["all"]>[number];

const isOfAccount = eq(domains.accountId, sql.placeholder("accountId"));

export const listedById = prepared((db) =>
  selectListed(db).where(and(eq(domains.id, sql.placeholder("id")), isOfAccount)),
);

/** `reference` is empty for none. */
export const isIdentity = and(
  isOfAccount,
  eq(domains.name, sql.placeholder("name")),
  eq(domains.reference, sql.placeholder("reference")),
);

export const domainByIdentity = prepared((db) => db.select().from(domains).where(isIdentity));

/** The domains of a page of the list, after the place of `createdAt` and `id`. Null asks for any. */
export type ListFilter = {
  accountId: string;
  name: string | null;
  reference: string | null;
  /** Part of a name, in lower case. */
  q: string | null;
  status: DomainStatus | null;
  archived: boolean | null;
  holds: boolean | null;
  /** A state of a watch; "none" for domains without one. */
  watch: string | null;
  /** Newest first, but for a list by name. */
  byName: boolean;
  createdAt: number;
  id: string;
};

const SHORTEST_INDEXED = 3;
/** How many names a request looks at for a search that no index answers. */
const LOOKED_AT = 2_000;

const isBounded = ({ name, reference, q, status, holds, watch }: ListFilter): boolean => {
  const isRelied = holds !== null || watch !== null;
  if (name !== null) return reference === null && (isRelied || q !== null || status !== null);
  return isRelied || (q !== null && (reference !== null || [...q].length < SHORTEST_INDEXED));
};

/** A filter, perhaps with placeholders for all its values but flags: these have one query in common. */
type Form = { [name in keyof ListFilter]: ListFilter[name] | Placeholder };

const formOf = (filter: ListFilter) =>
  Object.fromEntries(
    Object.entries(filter).map(([name, value]) => [
      name,
      value === null || typeof value === "boolean" ? value : sql.placeholder(name),
    ]),
  ) as Form;

/** The second condition is that of the indexes. */
const hasReference = (reference: Form["reference"]) =>
  reference === null
    ? sql`true`
    : sql`domains.reference = ${reference} and domains.reference <> ''`;

/** The next `LOOKED_AT` domains, whatever their state and the rest of their name. */
function lookedAt({ accountId, name, reference, archived, createdAt, id }: Form): SQL {
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

const WATCH_STATE = sql`ifnull(iif(${watches.registry} = 'registered_again', ${watches.registry}, ${watches.state}), 'none')`;

const pageOf = prepared((db, [form, isBounded]: [Form, boolean]) => {
  const { accountId, name, reference, q, status, archived, byName, createdAt, id } = form;
  const { holds, watch } = form;
  const isAsked = and(
    status === null ? undefined : eq(domains.status, status),
    holds === null ? undefined : eq(domains.holds, holds),
    watch === null ? undefined : sql`${WATCH_STATE} = ${watch}`,
    q === null
      ? undefined
      : sql`(instr(${domains.name}, ${q}) or instr(${domains.unicodeName}, ${q}))`,
  );
  const newestFirst = [desc(domains.createdAt), desc(domains.id)] as const;
  const rows = selectListed(db).limit(sql.placeholder("limit")).$dynamic();
  if (isBounded)
    return rows
      .where(and(sql`domains.rowid in (select number from ${lookedAt(form)})`, isAsked))
      .orderBy(...newestFirst);
  const ofAccount = and(
    isOfAccount,
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
          sql`domain_search match ${sql.placeholder("match")}`,
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
});

export const queryOfPage = (db: Db, filter: ListFilter) =>
  pageOf(db, [formOf(filter), isBounded(filter)]);

export const listedPage = (db: Db, filter: ListFilter, limit: number): ListedRow[] => {
  const match = filter.q === null ? null : searchMatch(filter.accountId, filter.q);
  return queryOfPage(db, filter).all({ ...filter, match, limit });
};

export const listedWithMistake = prepared((db) =>
  selectListed(db)
    .where(
      and(
        eq(verifications.accountId, sql.placeholder("accountId")),
        sql`${verifications.status} = 'needs_attention'`,
        eq(domains.id, claims.domainId),
      ),
    )
    .orderBy(verifications.createdAt, verifications.id)
    .limit(sql.placeholder("limit")),
);

export const withReference = prepared((db) =>
  db
    .select({ id: domains.id })
    .from(domains)
    .where(and(isOfAccount, sql`${domains.reference} <> ''`))
    .limit(1),
);

/** Null for an account that was erased. */
export const countsOf = prepared((db) =>
  db
    .select()
    .from(domainCounts)
    .where(eq(domainCounts.accountId, sql.placeholder("accountId"))),
);

export const toDomain = (row: DomainRow): Domain => ({
  id: row.id,
  name: row.name,
  unicodeName: row.unicodeName,
  reference: row.reference || null,
  archived: row.archived,
  lastProvedAt: isoOrNull(row.lastProvedAt),
  holds: row.holds,
  createdAt: iso(row.createdAt),
});

export const toListedDomain = ({ domain, claim, verification, watch }: ListedRow, now: number) => ({
  ...toDomain(domain),
  status: domain.status,
  claimId: domain.claimId,
  verificationId: verification?.id ?? null,
  claimStartedAt: isoOrNull(claim?.createdAt ?? null),
  claimEndedAt: isoOrNull(claim?.endedAt ?? null),
  watch: watch && toWatch(watch),
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
