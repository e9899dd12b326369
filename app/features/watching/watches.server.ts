import { setTimeout } from "node:timers/promises";
import { and, eq, inArray, type SQL } from "drizzle-orm";
import { requireKnownTime } from "#app/core/clock/timekeeper.server.ts";
import { commit } from "#app/core/commit.server.ts";
import type { Context, TxContext } from "#app/core/context.server.ts";
import { DeedError, orThrow } from "#app/core/errors.server.ts";
import { newSlug } from "#app/core/ids.server.ts";
import { HOUR } from "#app/core/time.ts";
import type { Db, Tx } from "#db/client.ts";
import { claims, type WatchInterval, watches } from "#db/schema.ts";
import { type ClaimListing, getClaim, getDomain } from "../claims/claim-rows.server.ts";
import { provingEvidence } from "../claims/history.server.ts";
import { domainById } from "../claims/holds.server.ts";
import { rowsOfClaim } from "../claims/outcome.server.ts";
import { READ_TIMEOUT_MS } from "../claims/transition.ts";
import { toWatch, type Watch } from "../claims/watch.ts";
import {
  awaitRemoval,
  intervalFor,
  recordUse,
  watchedClaim,
  watchOfClaim,
} from "./watch-rows.server.ts";
import { nextTimeOfClaim, RECORD_IN_PLACE } from "./watch-states.ts";

type Target = [accountId: string, claimId: string, every?: WatchInterval | undefined];

/** Starts a watch, whose first read comes soon. Idempotent. Throws claim_not_found, claim_not_proved, domain_archived. */
export const watchClaim = (ctx: Context, ...which: Target): Promise<Watch> =>
  commit(ctx, (tx, ctx) => startWatch(tx, ctx, ...which));

/** Starts or changes a watch. Without `pace`, an existing one stays the same, and a new one is daily. */
export function startWatch(tx: Tx, ctx: TxContext, ...[accountId, claimId, pace]: Target): Watch {
  const { claim } = getClaim(tx, accountId, claimId);
  const { provedAt } = claim;
  if (provedAt === null) throw new DeedError("claim_not_proved");
  if (getDomain(tx, accountId, claim.domainId).archived) throw new DeedError("domain_archived");
  const before = watchOfClaim(tx, claimId);
  const isWatched = before?.purpose === "watch";
  if (isWatched && (pace === undefined || pace === before.every)) return toWatch(before);
  const now = ctx.clock();
  const every = intervalFor(tx, claimId, pace ?? "day");
  if (!before) awaitRemoval(tx, { claimId, provedAt, evidence: provingEvidence(tx, claimId) }, now);
  const dueNow = { startedAt: now, nextReadAt: now, nextAskAt: now, slug: newSlug(ctx) };
  // What an earlier watch found stays, but a record that nobody watched could be deleted.
  const wasDeleted = before?.nextReadAt === null && before.told.length === 0;
  const unread = wasDeleted && { ...RECORD_IN_PLACE, checkedAt: null };
  const set = isWatched
    ? { every, nextReadAt: nextTimeOfClaim(claimId, now, every) }
    : { every, purpose: "watch" as const, ...unread, ...dueNow };
  const isThisWatch = eq(watches.claimId, claimId);
  return toWatch(tx.update(watches).set(set).where(isThisWatch).returning().get());
}

/** Ends a watch: the record may be deleted now, and Deed looks for its deletion. */
function endWatch(tx: Tx, claimId: string, now: number): void {
  const nextReadAt = nextTimeOfClaim(claimId, now + HOUR);
  tx.update(watches)
    .set({ purpose: "removal", every: "day", startedAt: now, nextReadAt })
    .where(eq(watches.claimId, claimId))
    .run();
}

/** Ends the watch of a proof, which stays. Idempotent. Throws claim_not_found. */
export const unwatchClaim = (ctx: Context, accountId: string, claimId: string): Promise<void> =>
  commit(ctx, (tx, _, now) => {
    getClaim(tx, accountId, claimId);
    if (watchedClaim(tx, claimId)) endWatch(tx, claimId, now);
  });

/** Throws claim_not_found, not_watched. */
export function readWatch({ db }: Context, accountId: string, claimId: string): Watch {
  getClaim(db, accountId, claimId);
  return toWatch(orThrow(watchedClaim(db, claimId), "not_watched"));
}

/**
 * Lets the worker read a watched record now, and waits for it. Throws claim_not_found, not_watched, whatever `draw` throws,
 * and unavailable if the clock is not known or the read told nothing.
 */
export async function readWatchNow(
  ctx: Context,
  [accountId, claimId]: Target,
  draw: (claim: ClaimListing) => Promise<void>,
): Promise<void> {
  requireKnownTime(ctx);
  await draw(getClaim(ctx.db, accountId, claimId));
  const row = () => orThrow(watchedClaim(ctx.db, claimId), "not_watched");
  const [before, nextReadAt] = [row().checkedAt, ctx.clock()];
  const isThisWatch = and(eq(watches.claimId, claimId), eq(watches.purpose, "watch"));
  await commit(ctx, (tx) => tx.update(watches).set({ nextReadAt }).where(isThisWatch).run());
  for (let tries = READ_TIMEOUT_MS / 100; tries > 0 && row().nextReadAt === nextReadAt; tries--)
    await setTimeout(100);
  const message = "DNS gave no clear answer. Try again in a few minutes.";
  if (row().checkedAt === before) throw new DeedError("unavailable", { message });
}

const watchBySlug = (db: Db | Tx, slug: string) =>
  db.select().from(watches).where(eq(watches.slug, slug)).get();

/** Returns what the page of a stop link shows; null if the slug is unknown. */
export function watchAt(ctx: Context, slug: string) {
  const { claimId = "", purpose } = watchBySlug(ctx.db, slug) ?? {};
  const claim = rowsOfClaim(ctx.db).get({ id: claimId })?.claim;
  const domainRow = claim && domainById(ctx.db).get({ id: claim.domainId });
  if (!domainRow) return null;
  const { id: domainId, name: domain, unicodeName: unicodeDomain } = domainRow;
  const { fate } = recordUse(ctx, claimId);
  return { domainId, domain, unicodeDomain, claimId, isWatched: purpose === "watch", fate };
}

/** Ends the watch of a stop link; returns false if the slug is unknown. */
export const stopWatch = (ctx: Context, slug: string): Promise<boolean> =>
  commit(ctx, (tx, _, now) => {
    const row = watchBySlug(tx, slug);
    if (row?.purpose === "watch") endWatch(tx, row.claimId, now);
    return row !== undefined;
  });

/** Ends all reads of the proofs of the claims that `condition` selects. */
export function endWatchesOf(tx: Tx, condition: SQL): void {
  const claimIds = tx.select({ id: claims.id }).from(claims).where(condition);
  tx.delete(watches).where(inArray(watches.claimId, claimIds)).run();
}
