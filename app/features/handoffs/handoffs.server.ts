import { and, eq, isNull, sql } from "drizzle-orm";
import { logAccountEvent } from "#app/core/accounts/accounts.server.ts";
import { commit } from "#app/core/commit.server.ts";
import type { Context, TxContext } from "#app/core/context.server.ts";
import { DeedError, orThrow } from "#app/core/errors.server.ts";
import { queueForWebhooks } from "#app/core/feed/feed.server.ts";
import { newSlug } from "#app/core/ids.server.ts";
import { iso, notBefore } from "#app/core/time.ts";
import type { Claim } from "#app/features/claims/resources.ts";
import { type Db, prepared, type Tx } from "#db/client.ts";
import { accounts, claims, domains, handoffs, verifications } from "#db/schema.ts";
import { getClaim } from "../claims/claim-rows.server.ts";
import { readClaim } from "../claims/claims.server.ts";
import { expireOverdueOfAccount } from "../claims/expiry.server.ts";
import type { ClaimRow } from "../claims/transition.ts";
import type { Handoff } from "./resources.ts";
import { mayReturnTo, returnUrlOf } from "./return-site.server.ts";

export type HandoffRow = typeof handoffs.$inferSelect;

const isOfClaim = eq(handoffs.claimId, sql.placeholder("claimId"));
const isLive = and(isOfClaim, isNull(handoffs.revokedAt));
const liveOf = prepared((db) => db.select().from(handoffs).where(isLive));
export const liveOfClaim = (db: Db | Tx, claimId: string) => liveOf(db).get({ claimId });

/** Returns a hand-off in the API's format. `expiresAt` is the latest end of its claim. */
export const toHandoff = (
  ctx: TxContext,
  { slug, claimId, createdAt }: HandoffRow,
  expiresAt: string,
): Handoff => ({
  slug,
  url: `${ctx.settings.baseUrl}/h/${slug}`,
  claimId,
  createdAt: iso(createdAt),
  expiresAt,
});

const bySlug = (db: Db, slug: string) =>
  db
    .select({
      handoff: handoffs,
      claim: claims,
      verificationId: verifications.id,
      email: accounts.email,
      unicodeDomain: domains.unicodeName,
    })
    .from(handoffs)
    .innerJoin(claims, eq(claims.id, handoffs.claimId))
    .innerJoin(verifications, eq(verifications.claimId, claims.id))
    .innerJoin(accounts, eq(accounts.id, claims.accountId))
    .innerJoin(domains, eq(domains.id, claims.domainId))
    .where(eq(handoffs.slug, slug))
    .get();

/** Reads an open claim in the current transaction. Throws claim_not_found, claim_ended. */
function openClaimRow(tx: Tx, ctx: TxContext, accountId: string, id: string) {
  const { claim } = getClaim(tx, accountId, id);
  if (claim.state !== "pending" || claim.expiresAt <= ctx.clock())
    throw new DeedError("claim_ended");
  return claim;
}

/** On a live page, a field left out stays the same; a new page masks the address and has no texts. */
export type HandoffFields = Partial<
  Pick<HandoffRow, "showAddress" | "title" | "requestedFor" | "returnUrl">
>;

/** Returns the live page, or makes one. Throws claim_not_found, claim_ended, and whatever returnUrlOf throws. */
export async function createHandoff(
  ctx: Context,
  accountId: string,
  claimId: string,
  { returnUrl: typedUrl, ...fields }: HandoffFields = {},
): Promise<Handoff> {
  await readClaim(ctx, accountId, claimId);
  return commit(ctx, (tx, ctx, now) => {
    const claim = openClaimRow(tx, ctx, accountId, claimId);
    const returnUrl = typedUrl ? returnUrlOf({ ...ctx, db: tx }, accountId, typedUrl) : typedUrl;
    const chosen = { ...fields, returnUrl };
    const existing = liveOfClaim(tx, claimId);
    if (existing) {
      if (Object.values(chosen).some((value) => value !== undefined))
        tx.update(handoffs).set(chosen).where(eq(handoffs.slug, existing.slug)).run();
      return toHandoff(ctx, existing, iso(claim.expiresAt));
    }
    const newRow = { ...chosen, slug: newSlug(ctx), claimId, createdAt: now };
    const row = tx.insert(handoffs).values(newRow).returning().get();
    const { slug, createdAt } = row;
    logAccountEvent(tx, accountId, "handoff_issued", createdAt, { domainId: claim.domainId });
    queueForWebhooks(tx, accountId, "handoff.opened", { claimId, slug }, createdAt);
    return toHandoff(ctx, row, iso(claim.expiresAt));
  });
}

/** Revokes the live page of a claim. Throws claim_not_found, claim_ended, handoff_not_found. */
export async function revokeHandoff(ctx: Context, accountId: string, claimId: string) {
  await readClaim(ctx, accountId, claimId);
  return commit(ctx, (tx, ctx, now) => {
    const claim = openClaimRow(tx, ctx, accountId, claimId);
    const live = orThrow(liveOfClaim(tx, claimId), "handoff_not_found");
    const revokedAt = notBefore(live.createdAt, now);
    tx.update(handoffs).set({ revokedAt }).where(eq(handoffs.slug, live.slug)).run();
    logAccountEvent(tx, accountId, "handoff_revoked", revokedAt, { domainId: claim.domainId });
    return { ...toHandoff(ctx, live, iso(claim.expiresAt)), revokedAt: iso(revokedAt) };
  });
}

const storedReturnUrl = ({ revokedAt, returnUrl }: HandoffRow): URL | null =>
  revokedAt === null && returnUrl !== null ? new URL(returnUrl) : null;

export function handoffOfClaim(ctx: Context, { id, state, expiresAt }: Claim): Handoff | null {
  const live = state === "pending" && liveOfClaim(ctx.db, id);
  return live ? toHandoff(ctx, live, expiresAt) : null;
}

function endOf({ revokedAt }: HandoffRow, { state, endedAt, expiresAt }: ClaimRow, now: number) {
  if (revokedAt !== null) return { how: "revoked" as const, at: iso(revokedAt) };
  if (state !== "pending") return { how: state, at: iso(endedAt ?? expiresAt) };
  return expiresAt <= now ? { how: "expired" as const, at: iso(expiresAt) } : null;
}

/**
 * Reads a page for the server; nothing of it may reach the page. `end` says how the page or its claim ended. `back` is
 * the site that it leads back to, null without one and once it is revoked. Throws handoff_not_found.
 */
export async function resolveHandoff(ctx: Context, slug: string) {
  const find = () => orThrow(bySlug(ctx.db, slug), "handoff_not_found");
  await expireOverdueOfAccount(ctx, find().claim.accountId);
  const row = find();
  const { handoff, claim } = row;
  const end = endOf(handoff, claim, ctx.clock());
  const url = storedReturnUrl(handoff);
  const back = url && { host: url.host, isAllowed: mayReturnTo(ctx, claim.accountId, url) };
  return { ...row, end, back };
}

export function allowedReturnUrl(ctx: Context, slug: string): string | null {
  const row = bySlug(ctx.db, slug);
  const url = row ? storedReturnUrl(row.handoff) : null;
  return row && url && mayReturnTo(ctx, row.claim.accountId, url) ? url.href : null;
}
