import { and, eq, isNull } from "drizzle-orm";
import { logAccountEvent } from "#app/core/accounts/accounts.server.ts";
import { commit } from "#app/core/commit.server.ts";
import type { Context } from "#app/core/context.server.ts";
import { DeedError } from "#app/core/errors.server.ts";
import { writeFeedEvent } from "#app/core/feed/feed.server.ts";
import { newSlug } from "#app/core/ids.server.ts";
import { notBefore } from "#app/core/time.ts";
import type { Tx } from "#db/client.ts";
import { claims, proofLinks } from "#db/schema.ts";
import { ownClaim, ownDomain } from "../claims/claim-rows.server.ts";
import { linkBySlug, linksOfClaim, live, toProofLink } from "./proof-rows.server.ts";
import type { ProofLink } from "./resources.ts";

const liveOf = (tx: Tx, claimId: string) =>
  linksOfClaim(tx, claimId).find(({ link }) => link.revokedAt === null);

/** Returns the live link, creating one if there is none. Throws claim_not_found, claim_not_proved, domain_archived. */
export async function publishProof(ctx: Context, accountId: string, claimId: string) {
  return commit(ctx, (tx, ctx) => {
    const { claim } = ownClaim(tx, accountId, claimId);
    if (claim.state !== "proved") throw new DeedError("claim_not_proved");
    if (ownDomain(tx, accountId, claim.domainId).archived) throw new DeedError("domain_archived");
    const existing = liveOf(tx, claimId);
    if (existing) return toProofLink(ctx, existing);
    const now = ctx.clock();
    const slug = newSlug();
    tx.insert(proofLinks).values({ slug, claimId, issuedAt: now }).run();
    writeFeedEvent(tx, accountId, "proof_link.issued", { slug, claimId }, now);
    logAccountEvent(tx, accountId, "proof_link_issued", now, { domainId: claim.domainId });
    return toProofLink(ctx, live(linkBySlug(tx, slug)));
  });
}

/** Newest first, revoked ones included. Throws claim_not_found. */
export function listProofLinks(ctx: Context, accountId: string, claimId: string): ProofLink[] {
  ownClaim(ctx.db, accountId, claimId);
  return linksOfClaim(ctx.db, claimId).map((row) => toProofLink(ctx, row));
}

function revokeLink(
  tx: Tx,
  accountId: string,
  { slug, claimId, issuedAt }: typeof proofLinks.$inferSelect,
  domainId: string,
  now: number,
): number {
  const revokedAt = notBefore(issuedAt, now);
  tx.update(proofLinks).set({ revokedAt }).where(eq(proofLinks.slug, slug)).run();
  writeFeedEvent(tx, accountId, "proof_link.revoked", { slug, claimId }, now);
  logAccountEvent(tx, accountId, "proof_link_revoked", now, { domainId });
  return revokedAt;
}

export function revokeLinksOfDomain(tx: Tx, accountId: string, domainId: string, now: number) {
  const live = tx
    .select({ link: proofLinks })
    .from(proofLinks)
    .innerJoin(claims, eq(claims.id, proofLinks.claimId))
    .where(and(eq(claims.domainId, domainId), isNull(proofLinks.revokedAt)))
    .all();
  for (const { link } of live) revokeLink(tx, accountId, link, domainId, now);
}

/** Throws claim_not_found, proof_link_not_found. */
export async function revokeProofLink(
  ctx: Context,
  accountId: string,
  claimId: string,
  slug: string,
): Promise<ProofLink> {
  return commit(ctx, (tx, ctx) => {
    const { domainId } = ownClaim(tx, accountId, claimId).claim;
    const row = liveOf(tx, claimId);
    if (row?.link.slug !== slug) throw new DeedError("proof_link_not_found");
    const revokedAt = revokeLink(tx, accountId, row.link, domainId, ctx.clock());
    return toProofLink(ctx, { ...row, link: { ...row.link, revokedAt } });
  });
}
