import type { EvidenceSummary } from "@deed/dns/verdict/evidence.ts";
import type { Statement } from "@deed/receipt/statement.ts";
import { and, desc, eq, isNull, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { logAccountEvent, maskEmail } from "#app/core/accounts/accounts.server.ts";
import { commit } from "#app/core/commit.server.ts";
import type { Context, TxContext } from "#app/core/context.server.ts";
import { DeedError, orThrow } from "#app/core/errors.server.ts";
import { writeFeedEvent } from "#app/core/feed/feed.server.ts";
import { newSlug } from "#app/core/ids.server.ts";
import { lookalikeOf } from "#app/core/names/lookalike.ts";
import { iso, isoOrNull, notBefore } from "#app/core/time.ts";
import { type Db, prepared, type Tx } from "#db/client.ts";
import {
  accounts,
  attemptEvidence,
  attempts,
  claims,
  domains,
  people,
  proofLinks,
  receipts,
  verifications,
  watches,
} from "#db/schema.ts";
import { getClaim, getDomain } from "../claims/claim-rows.server.ts";
import { storedSummary } from "../claims/history.server.ts";
import { toProofWatch, toWatch } from "../claims/watch.ts";
import { adviceForReaders } from "../watching/record-advice.ts";
import { isStale, troubleOf } from "../watching/trouble.ts";
import type { ProofLink, PublishedProof } from "./resources.ts";

const later = alias(claims, "later");
const latestProvedAt = sql<number>`(select max(${later.endedAt}) from ${claims} as ${sql.raw("later")}
  where ${later.name} = ${claims.name} and ${later.state} = 'proved')`;

const selectLinks = (db: Db | Tx) =>
  db
    .select({
      link: proofLinks,
      claim: claims,
      unicodeName: domains.unicodeName,
      loss: domains.loss,
      email: accounts.email,
      latestProvedAt,
      watch: watches,
      statement: receipts.statement,
      evidence: attemptEvidence.evidence,
      trimmed: attemptEvidence.trimmed,
      mailProvedAt: people.mailProvedAt,
      oidcIssuer: people.oidcIssuer,
    })
    .from(proofLinks)
    .innerJoin(claims, eq(claims.id, proofLinks.claimId))
    .innerJoin(domains, eq(domains.id, claims.domainId))
    .innerJoin(accounts, eq(accounts.id, claims.accountId))
    .leftJoin(people, eq(people.email, accounts.email))
    .leftJoin(watches, and(eq(watches.claimId, claims.id), sql`${watches.purpose} = 'watch'`))
    .leftJoin(receipts, eq(receipts.claimId, claims.id))
    .leftJoin(verifications, eq(verifications.claimId, claims.id))
    .leftJoin(
      attempts,
      and(eq(attempts.verificationId, verifications.id), sql`${attempts.outcome} = 'found'`),
    )
    .leftJoin(attemptEvidence, eq(attemptEvidence.attemptId, attempts.id));
type LinkRow = ReturnType<ReturnType<typeof selectLinks>["all"]>[number];

const bySlug = prepared((db) =>
  selectLinks(db).where(eq(proofLinks.slug, sql.placeholder("slug"))),
);
export const linkBySlug = (db: Db | Tx, slug: string) => bySlug(db).get({ slug });

const linksOfClaim = (db: Db | Tx, claimId: string) =>
  selectLinks(db)
    .where(eq(proofLinks.claimId, claimId))
    .orderBy(desc(proofLinks.issuedAt), sql`${proofLinks}.rowid desc`)
    .all();

/** Returns the fields of a link and of a proof. The `endedAt` of a proved claim is never null. */
const proofFields = (ctx: TxContext, { link, claim, unicodeName, email }: LinkRow) => ({
  slug: link.slug,
  url: `${ctx.settings.baseUrl}/p/${link.slug}`,
  domain: claim.name,
  unicodeDomain: unicodeName,
  heldBy: maskEmail(email),
  token: claim.token,
  challengeHost: `${claim.challengeLabel}.${claim.name}`,
  provider: claim.provider,
  nameservers: claim.nameservers === null ? null : JSON.parse(claim.nameservers),
  provedAt: iso(claim.endedAt ?? claim.expiresAt),
});

export const toProofLink = (ctx: TxContext, row: LinkRow): ProofLink => ({
  ...proofFields(ctx, row),
  claimId: row.claim.id,
  standing: row.link.revokedAt === null ? "live" : "revoked",
  issuedAt: iso(row.link.issuedAt),
  revokedAt: isoOrNull(row.link.revokedAt),
});

/** Returns the row if its link is live. Throws proof_not_found, proof_revoked. */
export function requireLive(row: LinkRow | undefined): LinkRow {
  if (!row) throw new DeedError("proof_not_found");
  if (row.link.revokedAt !== null) throw new DeedError("proof_revoked");
  return row;
}

const toProof = (ctx: Context, row: LinkRow): PublishedProof => ({
  ...proofFields(ctx, row),
  recency:
    row.latestProvedAt > (row.claim.endedAt ?? row.latestProvedAt)
      ? { type: "earlier", latestProvedAt: iso(row.latestProvedAt) }
      : { type: "latest" },
});

export const readProof = (ctx: Context, slug: string): PublishedProof =>
  toProof(ctx, requireLive(linkBySlug(ctx.db, slug)));

/** Reads the watch of a proof, for anyone. Throws proof_not_found, proof_revoked, not_watched. */
export function readProofWatch(ctx: Context, slug: string) {
  const { claim, watch } = requireLive(linkBySlug(ctx.db, slug));
  return toProofWatch(claim.name, orThrow(watch, "not_watched"));
}

/** Counts witnesses. `authenticated` says that all that returned the token had validated it with DNSSEC (AD flag). */
function tally({ witnesses }: EvidenceSummary) {
  const witnessesWithToken = witnesses.filter(({ hasToken }) => hasToken);
  return {
    witnesses: witnesses.length,
    witnessesWithToken: witnessesWithToken.length,
    authenticated: witnessesWithToken.length > 0 && witnessesWithToken.every(({ ad }) => ad),
  };
}

/** Returns what pages show of a receipt: parts of its statement, and its key's RFC 7638 thumbprint. */
export function summaryOfReceipt(jws: string) {
  const [header, payload] = jws
    .split(".", 2)
    .map((part) => JSON.parse(Buffer.from(part, "base64url").toString()));
  const { assurance, dnssec, nameservers, witnesses } = payload as Statement;
  return { assurance, dnssec, nameservers, witnesses, thumbprint: String(header.kid) };
}
export type ReceiptSummary = ReturnType<typeof summaryOfReceipt>;

export type ProofScreen = ReturnType<typeof proofScreen>;

/** Returns all that a proof's page shows. `vouchedBy` is the identity provider's host, if no mail confirmed the address. */
export function proofScreen(ctx: Context, slug: string) {
  const row = requireLive(linkBySlug(ctx.db, slug));
  const { evidence, trimmed, watch, statement, mailProvedAt, oidcIssuer } = row;
  const shownWatch = watch && toWatch(watch);
  const now = ctx.clock();
  return {
    proof: toProof(ctx, row),
    witness:
      evidence === null ? null : tally(storedSummary({ evidence, trimmed: trimmed === true })),
    watch: watch && toProofWatch(row.claim.name, watch),
    fate: adviceForReaders(watch !== null),
    trouble: troubleOf({ domain: row.claim.name, loss: row.loss, watch: shownWatch }, now),
    isStale: shownWatch !== null && isStale(shownWatch, now),
    receipt: statement === null ? null : summaryOfReceipt(statement),
    vouchedBy: mailProvedAt === null && oidcIssuer !== null ? new URL(oidcIssuer).host : null,
    isConfirmed: mailProvedAt !== null || oidcIssuer !== null,
    lookalike: lookalikeOf(row.unicodeName),
    tokenPrefix: ctx.settings.tokenPrefix,
    renderedAt: iso(now),
  };
}

export const liveOf = (db: Db | Tx, claimId: string) =>
  linksOfClaim(db, claimId).find(({ link }) => link.revokedAt === null);

/** Returns the live link, or creates it. Throws claim_not_found, claim_not_proved, domain_archived. */
export const publishProof = (ctx: Context, accountId: string, claimId: string) =>
  commit(ctx, (tx, ctx, now) => {
    const { claim } = getClaim(tx, accountId, claimId);
    if (claim.state !== "proved") throw new DeedError("claim_not_proved");
    if (getDomain(tx, accountId, claim.domainId).archived) throw new DeedError("domain_archived");
    const existing = liveOf(tx, claimId);
    if (existing) return toProofLink(ctx, existing);
    const slug = newSlug(ctx);
    tx.insert(proofLinks).values({ slug, claimId, issuedAt: now }).run();
    writeFeedEvent(tx, accountId, "proof_link.issued", { slug, claimId }, now);
    logAccountEvent(tx, accountId, "proof_link_issued", now, { domainId: claim.domainId });
    return toProofLink(ctx, requireLive(linkBySlug(tx, slug)));
  });

/** Lists the links of a claim, newest first, revoked ones too. Throws claim_not_found. */
export function listProofLinks(ctx: Context, accountId: string, claimId: string): ProofLink[] {
  getClaim(ctx.db, accountId, claimId);
  return linksOfClaim(ctx.db, claimId).map((row) => toProofLink(ctx, row));
}

function revokeLink(tx: Tx, { link, claim }: Pick<LinkRow, "link" | "claim">, now: number) {
  const { slug, claimId, issuedAt } = link;
  const { accountId, domainId } = claim;
  const revokedAt = notBefore(issuedAt, now);
  tx.update(proofLinks).set({ revokedAt }).where(eq(proofLinks.slug, slug)).run();
  writeFeedEvent(tx, accountId, "proof_link.revoked", { slug, claimId }, now);
  logAccountEvent(tx, accountId, "proof_link_revoked", now, { domainId });
  return revokedAt;
}

export function revokeLinksOfDomain(tx: Tx, domainId: string, now: number) {
  const live = tx
    .select({ link: proofLinks, claim: claims })
    .from(proofLinks)
    .innerJoin(claims, eq(claims.id, proofLinks.claimId))
    .where(and(eq(claims.domainId, domainId), isNull(proofLinks.revokedAt)))
    .all();
  for (const row of live) revokeLink(tx, row, now);
}

/** Revokes all links of a domain. Throws domain_not_found. */
export const revokeLinks = (ctx: Context, accountId: string, domainId: string) =>
  commit(ctx, (tx, _, now) => {
    getDomain(tx, accountId, domainId);
    revokeLinksOfDomain(tx, domainId, now);
  });

/** Revokes a live link. Throws claim_not_found, proof_link_not_found. */
export const revokeProofLink = (ctx: Context, accountId: string, claimId: string, slug: string) =>
  commit(ctx, (tx, ctx, now) => {
    getClaim(tx, accountId, claimId);
    const row = liveOf(tx, claimId);
    if (row?.link.slug !== slug) throw new DeedError("proof_link_not_found");
    const revokedAt = revokeLink(tx, row, now);
    return toProofLink(ctx, { ...row, link: { ...row.link, revokedAt } });
  });
