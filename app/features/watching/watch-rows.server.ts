import { and, desc, eq, inArray, ne, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { iso, isoOrNull } from "#app/core/time.ts";
import type { ProofWatch, Watch } from "#app/features/watching/resources.ts";
import { type Db, limitBy, prepared, type Tx } from "#db/client.ts";
import { claims, domains, proofLinks, watches } from "#db/schema.ts";
import type { WatchRow } from "./watch-states.ts";

export const watchOfClaim = prepared((db) =>
  db
    .select()
    .from(watches)
    .where(eq(watches.claimId, sql.placeholder("claimId")))
    .prepare(),
);

export function watchedClaim(db: Db | Tx, claimId: string): WatchRow | undefined {
  const row = watchOfClaim(db).get({ claimId });
  return row?.purpose === "watch" ? row : undefined;
}

export const watchOfLink = prepared((db) =>
  db
    .select({ revokedAt: proofLinks.revokedAt, domain: claims.name, watch: watches })
    .from(proofLinks)
    .innerJoin(claims, eq(claims.id, proofLinks.claimId))
    .leftJoin(watches, and(eq(watches.claimId, claims.id), eq(watches.purpose, sql.raw("'watch'"))))
    .where(eq(proofLinks.slug, sql.placeholder("slug")))
    .prepare(),
);

export const watchBySlug = (db: Db | Tx, slug: string) =>
  db
    .select({
      watch: watches,
      domain: claims.name,
      unicodeDomain: domains.unicodeName,
    })
    .from(watches)
    .innerJoin(claims, eq(claims.id, watches.claimId))
    .innerJoin(domains, eq(domains.id, claims.domainId))
    .where(eq(watches.slug, slug))
    .get();

const own = alias(claims, "own");

/** The account's domains of the claim's name, its own first: one for each reference, the newest 1,000. */
const domainsOfName = sql`(
  select ${own.domainId} union all
  select id from (
    select id from domains where account_id = ${own.accountId} and name = ${own.name}
    order by created_at desc, id desc limit 1000
  )
)`;

/** Other claims of the account whose values must stay at the same name: open ones, and watched proofs. */
export const othersNeeding = prepared((db) =>
  db
    .select({
      claimId: claims.id,
      state: claims.state,
      value: claims.token,
      reference: claims.reference,
    })
    .from(own)
    .innerJoin(
      claims,
      and(
        inArray(claims.domainId, domainsOfName),
        eq(claims.challengeLabel, own.challengeLabel),
        ne(claims.id, own.id),
      ),
    )
    .leftJoin(watches, eq(watches.claimId, claims.id))
    .where(
      and(
        eq(own.id, sql.placeholder("claimId")),
        sql`(${claims.state} = 'pending' or ${watches.purpose} = 'watch')`,
      ),
    )
    .orderBy(desc(claims.createdAt))
    .limit(limitBy("limit"))
    .prepare(),
);

export const toWatch = (row: WatchRow): Watch => ({
  claimId: row.claimId,
  state: row.state,
  seenAt: iso(row.seenAt),
  missingSince: row.state === "published" ? null : isoOrNull(row.missingSince),
  checkedAt: isoOrNull(row.checkedAt),
  startedAt: iso(row.startedAt),
});

export const toProofWatch = (domain: string, row: WatchRow): ProofWatch => {
  const { state, seenAt, missingSince, checkedAt } = toWatch(row);
  return { domain, state, seenAt, missingSince, checkedAt };
};
