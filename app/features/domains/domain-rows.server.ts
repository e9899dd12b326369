import { and, desc, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import { iso, isoOrNull } from "#app/core/time.ts";
import type { Domain, ListedDomain } from "#app/features/domains/resources.ts";
import { type Db, limitBy, prepared } from "#db/client.ts";
import {
  claims,
  type DOMAIN_STATUSES,
  domainCounts,
  domainNumbers,
  domains,
  verifications,
} from "#db/schema.ts";
import { outstandingColumns, toOutstanding } from "../claims/verification-view.ts";

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

/** Every list of domains, each with its claim in play; with the conditions of one, a query. */
const selectListed = (db: Db) =>
  db
    .select(listed)
    .from(domains)
    .leftJoin(claims, eq(claims.id, domains.claimId))
    .leftJoin(verifications, eq(verifications.claimId, claims.id));
export type ListedRow = ReturnType<ReturnType<typeof selectListed>["all"]>[number];

const ofAccount = eq(domains.accountId, sql.placeholder("accountId"));
const ofName = eq(domains.name, sql.placeholder("name"));
/** The second condition is that of the indexes; with a plain bound value, SQLite would recompile the query. */
const ofReference = sql`${domains.reference} = ${sql.placeholder("reference")} || '' and ${domains.reference} <> ''`;
/** Rows after the cursor, newest first. */
const below = sql`(${domains.createdAt}, ${domains.id}) < (${sql.placeholder("createdAt")}, ${sql.placeholder("afterId")})`;
const inArchive = eq(domains.archived, sql`${sql.placeholder("archived")}`);
const contains = sql`(instr(${domains.name}, ${sql.placeholder("q")}) or instr(${domains.unicodeName}, ${sql.placeholder("q")}))`;
const newestFirst = [desc(domains.createdAt), desc(domains.id)] as const;

/** The domain of a name and a reference (empty for none), archived or not. */
export const listedByIdentity = prepared((db) =>
  selectListed(db)
    .where(and(ofAccount, ofName, eq(domains.reference, sql.placeholder("reference"))))
    .prepare(),
);

export const listedById = prepared((db) =>
  selectListed(db)
    .where(and(ofAccount, eq(domains.id, sql.placeholder("id"))))
    .prepare(),
);

/** Pages of the domains that `which` selects, newest first: in any status, or in one. */
const pagesOf = (...which: SQL[]) => {
  const page = (...conditions: SQL[]) =>
    prepared((db) =>
      selectListed(db)
        .where(and(ofAccount, ...which, ...conditions, below))
        .orderBy(...newestFirst)
        .limit(limitBy("limit"))
        .prepare(),
    );
  return { any: page(), ofStatus: page(eq(domains.status, sql.placeholder("status"))) };
};

export const listedPages = pagesOf(inArchive);
export const listedPagesOfReference = pagesOf(ofReference, inArchive);
/** The domains of one name, archived or not: one for each reference. */
export const listedPageOfName = pagesOf(ofName).any;

/** Domains of the list by name, from the one after the domain `afterId`. */
export const listedPageByName = prepared((db) =>
  selectListed(db)
    .where(
      and(
        ofAccount,
        inArchive,
        sql`(${domains.name}, ${domains.id}) > (ifnull((select name from domains where id = ${sql.placeholder("afterId")} and account_id = ${sql.placeholder("accountId")}), ''), ${sql.placeholder("afterId")})`,
      ),
    )
    .orderBy(domains.name, domains.id)
    .limit(limitBy("limit"))
    .prepare(),
);

/** Domains whose open claim's last read found a mistake, the oldest claim first. */
export const listedWithMistake = prepared((db) =>
  db
    .select(listed)
    .from(verifications)
    .innerJoin(claims, eq(claims.id, verifications.claimId))
    .innerJoin(domains, eq(domains.id, claims.domainId))
    .where(
      and(
        eq(verifications.accountId, sql.placeholder("accountId")),
        eq(verifications.status, sql.raw("'needs_attention'")),
      ),
    )
    .orderBy(verifications.createdAt, verifications.id)
    .limit(limitBy("limit"))
    .prepare(),
);

/** Domains that match a search (`searchMatch`) and contain `q`; archived ones too if `archived` is null. */
export const listedMatches = prepared((db) =>
  db
    .select(listed)
    .from(sql`domain_search`)
    .innerJoin(domainNumbers, eq(domainNumbers.number, sql`domain_search.rowid`))
    .innerJoin(domains, eq(domains.id, domainNumbers.domainId))
    .leftJoin(claims, eq(claims.id, domains.claimId))
    .leftJoin(verifications, eq(verifications.claimId, claims.id))
    .where(
      and(
        sql`domain_search match ${sql.placeholder("match")}`,
        sql`domain_search.rowid <= ifnull((select number from domain_numbers where domain_id = ${sql.placeholder("afterId")}), 9e15)`,
        ofAccount,
        below,
        sql`${domains.archived} = ifnull(${sql.placeholder("archived")}, ${domains.archived})`,
        sql`${domains.status} = ifnull(${sql.placeholder("status")}, ${domains.status})`,
        contains,
      ),
    )
    .orderBy(sql`domain_search.rowid desc`)
    .limit(limitBy("limit"))
    .prepare(),
);

/** The shortest text that the search index has, in characters. */
const SHORTEST_INDEXED = 3;
export const isIndexed = (q: string): boolean => [...q].length >= SHORTEST_INDEXED;

/** How many names a request looks at for a shorter text. */
const LOOKED_AT = 2_000;
const after = sql`(created_at, id) < (${sql.placeholder("createdAt")}, ${sql.placeholder("afterId")})
    order by created_at desc, id desc limit ${sql.raw(String(LOOKED_AT))}`;
const numbered = sql`select rowid as number, created_at, id from domains where account_id = ${sql.placeholder("accountId")}`;
const newest = (archived: 0 | 1, which = sql``) =>
  sql`select * from (${numbered} and archived = ${sql.raw(String(archived))}
    and ifnull(${sql.placeholder("archived")}, ${sql.raw(String(archived))}) = ${sql.raw(String(archived))} ${which} and ${after})`;
/** The newest domains after the cursor, archived ones too if `archived` is null. */
const newestOfBoth = (which?: SQL) => sql`(${newest(0, which)} union all ${newest(1, which)}
  order by created_at desc, id desc limit ${sql.raw(String(LOOKED_AT))}) looked_at`;
const newestLookedAt = [sql`looked_at.created_at desc`, sql`looked_at.id desc`] as const;

/** A search that looks at the next `LOOKED_AT` of some domains, for one that no index answers. */
const searchAmong = (lookedAt: SQL) => ({
  /** Those that contain `q` and have `status`, where these are not null. */
  rows: prepared((db) =>
    db
      .select(listed)
      .from(lookedAt)
      .innerJoin(domains, sql`domains.rowid = looked_at.number`)
      .leftJoin(claims, eq(claims.id, domains.claimId))
      .leftJoin(verifications, eq(verifications.claimId, claims.id))
      .where(
        and(
          sql`${domains.status} = ifnull(${sql.placeholder("status")}, ${domains.status})`,
          sql`(${sql.placeholder("q")} is null or ${contains})`,
        ),
      )
      .orderBy(...newestLookedAt)
      .limit(limitBy("limit"))
      .prepare(),
  ),
  /** The last domain that is looked at, if as many are as may be. */
  last: prepared((db) =>
    db
      .select({ createdAt: sql<number>`looked_at.created_at`, id: sql<string>`looked_at.id` })
      .from(lookedAt)
      .orderBy(...newestLookedAt)
      .limit(limitBy(1))
      .offset(LOOKED_AT - 1)
      .prepare(),
  ),
});

export const searchAmongAll = searchAmong(newestOfBoth());
export const searchAmongReference = searchAmong(
  newestOfBoth(sql`and reference = ${sql.placeholder("reference")} || '' and reference <> ''`),
);
export const searchAmongName = searchAmong(
  sql`(${numbered} and name = ${sql.placeholder("name")} and ${after}) looked_at`,
);

/** Whether any domain of the account has a reference. */
export const anyReference = prepared((db) =>
  db
    .select({ id: domains.id })
    .from(domains)
    .where(and(ofAccount, sql`${domains.reference} <> ''`))
    .limit(limitBy(1))
    .prepare(),
);

/** The full-text query for an account's names that contain `q`, which is in lower case. */
export const searchMatch = (accountId: string, q: string): string => {
  const phrase = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const own = `owner : ${phrase(accountId.slice(-SHORTEST_INDEXED))}`;
  return `${own} AND {name unicode_name} : ${phrase(q)}`;
};

const { accountId: _, ...counts } = getTableColumns(domainCounts);
export const countsOfAccount = prepared((db) =>
  db
    .select(counts)
    .from(domainCounts)
    .where(eq(domainCounts.accountId, sql.placeholder("accountId")))
    .prepare(),
);

export const toDomain = (row: DomainRow): Domain => ({
  id: row.id,
  name: row.name,
  unicodeName: row.unicodeName,
  reference: row.reference || null,
  archived: row.archived,
  lastProvedAt: isoOrNull(row.lastProvedAt),
  createdAt: iso(row.createdAt),
});

/** With the diagnosis or wait of its claim in play as of `now`. */
export const toListedDomain = (
  { domain, claim, verification }: ListedRow,
  now: number,
): ListedDomain => ({
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
