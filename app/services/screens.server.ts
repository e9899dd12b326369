import { and, count, eq, isNull, sql } from "drizzle-orm";
import { prepared } from "#db/client.ts";
import { accounts, claims, domains, notices, proofLinks, verifications } from "#db/schema.ts";
import type { Context } from "./context.server.ts";
import type { ListedDomain, Notice, Verification } from "./resources.ts";

const unread = prepared((db) =>
  db
    .select({ count: count() })
    .from(notices)
    .where(and(eq(notices.accountId, sql.placeholder("account")), isNull(notices.readAt)))
    .prepare(),
);

/** Notices of the account not read yet. */
export function unreadNotices(ctx: Context, accountId: string): number {
  return unread(ctx.db).get({ account: accountId })?.count ?? 0;
}

const statusOf = prepared((db) =>
  db
    .select({ status: verifications.status })
    .from(verifications)
    .where(
      and(
        eq(verifications.id, sql.placeholder("id")),
        eq(verifications.accountId, sql.placeholder("account")),
      ),
    )
    .prepare(),
);

/** The verification status of each open claim on a page of domains, by verification id. */
export function openStatuses(
  ctx: Context,
  accountId: string,
  domains: readonly ListedDomain[],
): Record<string, Verification["status"]> {
  const statuses: Record<string, Verification["status"]> = {};
  for (const { status, verificationId: id } of domains) {
    if (status !== "pending" || id === null) continue;
    const row = statusOf(ctx.db).get({ id, account: accountId });
    if (row) statuses[id] = row.status;
  }
  return statuses;
}

const nameOf = prepared((db) =>
  db
    .select({ domain: domains.name, unicodeDomain: domains.unicodeName })
    .from(domains)
    .where(
      and(eq(domains.id, sql.placeholder("id")), eq(domains.accountId, sql.placeholder("account"))),
    )
    .prepare(),
);

/** The notices of a page with the names they are about. */
export function withNames(
  ctx: Context,
  accountId: string,
  page: readonly Notice[],
): (Notice & { domain: string; unicodeDomain: string })[] {
  return page.flatMap((notice) => {
    const name = nameOf(ctx.db).get({ id: notice.domainId, account: accountId });
    return name ? [{ ...notice, ...name }] : [];
  });
}

const holdings = prepared((db) =>
  db
    .select({
      domains: sql<number>`(select count(*) from ${domains} where ${domains.accountId} = ${accounts.id})`,
      claims: sql<number>`(select count(*) from ${claims} where ${claims.accountId} = ${accounts.id})`,
      liveLinks: sql<number>`(select count(*) from ${claims} join ${proofLinks}
        on ${proofLinks.claimId} = ${claims.id} and ${proofLinks.revokedAt} is null
        where ${claims.accountId} = ${accounts.id})`,
    })
    .from(accounts)
    .where(eq(accounts.id, sql.placeholder("account")))
    .prepare(),
);

/** What deleting the account would erase, in counts. */
export const accountHoldings = (
  ctx: Context,
  accountId: string,
): { domains: number; claims: number; liveLinks: number } =>
  holdings(ctx.db).get({ account: accountId }) ?? { domains: 0, claims: 0, liveLinks: 0 };
