import type { Evidence, EvidenceSummary } from "@deed/dns/verdict/observation.ts";
import { and, desc, eq, inArray, ne, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { newSlug } from "#app/core/ids.server.ts";
import { HOUR, iso, isoOrNull } from "#app/core/time.ts";
import type { Db, Tx } from "#db/client.ts";
import { claims, watches } from "#db/schema.ts";
import type { ProofWatch, Watch } from "./resources.ts";
import { nextOwnTime, type WatchRow } from "./watch-states.ts";

export const watchOfClaim = (db: Db | Tx, claimId: string): WatchRow | undefined =>
  db.select().from(watches).where(eq(watches.claimId, claimId)).get();

/** The watch of a claim while it is watched. */
export function watchedClaim(db: Db | Tx, claimId: string): WatchRow | undefined {
  const row = watchOfClaim(db, claimId);
  return row?.purpose === "watch" ? row : undefined;
}

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
export const othersNeeding = (db: Db, claimId: string, limit: number) =>
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
      and(eq(own.id, claimId), sql`(${claims.state} = 'pending' or ${watches.purpose} = 'watch')`),
    )
    .orderBy(desc(claims.createdAt))
    .limit(limit)
    .all();

/** The zone and the nameservers that a read found the record at. */
export const placeIn = (evidence: Pick<Evidence, "delegation"> | EvidenceSummary | null) => {
  if (evidence === null) return { zone: null, nameservers: [] };
  if (!("delegation" in evidence))
    return { zone: evidence.zone, nameservers: evidence.servers.map(({ host }) => host) };
  const { delegation } = evidence;
  return delegation.type === "delegated"
    ? { zone: delegation.zone, nameservers: delegation.nameservers }
    : { zone: null, nameservers: [] };
};

/** Has the record of a proof read until it is seen that it was deleted, as its holder now may. */
export function awaitRemoval(
  tx: Tx,
  proof: { claimId: string; provedAt: number; evidence: Parameters<typeof placeIn>[0] },
  now: number,
): void {
  const { claimId, provedAt, evidence } = proof;
  tx.insert(watches)
    .values({
      claimId,
      purpose: "removal",
      startedAt: now,
      seenAt: provedAt,
      told: [],
      ...placeIn(evidence),
      nextReadAt: nextOwnTime(claimId, now + HOUR),
      slug: newSlug(),
    })
    .run();
}

export const toWatch = (row: WatchRow): Watch => ({
  claimId: row.claimId,
  state: row.state,
  seenAt: iso(row.seenAt),
  missingSince: row.state === "published" ? null : isoOrNull(row.missingSince),
  checkedAt: isoOrNull(row.checkedAt),
  startedAt: iso(row.startedAt),
});

/** What anyone who has the proof's link may see. */
export const toProofWatch = (domain: string, row: WatchRow): ProofWatch => {
  const { state, seenAt, missingSince, checkedAt } = toWatch(row);
  return { domain, state, seenAt, missingSince, checkedAt };
};
