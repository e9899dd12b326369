import { and, desc, eq, sql } from "drizzle-orm";
import { limitBy, prepared } from "#db/queries.ts";
import {
  claims,
  type DOMAIN_STATUSES,
  domainCounts,
  domainNumbers,
  domains,
  verifications,
} from "#db/schema.ts";
import type { Domain, ListedDomain } from "../resources.ts";
import { iso, isoOrNull } from "../time.ts";

export type DomainRow = typeof domains.$inferSelect;
export type DomainStatus = (typeof DOMAIN_STATUSES)[number];

const listed = {
  domain: domains,
  verificationId: verifications.id,
  startedAt: claims.createdAt,
  endedAt: claims.endedAt,
};
type ListedRow = {
  domain: DomainRow;
  verificationId: string | null;
  startedAt: number | null;
  endedAt: number | null;
};

const ofAccount = eq(domains.accountId, sql.placeholder("accountId"));
/** Rows after the cursor, newest first. */
const below = sql`(${domains.createdAt}, ${domains.id}) < (${sql.placeholder("createdAt")}, ${sql.placeholder("afterId")})`;
const inArchive = eq(domains.archived, sql`${sql.placeholder("archived")}`);
const contains = sql`(instr(${domains.name}, ${sql.placeholder("q")}) or instr(${domains.unicodeName}, ${sql.placeholder("q")}))`;
const newestFirst = [desc(domains.createdAt), desc(domains.id)] as const;

/** A domain by name, archived or not, with its claim in play. */
export const listedByName = prepared((db) =>
  db
    .select(listed)
    .from(domains)
    .leftJoin(claims, eq(claims.id, domains.claimId))
    .leftJoin(verifications, eq(verifications.claimId, claims.id))
    .where(and(ofAccount, eq(domains.name, sql.placeholder("name"))))
    .prepare(),
);

export const listedById = prepared((db) =>
  db
    .select(listed)
    .from(domains)
    .leftJoin(claims, eq(claims.id, domains.claimId))
    .leftJoin(verifications, eq(verifications.claimId, claims.id))
    .where(and(ofAccount, eq(domains.id, sql.placeholder("id"))))
    .prepare(),
);

export const listedPage = prepared((db) =>
  db
    .select(listed)
    .from(domains)
    .leftJoin(claims, eq(claims.id, domains.claimId))
    .leftJoin(verifications, eq(verifications.claimId, claims.id))
    .where(and(ofAccount, inArchive, below))
    .orderBy(...newestFirst)
    .limit(limitBy("limit"))
    .prepare(),
);

export const listedPageOfStatus = prepared((db) =>
  db
    .select(listed)
    .from(domains)
    .leftJoin(claims, eq(claims.id, domains.claimId))
    .leftJoin(verifications, eq(verifications.claimId, claims.id))
    .where(and(ofAccount, inArchive, eq(domains.status, sql.placeholder("status")), below))
    .orderBy(...newestFirst)
    .limit(limitBy("limit"))
    .prepare(),
);

/** Domains of the list by name, from the one after the domain `afterId`. */
export const listedPageByName = prepared((db) =>
  db
    .select(listed)
    .from(domains)
    .leftJoin(claims, eq(claims.id, domains.claimId))
    .leftJoin(verifications, eq(verifications.claimId, claims.id))
    .where(
      and(
        ofAccount,
        inArchive,
        sql`${domains.name} > ifnull((select name from domains where id = ${sql.placeholder("afterId")} and account_id = ${sql.placeholder("accountId")}), '')`,
      ),
    )
    .orderBy(domains.name)
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
export const LOOKED_AT = 2_000;
const newest = (archived: 0 | 1) =>
  sql`select * from (select rowid as number, created_at, id from domains where account_id = ${sql.placeholder("accountId")}
    and archived = ${sql.raw(String(archived))} and ifnull(${sql.placeholder("archived")}, ${sql.raw(String(archived))}) = ${sql.raw(String(archived))}
    and (created_at, id) < (${sql.placeholder("createdAt")}, ${sql.placeholder("afterId")})
    order by created_at desc, id desc limit ${sql.raw(String(LOOKED_AT))})`;
/** The account's newest domains after the cursor, archived ones too if `archived` is null. */
const lookedAt = sql`(${newest(0)} union all ${newest(1)}
  order by created_at desc, id desc limit ${sql.raw(String(LOOKED_AT))}) looked_at`;

/** Domains among the next `LOOKED_AT` after the cursor that contain `q`. */
export const listedAmongNext = prepared((db) =>
  db
    .select(listed)
    .from(lookedAt)
    .innerJoin(domains, sql`domains.rowid = looked_at.number`)
    .leftJoin(claims, eq(claims.id, domains.claimId))
    .leftJoin(verifications, eq(verifications.claimId, claims.id))
    .where(
      and(
        sql`${domains.status} = ifnull(${sql.placeholder("status")}, ${domains.status})`,
        contains,
      ),
    )
    .orderBy(sql`looked_at.created_at desc, looked_at.id desc`)
    .limit(limitBy("limit"))
    .prepare(),
);

/** The last domain that `listedAmongNext` looks at, if it looks at as many as it may. */
export const lastLookedAt = prepared((db) =>
  db
    .select({ createdAt: sql<number>`looked_at.created_at`, id: sql<string>`looked_at.id` })
    .from(lookedAt)
    .orderBy(sql`looked_at.created_at desc, looked_at.id desc`)
    .limit(limitBy(1))
    .offset(LOOKED_AT - 1)
    .prepare(),
);

/** The full-text query for an account's names that contain `q`, which is in lower case. */
export const searchMatch = (accountId: string, q: string): string => {
  const phrase = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const own = `owner : ${phrase(accountId.slice(-SHORTEST_INDEXED))}`;
  return `${own} AND {name unicode_name} : ${phrase(q)}`;
};

export const countsOfAccount = prepared((db) =>
  db
    .select({
      unclaimed: domainCounts.unclaimed,
      pending: domainCounts.pending,
      proved: domainCounts.proved,
      expired: domainCounts.expired,
      canceled: domainCounts.canceled,
      archived: domainCounts.archived,
    })
    .from(domainCounts)
    .where(eq(domainCounts.accountId, sql.placeholder("accountId")))
    .prepare(),
);

export const toDomain = (row: DomainRow): Domain => ({
  id: row.id,
  name: row.name,
  unicodeName: row.unicodeName,
  archived: row.archived,
  createdAt: iso(row.createdAt),
});

export const toListedDomain = ({
  domain,
  verificationId,
  startedAt,
  endedAt,
}: ListedRow): ListedDomain => ({
  ...toDomain(domain),
  status: domain.status,
  claimId: domain.claimId,
  verificationId,
  claimStartedAt: isoOrNull(startedAt),
  claimEndedAt: isoOrNull(endedAt),
});
