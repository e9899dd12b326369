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

export type NamedNotice = ReturnType<typeof withNames>[number];

/** The notices of a page with the names they concern. `isWatched`: about a record that is still watched. */
export function withNames({ db }: Context, accountId: string, page: readonly Notice[]) {
  return page.flatMap((notice) => {
    const { kind, claimId, domainId } = notice;
    const name = nameOf(db).get({ id: domainId, account: accountId });
    const isWatched = isTrouble(kind) && watchedClaim(db).get({ claimId }) !== undefined;
    return name ? [{ ...notice, ...name, isWatched }] : [];
  });
}

/** Counts of what deleting the account would erase. */
export function accountDeletionImpact({ db }: Context, accountId: string) {
  const n = { n: count() };
  const isOwn = eq(claims.accountId, accountId);
  const liveLinks = db
    .select(n)
    .from(claims)
    .innerJoin(proofLinks, eq(proofLinks.claimId, claims.id))
    .where(and(isOwn, isNull(proofLinks.revokedAt)))
    .get();
  return {
    domains: db.select(n).from(domains).where(eq(domains.accountId, accountId)).get()?.n ?? 0,
    claims: db.select(n).from(claims).where(isOwn).get()?.n ?? 0,
    liveLinks: liveLinks?.n ?? 0,
  };
}
