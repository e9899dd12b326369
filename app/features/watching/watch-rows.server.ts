import type { EvidenceSummary } from "@deed/dns/verdict/evidence.ts";
import type { Evidence } from "@deed/dns/verdict/observation.ts";
import { and, desc, eq, getTableColumns, ne, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Context } from "#app/core/context.server.ts";
import { newSlug } from "#app/core/ids.server.ts";
import { HOUR, isoOrNull } from "#app/core/time.ts";
import { type Db, prepared, preparedInsert, type Tx } from "#db/client.ts";
import { claims, domains, type Loss, type WatchInterval, watches } from "#db/schema.ts";
import { domainById, notifyHolds } from "../claims/holds.server.ts";
import { rowsOfClaim } from "../claims/outcome.server.ts";
import { toWatch, type WatchRow } from "../claims/watch.ts";
import { recordAdvice } from "./record-advice.ts";
import { troubleOf } from "./trouble.ts";
import { lossOf, nextTimeOfClaim } from "./watch-states.ts";

export const watchOfClaim = (db: Db | Tx, claimId: string): WatchRow | undefined =>
  db.select().from(watches).where(eq(watches.claimId, claimId)).get();

export function watchedClaim(db: Db | Tx, claimId: string): WatchRow | undefined {
  const row = watchOfClaim(db, claimId);
  return row?.purpose === "watch" ? row : undefined;
}

/** Updates a domain's loss after a change to one of its watches. Only a loss in `over` can end; any other stays. */
export function updateLoss(tx: Tx, domainId: string, now: number, over: readonly Loss[]): void {
  const domain = domainById(tx).get({ id: domainId });
  if (!domain || domain.lastProvedAt === null) return;
  const rows = tx
    .select(getTableColumns(watches))
    .from(watches)
    .innerJoin(claims, eq(claims.id, watches.claimId))
    .where(and(eq(claims.domainId, domainId), eq(watches.purpose, "watch")))
    .all();
  const isOver = domain.loss !== null && over.includes(domain.loss);
  const loss = lossOf(domain.lastProvedAt, rows) ?? (isOver ? null : domain.loss);
  if (loss === domain.loss) return;
  notifyHolds(tx, domainId, now, () => {
    tx.update(domains).set({ loss }).where(eq(domains.id, domainId)).run();
  });
}

const MAX_OTHERS_SHOWN = 5;

const { challengeLabel, token: value, state, reference } = claims;
const thisClaim = alias(claims, "this_claim");
const claimsNeedingName = prepared((db) =>
  db
    .select({ claimId: claims.id, domainId: claims.domainId, state, value, reference })
    .from(thisClaim)
    // These are the account's domains with this name, one per reference: this one, and the newest 1,000.
    .innerJoin(
      claims,
      sql`${claims.domainId} in (select ${thisClaim.domainId} union all select id from (
        select id from domains where account_id = ${thisClaim.accountId} and name = ${thisClaim.name}
        order by created_at desc, id desc limit 1000))`,
    )
    .leftJoin(watches, eq(watches.claimId, claims.id))
    .where(
      and(
        eq(thisClaim.id, sql.placeholder("claimId")),
        ne(claims.id, thisClaim.id),
        eq(challengeLabel, thisClaim.challengeLabel),
        sql`(${state} = 'pending' or ${watches.purpose} = 'watch')`,
      ),
    )
    .orderBy(desc(claims.createdAt))
    .limit(MAX_OTHERS_SHOWN + 1),
);

/** Tells what a claim's record is for. `fate` says whether it may be removed, `finding` what the last check found instead. */
export function recordUse({ db, clock }: Pick<Context, "db" | "clock">, claimId: string) {
  const row = watchOfClaim(db, claimId);
  const isWatched = row?.purpose === "watch";
  const isGone = row?.nextReadAt === null && row.state !== "published";
  const dependentClaims = claimsNeedingName(db).all({ claimId });
  const claim = rowsOfClaim(db).get({ id: claimId })?.claim;
  const loss = (claim && domainById(db).get({ id: claim.domainId })?.loss) ?? null;
  const isOver = claim?.state === "pending" && claim.expiresAt <= clock();
  const asked = claim && { ...claim, state: isOver ? ("expired" as const) : claim.state };
  const watch = isWatched ? toWatch(row) : null;
  const finding = isWatched ? row.finding : null;
  // One check did not find the record, but another one six hours later may.
  const state = watch?.state === "published" && finding ? "missing" : (watch?.state ?? null);
  return {
    fate: asked ? recordAdvice(dependentClaims.length > 0, asked, state, isGone) : "",
    trouble: claim ? troubleOf({ domain: claim.name, loss, watch }, clock()) : null,
    watch,
    finding,
    /** The nameservers that had the record at the proof. */
    nameservers: row?.nameservers ?? [],
    movedTo: row?.movedTo ?? [],
    /** The time since when the record is deleted; null until two reads showed that. */
    goneSince: isGone ? isoOrNull(row.missingSince) : null,
    others: dependentClaims.slice(0, MAX_OTHERS_SHOWN).map(({ state, reference, ...one }) => ({
      ...one,
      isOpen: state === "pending",
      reference: reference || null,
    })),
    hasMore: dependentClaims.length > MAX_OTHERS_SHOWN,
  };
}
export type RecordUse = ReturnType<typeof recordUse>;

type AnyEvidence = Pick<Evidence, "delegation"> | EvidenceSummary | null;

/** Returns the zone and the nameservers where a read found the record. */
export const zoneAndServersOf = (evidence: AnyEvidence) => {
  if (evidence === null) return { zone: null, nameservers: [] };
  if (!("delegation" in evidence))
    return { zone: evidence.zone, nameservers: evidence.servers.map(({ host }) => host) };
  const { delegation } = evidence;
  return delegation.type === "delegated"
    ? { zone: delegation.zone, nameservers: delegation.nameservers }
    : { zone: null, nameservers: [] };
};

const insertWatch = preparedInsert(
  watches,
  ...(["claimId", "purpose", "startedAt", "seenAt", "told", "zone", "nameservers"] as const),
  ...(["nextReadAt", "nextAskAt", "slug", "every"] as const),
);

/** The most watches of an account that are read hourly; further ones are read daily. */
const MAX_HOURLY = 500;

export function intervalFor(tx: Tx, claimId: string, asked: WatchInterval): WatchInterval {
  const hourlyCount = sql`select count(*) as n from watches w join claims c on c.id = w.claim_id
    where w.every = 'hour' and c.account_id = (select account_id from claims where id = ${claimId})`;
  return asked === "hour" && tx.get<{ n: number }>(hourlyCount).n < MAX_HOURLY ? "hour" : "day";
}

/** Schedules reads of a proof's record: for the holder, or until one shows that the record was deleted. */
export function awaitRemoval(
  tx: Tx,
  proof: { claimId: string; provedAt: number; evidence: AnyEvidence; watch?: WatchInterval | null },
  now: number,
): void {
  const { claimId, provedAt, evidence, watch = null } = proof;
  const every = intervalFor(tx, claimId, watch ?? "day");
  insertWatch(tx)({
    claimId,
    purpose: watch ? "watch" : "removal",
    every,
    startedAt: now,
    seenAt: provedAt,
    told: [],
    ...zoneAndServersOf(evidence),
    nextReadAt: nextTimeOfClaim(claimId, now + HOUR, every),
    nextAskAt: watch ? now : null,
    slug: newSlug(),
  });
}
