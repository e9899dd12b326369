import { panelHost } from "@deed/dns/words/providers.ts";
import { and, desc, eq, getTableColumns, sql } from "drizzle-orm";
import { orThrow } from "#app/core/errors.server.ts";
import { isoFields } from "#app/core/time.ts";
import { type Db, prepared, type Tx } from "#db/client.ts";
import { claims, domains, verifications, watches } from "#db/schema.ts";
import type { ChallengeRecord, Claim } from "./resources.ts";
import type { ClaimRow } from "./transition.ts";
import { outstandingColumns, recordLocation } from "./verifications.server.ts";
import { toWatch } from "./watch.ts";

const { salt: _, nonce: __, ...shownColumns } = getTableColumns(claims);

export { shownColumns };

const selectListed = (db: Db | Tx) =>
  db
    .select({
      claim: shownColumns,
      domain: { unicodeName: domains.unicodeName, holds: domains.holds },
      verification: { id: verifications.id, ...outstandingColumns },
      watch: watches,
    })
    .from(claims)
    .innerJoin(domains, eq(domains.id, claims.domainId))
    .innerJoin(verifications, eq(verifications.claimId, claims.id))
    .leftJoin(watches, and(eq(watches.claimId, claims.id), eq(watches.purpose, "watch")));
export type ClaimListing = ReturnType<ReturnType<typeof selectListed>["all"]>[number];

const isRowOfAccount = (table: typeof domains | typeof claims) =>
  and(eq(table.id, sql.placeholder("id")), eq(table.accountId, sql.placeholder("accountId")));

const selectDomain = prepared((db) => db.select().from(domains).where(isRowOfAccount(domains)));

/** Reads a domain. Throws domain_not_found if it does not belong to the account. */
export const getDomain = (db: Db | Tx, accountId: string, id: string) =>
  orThrow(selectDomain(db).get({ id, accountId }), "domain_not_found");

const selectClaim = prepared((db) => selectListed(db).where(isRowOfAccount(claims)));

/** Reads a claim. Throws claim_not_found if it does not belong to the account. */
export const getClaim = (db: Db | Tx, accountId: string, id: string): ClaimListing =>
  orThrow(selectClaim(db).get({ id, accountId }), "claim_not_found");

const isOfDomain = eq(claims.domainId, sql.placeholder("domainId"));

export const openClaimOfDomain = prepared((db) =>
  selectListed(db).where(and(isOfDomain, sql`${claims.state} = 'pending'`)),
);

/** The index for references needs both conditions. */
const LIST_CONDITIONS = {
  account: undefined,
  domain: isOfDomain,
  reference: sql`${claims.reference} = ${sql.placeholder("reference")} and ${claims.reference} <> ''`,
};

export const pageOfClaims = prepared((db, list: keyof typeof LIST_CONDITIONS) =>
  selectListed(db)
    .where(
      and(
        eq(claims.accountId, sql.placeholder("accountId")),
        LIST_CONDITIONS[list],
        sql`(${claims.createdAt}, ${claims.id}) < (${sql.placeholder("createdAt")}, ${sql.placeholder("id")})`,
      ),
    )
    .orderBy(desc(claims.createdAt), desc(claims.id))
    .limit(sql.placeholder("limit")),
);

/** Returns the record that a claim asks for, at the label that was set when it was opened. The setting may have changed. */
export const recordOf = (
  claim: Pick<ClaimRow, "challengeLabel" | "name" | "token">,
): ChallengeRecord => ({
  host: claim.challengeLabel,
  name: `${claim.challengeLabel}.${claim.name}`,
  type: "TXT",
  value: claim.token,
});

/** `panel` comes from the zone that the claim's reads found, and stays after the claim ends. */
export function toClaim(row: ClaimListing): Claim {
  const { claim, domain, verification, watch } = row;
  const { id, domainId, state, token } = claim;
  const location = recordLocation(row);
  const { zone, provider } = location;
  return {
    ...{ id, domainId, domain: claim.name, unicodeDomain: domain.unicodeName, state, token },
    reference: claim.reference || null,
    records: state === "pending" ? [recordOf(claim)] : [],
    panel: zone === null ? null : { zone, host: panelHost(location), provider },
    verificationId: verification.id,
    holds: domain.holds,
    watch: watch && toWatch(watch),
    ...isoFields(claim, "expiresAt", "endedAt", "createdAt"),
  };
}
