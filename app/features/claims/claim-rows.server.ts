import { panelHost } from "@deed/dns/words/providers.ts";
import { and, desc, eq, sql } from "drizzle-orm";
import type { Position } from "#app/core/cursor.ts";
import { DeedError } from "#app/core/errors.server.ts";
import { iso, isoOrNull } from "#app/core/time.ts";
import type { Db, Tx } from "#db/client.ts";
import { claims, domains, verifications } from "#db/schema.ts";
import type { ChallengeRecord, Claim } from "./resources.ts";
import type { ClaimRow } from "./transition.ts";
import { outstandingColumns, recordLocation } from "./verifications.server.ts";

const selectListed = (db: Db | Tx) =>
  db
    .select({
      claim: claims,
      unicodeName: domains.unicodeName,
      verificationId: verifications.id,
      verification: outstandingColumns,
    })
    .from(claims)
    .innerJoin(domains, eq(domains.id, claims.domainId))
    .innerJoin(verifications, eq(verifications.claimId, claims.id));
export type ClaimListing = ReturnType<ReturnType<typeof selectListed>["all"]>[number];

/** Throws domain_not_found if it does not belong to the account. */
export function ownDomain(db: Db | Tx, accountId: string, id: string) {
  const isOwn = and(eq(domains.id, id), eq(domains.accountId, accountId));
  const domain = db.select().from(domains).where(isOwn).get();
  if (!domain) throw new DeedError("domain_not_found");
  return domain;
}

/** Throws claim_not_found if it does not belong to the account. */
export function ownClaim(db: Db | Tx, accountId: string, id: string): ClaimListing {
  const isOwn = and(eq(claims.id, id), eq(claims.accountId, accountId));
  const row = selectListed(db).where(isOwn).get();
  if (!row) throw new DeedError("claim_not_found");
  return row;
}

export const openClaimOfDomain = (db: Db | Tx, domainId: string) =>
  selectListed(db)
    .where(and(eq(claims.domainId, domainId), sql`${claims.state} = 'pending'`))
    .get();

/** The open claim, else the newest proof, else the newest claim. */
export const claimToShow = (db: Db | Tx, domainId: string) =>
  selectListed(db)
    .where(eq(claims.domainId, domainId))
    .orderBy(
      sql`instr('proved pending', claims.state) desc, claims.created_at desc, claims.id desc`,
    )
    .limit(1)
    .get();

/** At most `limit` after a position, newest first. Both conditions on the reference are those of its index. */
export const claimsAfter = (
  db: Db,
  accountId: string,
  { domainId, reference }: { domainId?: string | undefined; reference?: string | undefined },
  { createdAt, id }: Position,
  limit: number,
) =>
  selectListed(db)
    .where(
      and(
        eq(claims.accountId, accountId),
        domainId === undefined ? undefined : eq(claims.domainId, domainId),
        reference === undefined
          ? undefined
          : sql`${claims.reference} = ${reference} || '' and ${claims.reference} <> ''`,
        sql`(${claims.createdAt}, ${claims.id}) < (${createdAt}, ${id})`,
      ),
    )
    .orderBy(desc(claims.createdAt), desc(claims.id))
    .limit(limit);

/** The record a claim asks for, at the label the claim was opened with, which may not be the current one. */
export const recordOf = (
  claim: Pick<ClaimRow, "challengeLabel" | "name" | "token">,
): ChallengeRecord => ({
  host: claim.challengeLabel,
  name: `${claim.challengeLabel}.${claim.name}`,
  type: "TXT",
  value: claim.token,
});

/** `panel` is by the zone that the claim's reads found, and kept after the claim ends. */
export function toClaim(row: ClaimListing): Claim {
  const { claim, unicodeName, verificationId } = row;
  const place = recordLocation(row);
  const { zone, provider } = place;
  return {
    id: claim.id,
    domainId: claim.domainId,
    domain: claim.name,
    unicodeDomain: unicodeName,
    reference: claim.reference || null,
    state: claim.state,
    token: claim.token,
    records: claim.state === "pending" ? [recordOf(claim)] : [],
    panel: zone === null ? null : { zone, host: panelHost(place), provider },
    verificationId,
    expiresAt: iso(claim.expiresAt),
    endedAt: isoOrNull(claim.endedAt),
    createdAt: iso(claim.createdAt),
  };
}
