import { and, desc, eq, sql } from "drizzle-orm";
import { limitBy, prepared } from "#db/queries.ts";
import { claims, type DOMAIN_STATUSES, domainCounts, domains, verifications } from "#db/schema.ts";
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
