import type { Provider } from "@deed/dns/verdict/diagnosis.ts";
import { panelHost } from "@deed/dns/words/providers.ts";
import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import type { ChallengeRecord, Claim, ListedClaim, Panel } from "#app/core/resources.ts";
import { iso, isoOrNull } from "#app/core/time.ts";
import type { Db } from "#db/client.ts";
import { limitBy, prepared } from "#db/queries.ts";
import { claims, domains, verifications } from "#db/schema.ts";
import type { ClaimRow } from "./transition.ts";
import { outstandingColumns, toOutstanding } from "./verification-view.ts";

export type ClaimListing = {
  claim: ClaimRow;
  unicodeName: string;
  verificationId: string;
  zone: string | null;
  provider: Provider | null;
};

const shown = {
  claim: claims,
  unicodeName: domains.unicodeName,
  verificationId: verifications.id,
  zone: verifications.zone,
  provider: verifications.provider,
};

const newestFirst = [desc(claims.createdAt), desc(claims.id)] as const;

/** One domain of an account. */
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

/** One claim of an account. */
export const claimOfAccount = prepared((db) =>
  db
    .select(shown)
    .from(claims)
    .innerJoin(domains, eq(domains.id, claims.domainId))
    .innerJoin(verifications, eq(verifications.claimId, claims.id))
    .where(
      and(eq(claims.id, sql.placeholder("id")), eq(claims.accountId, sql.placeholder("accountId"))),
    )
    .prepare(),
);

/** The open claim of a domain. */
export const openClaimOfDomain = prepared((db) =>
  db
    .select(shown)
    .from(claims)
    .innerJoin(domains, eq(domains.id, claims.domainId))
    .innerJoin(verifications, eq(verifications.claimId, claims.id))
    .where(
      and(eq(claims.domainId, sql.placeholder("domainId")), eq(claims.state, sql.raw("'pending'"))),
    )
    .prepare(),
);

const selectListed = (db: Db) =>
  db
    .select({ ...shown, verification: outstandingColumns })
    .from(claims)
    .innerJoin(domains, eq(domains.id, claims.domainId))
    .innerJoin(verifications, eq(verifications.claimId, claims.id));
type ListedRow = ReturnType<ReturnType<typeof selectListed>["all"]>[number];

/** Rows after the cursor, newest first. */
const below = sql`(${claims.createdAt}, ${claims.id}) < (${sql.placeholder("createdAt")}, ${sql.placeholder("afterId")})`;

/** The claims that `which` selects, newest first: all of them, or a page after a cursor. */
const claimsOf = (which: SQL | undefined) => ({
  all: prepared((db) =>
    selectListed(db)
      .where(which)
      .orderBy(...newestFirst)
      .prepare(),
  ),
  page: prepared((db) =>
    selectListed(db)
      .where(and(which, below))
      .orderBy(...newestFirst)
      .limit(limitBy("limit"))
      .prepare(),
  ),
});

const ofAccount = eq(claims.accountId, sql.placeholder("accountId"));
export const claimsOfAccount = claimsOf(ofAccount);
export const claimsOfDomain = claimsOf(eq(claims.domainId, sql.placeholder("domainId")));
/** The second condition is that of the index. */
export const claimsOfReference = claimsOf(
  and(
    ofAccount,
    sql`${claims.reference} = ${sql.placeholder("reference")} || ''`,
    sql`${claims.reference} <> ''`,
  ),
);

/** The record a claim asks for, at the label the claim was opened with, which may not be the current one. */
export const recordOf = (
  claim: Pick<ClaimRow, "challengeLabel" | "name" | "token">,
): ChallengeRecord => ({
  host: claim.challengeLabel,
  name: `${claim.challengeLabel}.${claim.name}`,
  type: "TXT",
  value: claim.token,
});

/** Where to enter the record, based on the zone that the claim's reads found. Kept after the claim ends. */
function panelOf({ claim, zone, provider: known }: ClaimListing): Panel | null {
  if (zone === null) return null;
  const provider = known ?? "other";
  const { challengeLabel: label, name: domain } = claim;
  return { zone, host: panelHost({ label, domain, zone, provider }), provider };
}

export const toClaim = (row: ClaimListing): Claim => {
  const { claim, unicodeName, verificationId } = row;
  return {
    id: claim.id,
    domainId: claim.domainId,
    domain: claim.name,
    unicodeDomain: unicodeName,
    reference: claim.reference || null,
    state: claim.state,
    token: claim.token,
    records: claim.state === "pending" ? [recordOf(claim)] : [],
    panel: panelOf(row),
    verificationId,
    expiresAt: iso(claim.expiresAt),
    endedAt: isoOrNull(claim.endedAt),
    createdAt: iso(claim.createdAt),
  };
};

/** With its diagnosis or wait as of `now`. */
export const toListedClaim = (row: ListedRow, now: number): ListedClaim => ({
  ...toClaim(row),
  ...toOutstanding(row, now),
});
