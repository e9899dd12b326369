import { eq, inArray, type SQL } from "drizzle-orm";
import { commit } from "#app/core/commit.server.ts";
import type { Context } from "#app/core/context.server.ts";
import { DeedError } from "#app/core/errors.server.ts";
import { newSlug } from "#app/core/ids.server.ts";
import { HOUR } from "#app/core/time.ts";
import type { ProofWatch, Watch } from "#app/features/watching/resources.ts";
import type { Tx } from "#db/client.ts";
import { claims, watches } from "#db/schema.ts";
import { domainOfAccount, ownClaim } from "../claims/claim-rows.server.ts";
import { foundEvidence } from "../claims/history.server.ts";
import { awaitRemoval, nextOwnTime } from "./removal.server.ts";
import {
  toProofWatch,
  toWatch,
  watchBySlug,
  watchedClaim,
  watchOfClaim,
  watchOfLink,
} from "./watch-rows.server.ts";
import type { WatchRow } from "./watch-states.ts";

function watchOf(db: Context["db"] | Tx, claimId: string): Watch {
  const row = watchedClaim(db, claimId);
  if (!row) throw new DeedError("not_watched");
  return toWatch(row);
}

/** Nothing was seen since the record was last seen: reads begin again. */
const nothingSeen = {
  state: "published",
  missingSince: null,
  finding: null,
  findingSince: null,
  told: [],
  runId: null,
  runUntil: null,
} satisfies Partial<WatchRow>;

/** The first read is soon. Idempotent. Throws claim_not_found, claim_not_proved, domain_archived. */
export const watchClaim = (ctx: Context, accountId: string, claimId: string): Promise<Watch> =>
  commit(ctx, (tx, ctx) => {
    const { claim } = ownClaim(tx, accountId, claimId);
    if (claim.provedAt === null) throw new DeedError("claim_not_proved");
    if (domainOfAccount(tx).get({ id: claim.domainId, accountId })?.archived)
      throw new DeedError("domain_archived");
    const before = watchOfClaim(tx).get({ claimId });
    if (before?.purpose === "watch") return toWatch(before);
    const now = ctx.clock();
    if (!before) {
      const evidence = foundEvidence(tx, claimId);
      awaitRemoval(tx, { claimId, provedAt: claim.provedAt, evidence }, now);
    }
    tx.update(watches)
      .set({
        ...nothingSeen,
        purpose: "watch",
        startedAt: now,
        checkedAt: null,
        nextReadAt: now,
        slug: newSlug(),
      })
      .where(eq(watches.claimId, claimId))
      .run();
    return watchOf(tx, claimId);
  });

function endWatch(tx: Tx, claimId: string, now: number): void {
  tx.update(watches)
    .set({
      ...nothingSeen,
      purpose: "removal",
      startedAt: now,
      nextReadAt: nextOwnTime(claimId, now + HOUR),
    })
    .where(eq(watches.claimId, claimId))
    .run();
}

/** Stops watching; the proof stays. Idempotent. Throws claim_not_found. */
export const unwatchClaim = (ctx: Context, accountId: string, claimId: string): Promise<void> =>
  commit(ctx, (tx, ctx) => {
    ownClaim(tx, accountId, claimId);
    if (watchedClaim(tx, claimId)) endWatch(tx, claimId, ctx.clock());
  });

/** Throws claim_not_found, not_watched. */
export function readWatch(ctx: Context, accountId: string, claimId: string): Watch {
  ownClaim(ctx.db, accountId, claimId);
  return watchOf(ctx.db, claimId);
}

/** Public. Throws proof_not_found, proof_revoked, not_watched. */
export function readProofWatch(ctx: Context, slug: string): ProofWatch {
  const row = watchOfLink(ctx.db).get({ slug });
  if (!row) throw new DeedError("proof_not_found");
  if (row.revokedAt !== null) throw new DeedError("proof_revoked");
  if (!row.watch) throw new DeedError("not_watched");
  return toProofWatch(row.domain, row.watch);
}

export function stoppedBy(ctx: Context, slug: string) {
  const row = watchBySlug(ctx.db, slug);
  if (!row) return null;
  const { domain, unicodeDomain, watch } = row;
  return { domain, unicodeDomain, claimId: watch.claimId, isWatched: watch.purpose === "watch" };
}

/** Stops what the link of a mail leads to. False if there is nothing at it. */
export const stopBySlug = (ctx: Context, slug: string): Promise<boolean> =>
  commit(ctx, (tx, ctx) => {
    const row = watchBySlug(tx, slug);
    if (row?.watch.purpose === "watch") endWatch(tx, row.watch.claimId, ctx.clock());
    return row !== undefined;
  });

export const endWatchesOfDomain = (tx: Tx, domainId: string): void =>
  endWatchesOf(tx, eq(claims.domainId, domainId));

export const endWatchesOfAccount = (tx: Tx, accountId: string): void =>
  endWatchesOf(tx, eq(claims.accountId, accountId));

function endWatchesOf(tx: Tx, which: SQL): void {
  const ofThem = tx.select({ id: claims.id }).from(claims).where(which);
  tx.delete(watches).where(inArray(watches.claimId, ofThem)).run();
}
