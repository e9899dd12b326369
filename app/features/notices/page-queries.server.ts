import { and, count, eq, isNull, sql } from "drizzle-orm";
import type { Context } from "#app/core/context.server.ts";
import type { Notice } from "#app/core/resources.ts";
import { prepared } from "#db/queries.ts";
import { claims, domains, notices, proofLinks } from "#db/schema.ts";
import { watchedClaim } from "../watching/watch-rows.server.ts";
import { isTrouble } from "../watching/watch-states.ts";

const unread = prepared((db) =>
  db
    .select({ count: count() })
    .from(notices)
    .where(and(eq(notices.accountId, sql.placeholder("account")), isNull(notices.readAt)))
    .prepare(),
);

/** Number of unread notices of the account. */
export function unreadNotices(ctx: Context, accountId: string): number {
  return unread(ctx.db).get({ account: accountId })?.count ?? 0;
}

const nameOf = prepared((db) =>
  db
    .select({
      domain: domains.name,
      unicodeDomain: domains.unicodeName,
      reference: sql<string | null>`nullif(${domains.reference}, '')`,
    })
    .from(domains)
    .where(
      and(eq(domains.id, sql.placeholder("id")), eq(domains.accountId, sql.placeholder("account"))),
    )
    .prepare(),
);

export type NamedNotice = Notice & {
  domain: string;
  unicodeDomain: string;
  reference: string | null;
  /** Whether it is about a record that is still watched. */
  isWatched: boolean;
};

/** The notices of a page with the names they concern. */
export function withNames(
  { db }: Context,
  accountId: string,
  page: readonly Notice[],
): NamedNotice[] {
  return page.flatMap((notice) => {
    const { kind, claimId, domainId } = notice;
    const name = nameOf(db).get({ id: domainId, account: accountId });
    const isWatched = isTrouble(kind) && watchedClaim(db).get({ claimId }) !== undefined;
    return name ? [{ ...notice, ...name, isWatched }] : [];
  });
}

const account = sql.placeholder("account");

const domainsHeld = prepared((db) =>
  db.select({ count: count() }).from(domains).where(eq(domains.accountId, account)).prepare(),
);
const claimsHeld = prepared((db) =>
  db.select({ count: count() }).from(claims).where(eq(claims.accountId, account)).prepare(),
);
const liveLinksHeld = prepared((db) =>
  db
    .select({ count: count() })
    .from(claims)
    .innerJoin(proofLinks, eq(proofLinks.claimId, claims.id))
    .where(and(eq(claims.accountId, account), isNull(proofLinks.revokedAt)))
    .prepare(),
);

/** Counts of what deleting the account would erase. */
export function accountDeletionImpact(
  { db }: Context,
  accountId: string,
): { domains: number; claims: number; liveLinks: number } {
  const key = { account: accountId };
  return {
    domains: domainsHeld(db).get(key)?.count ?? 0,
    claims: claimsHeld(db).get(key)?.count ?? 0,
    liveLinks: liveLinksHeld(db).get(key)?.count ?? 0,
  };
}
