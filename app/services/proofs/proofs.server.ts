import { and, eq, isNull, sql } from "drizzle-orm";
import type { EvidenceSummary } from "#app/dns/verdict/observation.ts";
import type { Db, Tx } from "#db/client.ts";
import { prepared } from "#db/queries.ts";
import { attemptEvidence, attempts, claims, proofLinks, verifications } from "#db/schema.ts";
import { logAccountEvent } from "../accounts/account-events.server.ts";
import { claimOfAccount, domainOfAccount } from "../claims/claim-rows.server.ts";
import { storedSummary } from "../claims/stored-evidence.server.ts";
import { commit } from "../commit.server.ts";
import type { Context } from "../context.server.ts";
import { DeedError } from "../errors.server.ts";
import { writeFeedEvent } from "../feed/feed.server.ts";
import { newSlug } from "../ids.server.ts";
import type { ProofLink, PublishedProof } from "../resources.ts";
import { iso, notBefore } from "../time.ts";
import {
  linkBySlug,
  linksOfClaim,
  liveLinkOfClaim,
  proofFields,
  toProofLink,
} from "./proof-rows.server.ts";

/** Throws claim_not_found. */
function claimRow(db: Db | Tx, accountId: string, id: string) {
  const row = claimOfAccount(db).get({ id, accountId });
  if (!row) throw new DeedError("claim_not_found");
  return row.claim;
}

/** Returns the live link, creating one if there is none. Throws claim_not_found, claim_not_proved, domain_archived. */
export async function publishProof(
  ctx: Context,
  accountId: string,
  claimId: string,
): Promise<ProofLink> {
  return commit(ctx, (tx, ctx) => {
    const claim = claimRow(tx, accountId, claimId);
    if (claim.state !== "proved") throw new DeedError("claim_not_proved");
    if (domainOfAccount(tx).get({ id: claim.domainId, accountId })?.archived)
      throw new DeedError("domain_archived");
    const live = () => liveLinkOfClaim(tx).get({ claimId });
    const existing = live();
    if (existing) return toProofLink(ctx, existing);
    const now = ctx.clock();
    const slug = newSlug();
    tx.insert(proofLinks).values({ slug, claimId, issuedAt: now }).run();
    writeFeedEvent(tx, accountId, "proof_link.issued", { slug, claimId }, now);
    logAccountEvent(tx, accountId, "proof_link_issued", now, { domainId: claim.domainId });
    const issued = live();
    if (!issued) throw new Error("the link just issued is missing");
    return toProofLink(ctx, issued);
  });
}

/** Newest first, revoked ones included. Throws claim_not_found. */
export function listProofLinks(ctx: Context, accountId: string, claimId: string): ProofLink[] {
  claimRow(ctx.db, accountId, claimId);
  return linksOfClaim(ctx.db)
    .all({ claimId })
    .map((row) => toProofLink(ctx, row));
}

type LiveLink = Pick<typeof proofLinks.$inferSelect, "slug" | "claimId" | "issuedAt"> & {
  domainId: string;
};

/** Permanently revokes a live link; returns when. */
function revokeLink(
  tx: Tx,
  accountId: string,
  { slug, claimId, domainId, issuedAt }: LiveLink,
  now: number,
): number {
  const revokedAt = notBefore(issuedAt, now);
  tx.update(proofLinks).set({ revokedAt }).where(eq(proofLinks.slug, slug)).run();
  writeFeedEvent(tx, accountId, "proof_link.revoked", { slug, claimId }, now);
  logAccountEvent(tx, accountId, "proof_link_revoked", now, { domainId });
  return revokedAt;
}

/** Revokes every live link of a domain. */
export function revokeLinksOfDomain(
  tx: Tx,
  accountId: string,
  domainId: string,
  now: number,
): void {
  const { slug, claimId, issuedAt } = proofLinks;
  const live = tx
    .select({ slug, claimId, issuedAt })
    .from(proofLinks)
    .innerJoin(claims, eq(claims.id, proofLinks.claimId))
    .where(and(eq(claims.domainId, domainId), isNull(proofLinks.revokedAt)))
    .all();
  for (const link of live) revokeLink(tx, accountId, { ...link, domainId }, now);
}

/** Throws claim_not_found, proof_link_not_found. */
export async function revokeProofLink(
  ctx: Context,
  accountId: string,
  claimId: string,
  slug: string,
): Promise<ProofLink> {
  return commit(ctx, (tx, ctx) => {
    const { domainId } = claimRow(tx, accountId, claimId);
    const live = liveLinkOfClaim(tx).get({ claimId });
    if (live?.link.slug !== slug) throw new DeedError("proof_link_not_found");
    const link = { ...live.link, claimId, domainId };
    const revokedAt = revokeLink(tx, accountId, link, ctx.clock());
    return toProofLink(ctx, { ...live, link: { ...live.link, revokedAt } });
  });
}

/** Public; reads no DNS. Throws proof_not_found, proof_revoked. */
export function readProof(ctx: Context, slug: string): PublishedProof {
  const row = linkBySlug(ctx.db).get({ slug });
  if (!row) throw new DeedError("proof_not_found");
  if (row.link.revokedAt !== null) throw new DeedError("proof_revoked");
  const { latestProvedAt } = row;
  return {
    ...proofFields(ctx, row),
    recency:
      latestProvedAt > (row.claim.endedAt ?? latestProvedAt)
        ? { type: "earlier", latestProvedAt: iso(latestProvedAt) }
        : { type: "latest" },
  };
}

const evidenceOfSlug = prepared((db) =>
  db
    .select({ evidence: attemptEvidence.evidence, trimmed: attemptEvidence.trimmed })
    .from(proofLinks)
    .innerJoin(verifications, eq(verifications.claimId, proofLinks.claimId))
    .innerJoin(
      attempts,
      and(eq(attempts.verificationId, verifications.id), eq(attempts.outcome, sql.raw("'found'"))),
    )
    .innerJoin(attemptEvidence, eq(attemptEvidence.attemptId, attempts.id))
    .where(eq(proofLinks.slug, sql.placeholder("slug")))
    .prepare(),
);

export type ProofWitness = {
  witnesses: number;
  witnessesWithToken: number;
  /** Whether every witness that returned the token had validated it with DNSSEC (the AD flag). */
  authenticated: boolean;
};

function tally({ witnesses }: EvidenceSummary): ProofWitness {
  const seen = witnesses.filter(({ hasToken }) => hasToken);
  return {
    witnesses: witnesses.length,
    witnessesWithToken: seen.length,
    authenticated: seen.length > 0 && seen.every(({ ad }) => ad),
  };
}

/** How the witnesses saw the proof, for its page: counts only, from the evidence. Null if there is no such link. */
export function proofWitness(ctx: Context, slug: string): ProofWitness | null {
  const row = evidenceOfSlug(ctx.db).get({ slug });
  return row ? tally(storedSummary(row)) : null;
}
