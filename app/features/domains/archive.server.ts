import { and, count, eq, gt, isNull } from "drizzle-orm";
import { commit } from "#app/core/commit.server.ts";
import type { Context } from "#app/core/context.server.ts";
import { writeFeedEvent } from "#app/core/feed/feed.server.ts";
import type { Domain } from "#app/features/domains/resources.ts";
import { claims, domains, notices, proofLinks } from "#db/schema.ts";
import { openClaimOfDomain, ownDomain } from "../claims/claim-rows.server.ts";
import { expireIfOverdue } from "../claims/expiry.server.ts";
import { endClaim, rowsOfClaim } from "../claims/outcome.server.ts";
import { revokeLinksOfDomain } from "../proofs/proofs.server.ts";
import { endWatchesOfDomain } from "../watching/watches.server.ts";
import { toDomain } from "./domain-rows.server.ts";

/**
 * Archives the domain: cancels its open claim, stops watching its records and permanently revokes all its public links.
 * Idempotent. Throws domain_not_found.
 */
export async function archiveDomain(ctx: Context, accountId: string, id: string): Promise<Domain> {
  const open = openClaimOfDomain(ctx.db).get({ domainId: id });
  if (open?.claim.accountId === accountId)
    await expireIfOverdue(ctx, open.claim, open.verificationId);
  return commit(ctx, (tx, ctx) => {
    const domain = ownDomain(tx, accountId, id);
    if (domain.archived) return toDomain(domain);
    const now = ctx.clock();
    const current = openClaimOfDomain(tx).get({ domainId: id });
    const pair = current && rowsOfClaim(tx).get({ id: current.claim.id });
    if (pair) endClaim(tx, pair, "cancel", now);
    endWatchesOfDomain(tx, id);
    revokeLinksOfDomain(tx, accountId, id, now);
    tx.update(domains).set({ archived: true }).where(eq(domains.id, id)).run();
    writeFeedEvent(tx, accountId, "domain.archived", { domainId: id }, now);
    return toDomain({ ...domain, archived: true });
  });
}

/** Restores the domain with all its claims; revoked links stay revoked. Idempotent. Throws domain_not_found. */
export async function unarchiveDomain(ctx: Context, accountId: string, id: string) {
  return commit(ctx, (tx, ctx): Domain => {
    const domain = ownDomain(tx, accountId, id);
    if (!domain.archived) return toDomain(domain);
    tx.update(domains).set({ archived: false }).where(eq(domains.id, id)).run();
    writeFeedEvent(tx, accountId, "domain.unarchived", { domainId: id }, ctx.clock());
    return toDomain({ ...domain, archived: false });
  });
}

/** Counts of what archiving or deleting would end, for the confirmation pages. Throws domain_not_found. */
export function domainDeletionImpact(ctx: Context, accountId: string, id: string) {
  const { db } = ctx;
  ownDomain(db, accountId, id);
  const isOf = eq(claims.domainId, id);
  const isOpen = and(isOf, eq(claims.state, "pending"), gt(claims.expiresAt, ctx.clock()));
  const selected = { count: count() };
  const links = db
    .select(selected)
    .from(claims)
    .innerJoin(proofLinks, eq(proofLinks.claimId, claims.id))
    .where(and(isOf, isNull(proofLinks.revokedAt)));
  const ofDomain = db.select(selected).from(notices).where(eq(notices.domainId, id));
  return {
    claims: db.select(selected).from(claims).where(isOf).get()?.count ?? 0,
    openClaims: db.select(selected).from(claims).where(isOpen).get()?.count ?? 0,
    liveLinks: links.get()?.count ?? 0,
    notices: ofDomain.get()?.count ?? 0,
  };
}
