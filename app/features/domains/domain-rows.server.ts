import { and, type Column, desc, eq, gte, lt, type Placeholder, type SQL, sql } from "drizzle-orm";
import type { Context } from "#app/core/context.server.ts";
import type { Position } from "#app/core/cursor.ts";
import { isoFields, isoOrNull } from "#app/core/time.ts";
import { type Db, prepared } from "#db/client.ts";
import {
  claims,
  domainCounts,
  domainNumbers,
  domains,
  verifications,
  watches,
} from "#db/schema.ts";
import { shownColumns } from "../claims/claim-rows.server.ts";
import { outstandingColumns, toOutstanding } from "../claims/verifications.server.ts";
import { isWatchOfDomain, toWatch } from "../claims/watch.ts";
import type { Domain } from "./resources.ts";

export type DomainRow = typeof domains.$inferSelect;

export const selectListed = (db: Db, claimId: SQL | Column = domains.claimId) =>
  db
    .select({
      domain: domains,
      claim: shownColumns,
      verification: {
        ...{ id: verifications.id, lastRunAt: verifications.lastRunAt },
        ...outstandingColumns,
      },
      watch: watches,
    })
    .from(domains)
    .leftJoin(claims, eq(claims.id, claimId))
    .leftJoin(verifications, eq(verifications.claimId, claims.id))
    .leftJoin(watches, isWatchOfDomain);
export type ListedRow = ReturnType<ReturnType<typeof selectListed>["all"]>[number];

const belongsToAccount = eq(domains.accountId, sql.placeholder("accountId"));

export const listedById = prepared((db) =>
  selectListed(db).where(and(eq(domains.id, sql.placeholder("id")), belongsToAccount)),
);

/** `reference` is empty if there is none. */
export const hasIdentity = and(
  belongsToAccount,
  eq(domains.name, sql.placeholder("name")),
  eq(domains.reference, sql.placeholder("reference")),
);

export const domainByIdentity = prepared((db) => db.select().from(domains).where(hasIdentity));

/**
 * Which domains a page of the list has, after the position of `createdAt` and `id`. Null matches any. `q` is part of a
 * name in lower case, `watch` a watch's state or "none", `except` the ids to leave out, joined. `byName` sorts by name,
 * not newest first, and `isBackward` asks for the page before the position.
 */
export type ListFilter = Position &
  Record<"name" | "reference" | "q" | "watch" | "except", string | null> &
  Record<"archived" | "holds", boolean | null> &
  Record<"byName" | "isBackward", boolean> &
  Pick<DomainRow, "accountId"> & { status: DomainRow["status"] | null };

const SHORTEST_INDEXED = 3;
/** The number of names that a request looks at if no index answers its search. */
const NAMES_PER_REQUEST = 2_000;

const isBounded = ({ name, reference, q, status, holds, watch, byName }: ListFilter): boolean => {
  const hasWatchFilter = holds !== null || watch !== null;
  if (byName) return reference !== null || q !== null || status !== null;
  if (name !== null) return reference === null && (hasWatchFilter || q !== null || status !== null);
  return hasWatchFilter || (q !== null && (reference !== null || [...q].length < SHORTEST_INDEXED));
};

/** A filter in which all values but flags may be placeholders: such filters share one query. */
type FilterForm = { [name in keyof ListFilter]: ListFilter[name] | Placeholder };

const filterFormOf = (filter: ListFilter) =>
  Object.fromEntries(
    Object.entries(filter).map(([name, value]) => [
      name,
      value === null || typeof value === "boolean" ? value : sql.placeholder(name),
    ]),
  ) as FilterForm;

/** The second condition lets SQLite use the index. */
const hasReference = (reference: FilterForm["reference"]) =>
  reference === null
    ? sql`true`
    : sql`domains.reference = ${reference} and domains.reference <> ''`;

/** Returns the order of a list, and the condition that a domain comes after its position. */
function orderOf({ byName, isBackward, createdAt, id, accountId }: FilterForm) {
  const isAscending = byName !== isBackward;
  const column = byName ? sql`domains.name` : sql`domains.created_at`;
  const position = byName
    ? sql`ifnull((select name from domains where id = ${id} and account_id = ${accountId}), '')`
    : createdAt;
  const direction = sql.raw(isAscending ? "asc" : "desc");
  return {
    isAfter: sql`(${column}, domains.id) ${sql.raw(isAscending ? ">" : "<")} (${position}, ${id})`,
    order: sql`${column} ${direction}, domains.id ${direction}`,
  };
}

/** Selects the next `NAMES_PER_REQUEST` domains in any state and with any name. */
function nextNames(form: FilterForm): SQL {
  const { accountId, name, reference, archived } = form;
  const { isAfter, order } = orderOf(form);
  const selectNext = (condition: SQL) => sql`select * from (
    select rowid as number, created_at, name, id from domains where account_id = ${accountId} and ${condition}
    and ${isAfter} order by ${order} limit ${NAMES_PER_REQUEST})`;
  const archivedValues = [false, true].filter((one) => archived === null || archived === one);
  const isOfReference = form.byName ? sql`true` : hasReference(reference);
  const parts =
    name === null
      ? archivedValues.map((one) => selectNext(sql`archived = ${Number(one)} and ${isOfReference}`))
      : [selectNext(sql`name = ${name}`)];
  return sql`(select * from (${sql.join(parts, sql` union all `)}) as domains
    order by ${order} limit ${NAMES_PER_REQUEST}) as domains`;
}

/** Returns the last domain that a bounded search may look at; undefined if the search reaches the end. */
export const searchEnd = (db: Db, filter: ListFilter): Position | undefined =>
  isBounded(filter)
    ? db.get(sql`select created_at as createdAt, id from ${nextNames(filter)}
        order by ${orderOf(filter).order} limit 1 offset ${NAMES_PER_REQUEST - 1}`)
    : undefined;

const searchMatch = (accountId: string, q: string): string => {
  const phrase = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const ownerMatch = `owner : ${phrase(accountId.slice(-SHORTEST_INDEXED))}`;
  return `${ownerMatch} AND {name unicode_name} : ${phrase(q)}`;
};

const WATCH_STATE = sql`ifnull(iif(${watches.registry} = 'registered_again', ${watches.registry}, ${watches.state}), 'none')`;

const pageOf = prepared((db, [form, isBounded]: [FilterForm, boolean]) => {
  const { name, reference, q, status, archived, holds, watch, byName, isBackward, id } = form;
  const matchesFilters = and(
    status === null ? undefined : eq(domains.status, status),
    holds === null ? undefined : eq(domains.holds, holds),
    watch === null ? undefined : sql`${WATCH_STATE} = ${watch}`,
    form.except === null ? undefined : sql`not instr(${form.except}, ${domains.id})`,
    q === null
      ? undefined
      : sql`(instr(${domains.name}, ${q}) or instr(${domains.unicodeName}, ${q}))`,
    byName && reference !== null ? eq(domains.reference, reference) : undefined,
  );
  const { isAfter, order } = orderOf(form);
  const rows = selectListed(db).limit(sql.placeholder("limit")).$dynamic();
  if (isBounded)
    return rows
      .where(and(sql`domains.rowid in (select number from ${nextNames(form)})`, matchesFilters))
      .orderBy(order);
  const isMatch = and(
    belongsToAccount,
    archived === null ? undefined : eq(domains.archived, archived),
    matchesFilters,
    isAfter,
  );
  if (q !== null && name === null) {
    const [after, edge] = isBackward ? [">=", "0"] : ["<=", "9e15"];
    return rows
      .innerJoin(domainNumbers, eq(domainNumbers.domainId, domains.id))
      .innerJoin(sql`domain_search`, sql`domain_search.rowid = ${domainNumbers.number}`)
      .where(
        and(
          sql`domain_search match ${sql.placeholder("match")}`,
          sql`domain_search.rowid ${sql.raw(after)} ifnull((select number from domain_numbers where domain_id = ${id}), ${sql.raw(edge)})`,
          isMatch,
        ),
      )
      .orderBy(sql`domain_search.rowid ${sql.raw(isBackward ? "asc" : "desc")}`);
  }
  const hasThisName = name === null ? undefined : eq(domains.name, name);
  const hasThisReference = byName ? undefined : hasReference(reference);
  return rows.where(and(isMatch, hasThisName, hasThisReference)).orderBy(order);
});

export const queryOfPage = (db: Db, filter: ListFilter) =>
  pageOf(db, [filterFormOf(filter), isBounded(filter)]);

export const listedPage = (db: Db, filter: ListFilter, limit: number): ListedRow[] => {
  const match = filter.q === null ? null : searchMatch(filter.accountId, filter.q);
  return queryOfPage(db, filter).all({ ...filter, match, limit });
};

/** Selects proved domains with which something is wrong since; trouble.ts says what. */
export const listedInTrouble = prepared((db) => {
  const accountId = sql.placeholder("accountId");
  return selectListed(db)
    .where(
      sql`domains.status = 'proved' and not domains.archived and domains.id in (
        select id from domains where account_id = ${accountId} and loss is not null
        union all select d.id from watches w indexed by watches_missing
          cross join claims c on c.id = w.claim_id
          join domains d on d.id = c.domain_id and d.claim_id = c.id
          where w.purpose = 'watch' and w.state = 'missing' and c.account_id = ${accountId})`,
    )
    .orderBy(desc(domains.createdAt), desc(domains.id))
    .limit(sql.placeholder("limit"));
});

/** Selects claims, the oldest first: with a diagnosis, or (unless `isRead`) those not read, or opened after `since`. */
export const claimsNeedingAction = prepared((db, isRead: boolean) =>
  selectListed(db)
    .where(
      and(
        eq(verifications.accountId, sql.placeholder("accountId")),
        isRead
          ? sql`${verifications.status} = 'needs_attention'`
          : sql`${verifications.status} = 'checking' and (${verifications.createdAt} > ${sql.placeholder("since")}
            or ${verifications.waitReason} = 'first_check')`,
        eq(domains.id, claims.domainId),
      ),
    )
    .orderBy(verifications.createdAt, verifications.id)
    .limit(sql.placeholder("limit")),
);

const hasAnyReference = and(belongsToAccount, sql`${domains.reference} <> ''`);
export const anyWithReference = prepared((db) =>
  db.select({ id: domains.id }).from(domains).where(hasAnyReference).limit(1),
);

const isCountOfAccount = eq(domainCounts.accountId, sql.placeholder("accountId"));
/** Selects the counts of an account's domains; it has none once it was erased. */
export const countsOf = prepared((db) => db.select().from(domainCounts).where(isCountOfAccount));

export function toDomain(row: DomainRow): Domain {
  const { id, name, unicodeName, archived, holds } = row;
  const dates = isoFields(row, "lastProvedAt", "createdAt");
  return { id, name, unicodeName, reference: row.reference || null, archived, holds, ...dates };
}

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

/** This character sorts after every character of a name. */
const LAST_CHARACTER = "\u{10ffff}";
const MAX_NAME = 253;

export function knownNames({ db }: Context, accountId: string, typed: string, limit: number) {
  const start = typed.trim().toLowerCase().slice(0, MAX_NAME);
  const isListed = and(eq(domains.accountId, accountId), eq(domains.reference, sql.raw("''")));
  const { id, name, unicodeName, archived, status } = domains;
  // The index of names finds an ASCII prefix; for any other prefix, all rows of the account are read.
  const column = /^[\x20-\x7e]*$/.test(start) ? name : unicodeName;
  const order: SQL[] = start
    ? [sql`length(${column})`, sql`${column}`]
    : [desc(archived), desc(domains.createdAt)];
  return db
    .select({ id, name, unicodeName, archived, status, endedAt: claims.endedAt })
    .from(domains)
    .leftJoin(claims, eq(claims.id, domains.claimId))
    .where(start ? and(isListed, gte(column, start), lt(column, start + LAST_CHARACTER)) : isListed)
    .orderBy(...order)
    .limit(limit)
    .all()
    .map(({ endedAt, ...known }) => ({ ...known, endedAt: isoOrNull(endedAt) }));
}
