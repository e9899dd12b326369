import { eq, sql } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { prepared } from "#db/queries.ts";
import { accounts, claims, handoffs, verifications } from "#db/schema.ts";
import { logAccountEvent } from "../accounts/account-events.server.ts";
import { claimOfAccount } from "../claims/claim-rows.server.ts";
import { readClaim } from "../claims/claims.server.ts";
import { expireIfOverdue } from "../claims/expiry.server.ts";
import type { ClaimRow } from "../claims/transition.ts";
import { commit } from "../commit.server.ts";
import type { Context, TxContext } from "../context.server.ts";
import { DeedError } from "../errors.server.ts";
import { queueForWebhooks } from "../feed/webhook-queue.server.ts";
import { newSlug } from "../ids.server.ts";
import type { Claim, Handoff, RevokedHandoff } from "../resources.ts";
import { iso, notBefore } from "../time.ts";
import { type HandoffRow, liveOfClaim, toHandoff } from "./handoff-rows.ts";

const bySlug = prepared((db) =>
  db
    .select({
      handoff: handoffs,
      claim: claims,
      verificationId: verifications.id,
      email: accounts.email,
    })
    .from(handoffs)
    .innerJoin(claims, eq(claims.id, handoffs.claimId))
    .innerJoin(verifications, eq(verifications.claimId, claims.id))
    .innerJoin(accounts, eq(accounts.id, claims.accountId))
    .where(eq(handoffs.slug, sql.placeholder("slug")))
    .prepare(),
);

/** The open claim, read in the current transaction. Throws claim_not_found, claim_ended. */
function openClaimRow(tx: Tx, ctx: TxContext, accountId: string, id: string): ClaimRow {
  const row = claimOfAccount(tx).get({ id, accountId });
  if (!row) throw new DeedError("claim_not_found");
  const { claim } = row;
  if (claim.state !== "pending" || claim.expiresAt <= ctx.clock())
    throw new DeedError("claim_ended");
  return claim;
}

/**
 * Returns the claim's live hand-off, creating one if there is none. `showAddress`: whether its page shows the account's
 * address whole; if left out, a new page does not and a live one stays as it is. Throws claim_not_found, claim_ended.
 */
export async function createHandoff(
  ctx: Context,
  accountId: string,
  claimId: string,
  showAddress?: boolean,
): Promise<Handoff> {
  await readClaim(ctx, accountId, claimId);
  return commit(ctx, (tx, ctx) => {
    const claim = openClaimRow(tx, ctx, accountId, claimId);
    const existing = liveOfClaim(tx).get({ claimId });
    if (existing) {
      if (showAddress !== undefined)
        tx.update(handoffs).set({ showAddress }).where(eq(handoffs.slug, existing.slug)).run();
      return toHandoff(ctx, existing, iso(claim.expiresAt));
    }
    const createdAt = ctx.clock();
    const row = tx
      .insert(handoffs)
      .values({ slug: newSlug(), claimId, createdAt, showAddress: showAddress ?? false })
      .returning()
      .get();
    logAccountEvent(tx, accountId, "handoff_issued", createdAt, { domainId: claim.domainId });
    queueForWebhooks(tx, accountId, "handoff.opened", { claimId, slug: row.slug }, createdAt);
    return toHandoff(ctx, row, iso(claim.expiresAt));
  });
}

/** Permanently revokes the claim's live hand-off. Throws claim_not_found, claim_ended, handoff_not_found. */
export async function revokeHandoff(
  ctx: Context,
  accountId: string,
  claimId: string,
): Promise<RevokedHandoff> {
  await readClaim(ctx, accountId, claimId);
  return commit(ctx, (tx, ctx) => {
    const claim = openClaimRow(tx, ctx, accountId, claimId);
    const live = liveOfClaim(tx).get({ claimId });
    if (!live) throw new DeedError("handoff_not_found");
    const revokedAt = notBefore(live.createdAt, ctx.clock());
    tx.update(handoffs).set({ revokedAt }).where(eq(handoffs.slug, live.slug)).run();
    logAccountEvent(tx, accountId, "handoff_revoked", revokedAt, { domainId: claim.domainId });
    return { ...toHandoff(ctx, live, iso(claim.expiresAt)), revokedAt: iso(revokedAt) };
  });
}

/** A hand-off as its holder sees it. */
export type SharedPage = Handoff & { showAddress: boolean };

/** The live hand-off of a claim, as shown to its holder; null if there is none or the claim has ended. */
export function handoffOfClaim(
  ctx: Context,
  { id: claimId, state, expiresAt }: Pick<Claim, "id" | "state" | "expiresAt">,
): SharedPage | null {
  if (state !== "pending") return null;
  const live = liveOfClaim(ctx.db).get({ claimId });
  return live ? { ...toHandoff(ctx, live, expiresAt), showAddress: live.showAddress } : null;
}

/** How and when a hand-off ended. */
export type HandoffEnd = { how: "revoked" | "proved" | "expired" | "canceled"; at: string };

/** The claim a hand-off leads to, or how the hand-off ended. Server-side only: none of it may reach the page. */
export type HandoffTarget = {
  claimId: string;
  accountId: string;
  verificationId: string;
  email: string;
  /** Whether the address may be shown whole. */
  showAddress: boolean;
  end: HandoffEnd | null;
};

function endOf({ revokedAt }: HandoffRow, claim: ClaimRow, now: number): HandoffEnd | null {
  if (revokedAt !== null) return { how: "revoked", at: iso(revokedAt) };
  const { state, endedAt, expiresAt } = claim;
  if (state !== "pending") return { how: state, at: iso(endedAt ?? expiresAt) };
  return expiresAt <= now ? { how: "expired", at: iso(expiresAt) } : null;
}

/** Resolves a slug, expiring its claim first if overdue. Throws handoff_not_found. */
export async function resolveHandoff(ctx: Context, slug: string): Promise<HandoffTarget> {
  const find = () => {
    const row = bySlug(ctx.db).get({ slug });
    if (!row) throw new DeedError("handoff_not_found");
    return row;
  };
  const before = find();
  const row = (await expireIfOverdue(ctx, before.claim, before.verificationId)) ? find() : before;
  const { handoff, claim, verificationId, email } = row;
  return {
    claimId: claim.id,
    accountId: claim.accountId,
    verificationId,
    email,
    showAddress: handoff.showAddress,
    end: endOf(handoff, claim, ctx.clock()),
  };
}
