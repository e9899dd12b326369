import { panelHost } from "@deed/dns/words/providers.ts";
import { and, desc, eq, sql } from "drizzle-orm";
import type { Position } from "#app/core/cursor.ts";
import { DeedError } from "#app/core/errors.server.ts";
import { iso, isoOrNull } from "#app/core/time.ts";
import type { ChallengeRecord, Claim, ListedClaim } from "#app/features/claims/resources.ts";
import { type Db, prepared, type Tx } from "#db/client.ts";
import { claims, domains, verifications } from "#db/schema.ts";
import type { ClaimRow } from "./transition.ts";
import { outstandingColumns, recordLocation, toOutstanding } from "./verifications.server.ts";

const selectListed = (db: Db) =>
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

export const domainOfAccount = prepared((db) =>
  db
    .select()
    .from(domains)
    .where(
      and(
        eq(domains.id, sql.placeholder("id")),
        eq(domains.accountId, sql.placeholder("accountId")),
      ),
    )
    .prepare(),
);

export function ownDomain(handle: Db | Tx, accountId: string, id: string) {
  const domain = domainOfAccount(handle).get({ id, accountId });
  if (!domain) throw new DeedError("domain_not_found");
  return domain;
}

export const claimOfAccount = prepared((db) =>
  selectListed(db)
    .where(
      and(eq(claims.id, sql.placeholder("id")), eq(claims.accountId, sql.placeholder("accountId"))),
    )
    .prepare(),
);

export function ownClaim(handle: Db | Tx, accountId: string, id: string): ClaimListing {
  const row = claimOfAccount(handle).get({ id, accountId });
  if (!row) throw new DeedError("claim_not_found");
  return row;
}

export const openClaimOfDomain = prepared((db) =>
  selectListed(db)
    .where(
      and(eq(claims.domainId, sql.placeholder("domainId")), eq(claims.state, sql.raw("'pending'"))),
    )
    .prepare(),
);

export const claimsAfter = (
  db: Db,
  accountId: string,
  which: { domainId?: string | undefined; reference?: string | undefined },
  { createdAt, id }: Position,
  limit: number,
) => {
  const { domainId, reference } = which;
  const below = sql`(${claims.createdAt}, ${claims.id}) < (${createdAt}, ${id})`;
  const ofDomain = domainId === undefined ? undefined : eq(claims.domainId, domainId);
  // The second condition is that of the index.
  const ofReference = sql`${claims.reference} = ${reference ?? ""} || '' and ${claims.reference} <> ''`;
  return selectListed(db)
    .where(
      and(
        eq(claims.accountId, accountId),
        ofDomain,
        reference === undefined ? undefined : ofReference,
        below,
      ),
    )
    .orderBy(desc(claims.createdAt), desc(claims.id))
    .limit(limit);
};

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

export const toListedClaim = (row: ClaimListing, now: number): ListedClaim => ({
  ...toClaim(row),
  ...toOutstanding(row, now),
});
