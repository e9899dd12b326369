import { and, desc, eq, isNull, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { prepared } from "#db/queries.ts";
import { accounts, claims, domains, proofLinks } from "#db/schema.ts";
import { maskEmail } from "../accounts/mask.ts";
import type { ClaimRow } from "../claims/transition.ts";
import type { TxContext } from "../context.server.ts";
import type { ProofLink } from "../resources.ts";
import { iso, isoOrNull } from "../time.ts";

export type LinkRow = {
  link: Pick<typeof proofLinks.$inferSelect, "slug" | "issuedAt" | "revokedAt">;
  claim: Pick<
    ClaimRow,
    | "id"
    | "name"
    | "token"
    | "challengeLabel"
    | "provider"
    | "nameservers"
    | "endedAt"
    | "expiresAt"
  >;
  unicodeName: string;
  email: string;
};

const shown = {
  link: {
    slug: proofLinks.slug,
    issuedAt: proofLinks.issuedAt,
    revokedAt: proofLinks.revokedAt,
  },
  claim: {
    id: claims.id,
    name: claims.name,
    token: claims.token,
    challengeLabel: claims.challengeLabel,
    provider: claims.provider,
    nameservers: claims.nameservers,
    endedAt: claims.endedAt,
    expiresAt: claims.expiresAt,
  },
  unicodeName: domains.unicodeName,
  email: accounts.email,
};

const later = alias(claims, "later");
/** When the name was last proved, by any account. */
const latestProvedAt = sql<number>`(select max(${later.endedAt}) from ${claims} as ${sql.raw("later")}
  where ${later.name} = ${claims.name} and ${later.state} = 'proved')`;

/** A link by its slug, with the time of the newest proof of its name. */
export const linkBySlug = prepared((db) =>
  db
    .select({ ...shown, latestProvedAt })
    .from(proofLinks)
    .innerJoin(claims, eq(claims.id, proofLinks.claimId))
    .innerJoin(domains, eq(domains.id, claims.domainId))
    .innerJoin(accounts, eq(accounts.id, claims.accountId))
    .where(eq(proofLinks.slug, sql.placeholder("slug")))
    .prepare(),
);

/** Every link of a claim, newest first. */
export const linksOfClaim = prepared((db) =>
  db
    .select(shown)
    .from(proofLinks)
    .innerJoin(claims, eq(claims.id, proofLinks.claimId))
    .innerJoin(domains, eq(domains.id, claims.domainId))
    .innerJoin(accounts, eq(accounts.id, claims.accountId))
    .where(eq(proofLinks.claimId, sql.placeholder("claimId")))
    .orderBy(desc(proofLinks.issuedAt), sql`${proofLinks}.rowid desc`)
    .prepare(),
);

/** The live link of a claim. */
export const liveLinkOfClaim = prepared((db) =>
  db
    .select(shown)
    .from(proofLinks)
    .innerJoin(claims, eq(claims.id, proofLinks.claimId))
    .innerJoin(domains, eq(domains.id, claims.domainId))
    .innerJoin(accounts, eq(accounts.id, claims.accountId))
    .where(and(eq(proofLinks.claimId, sql.placeholder("claimId")), isNull(proofLinks.revokedAt)))
    .prepare(),
);

/** Fields shown to holder and stranger alike. A proved claim always has an end: the time of its proof. */
export const proofFields = (ctx: TxContext, { link, claim, unicodeName, email }: LinkRow) => ({
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
