import { eq, sql } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { prepared } from "#db/queries.ts";
import { accountOrigins, accounts, claims, handoffs, verifications } from "#db/schema.ts";
import { logAccountEvent } from "../accounts/account-events.server.ts";
import { originOf } from "../accounts/origin-text.ts";
import { allowsLocal, listOrigins, originsOfAccount } from "../accounts/origins.server.ts";
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
import { OUTCOME_PARAMETER } from "./outcome.server.ts";

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
 * What the account chose for a page. A field left out stays as it is on a live page; on a new one the address is masked
 * and there are no texts and no way back.
 */
export type HandoffFields = {
  /** Whether the page shows the account's address whole. */
  showAddress?: boolean | undefined;
  title?: string | null | undefined;
  requestedFor?: string | null | undefined;
  returnUrl?: string | null | undefined;
};

/**
 * The URL as browsers write it. Throws invalid_request, and origin_not_registered unless the account has registered its
 * origin.
 */
function returnUrlOf(tx: Tx, { settings }: TxContext, accountId: string, text: string): string {
  const url = URL.parse(text);
  const origin = url && originOf(url, allowsLocal(settings));
  if (!url || origin === null)
    throw new DeedError("invalid_request", {
      message: 'The field "returnUrl" is not an absolute https URL with a host name.',
    });
  if (url.searchParams.has(OUTCOME_PARAMETER))
    throw new DeedError("invalid_request", {
      message: `The field "returnUrl" has a parameter ${OUTCOME_PARAMETER}, which Deed adds.`,
    });
  if (
    !originsOfAccount(tx)
      .all({ accountId })
      .some((one) => one.origin === origin)
  )
    throw new DeedError("origin_not_registered", {
      message: `The origin ${origin} is not registered for this account. Register it first.`,
    });
  return url.href;
}

/** Returns the claim's live hand-off, creating one if there is none. Throws claim_not_found, claim_ended, and as returnUrlOf. */
export async function createHandoff(
  ctx: Context,
  accountId: string,
  claimId: string,
  { returnUrl: typedUrl, ...fields }: HandoffFields = {},
): Promise<Handoff> {
  await readClaim(ctx, accountId, claimId);
  return commit(ctx, (tx, ctx) => {
    const claim = openClaimRow(tx, ctx, accountId, claimId);
    const returnUrl = typedUrl ? returnUrlOf(tx, ctx, accountId, typedUrl) : typedUrl;
    const chosen = { ...fields, returnUrl };
    const existing = liveOfClaim(tx).get({ claimId });
    if (existing) {
      if (Object.values(chosen).some((value) => value !== undefined))
        tx.update(handoffs).set(chosen).where(eq(handoffs.slug, existing.slug)).run();
      return toHandoff(ctx, existing, iso(claim.expiresAt));
    }
    const createdAt = ctx.clock();
    const row = tx
      .insert(handoffs)
      .values({ ...chosen, slug: newSlug(), claimId, createdAt })
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
export type SharedPage = Handoff &
  Pick<HandoffRow, "showAddress" | "title" | "requestedFor"> & {
    /** The host its page leads back to, now; null if it leads nowhere. */
    backTo: string | null;
  };

/** Where a page leads back to: its URL if the account has the origin registered at this moment. */
function returnUrlNow(ctx: Context, accountId: string, { returnUrl }: HandoffRow): URL | null {
  const url = returnUrl === null ? null : URL.parse(returnUrl);
  return url && listOrigins(ctx, accountId).includes(url.origin) ? url : null;
}

/** The live hand-off of a claim, as shown to its holder; null if there is none or the claim has ended. */
export function handoffOfClaim(
  ctx: Context,
  accountId: string,
  { id: claimId, state, expiresAt }: Pick<Claim, "id" | "state" | "expiresAt">,
): SharedPage | null {
  if (state !== "pending") return null;
  const live = liveOfClaim(ctx.db).get({ claimId });
  if (!live) return null;
  const { showAddress, title, requestedFor } = live;
  const backTo = returnUrlNow(ctx, accountId, live)?.host ?? null;
  return { ...toHandoff(ctx, live, expiresAt), showAddress, title, requestedFor, backTo };
}

/** How and when a hand-off ended. */
export type HandoffEnd = { how: "revoked" | "proved" | "expired" | "canceled"; at: string };

/** The claim a hand-off leads to, or how the hand-off ended. Server-side only: none of it may reach the page. */
export type HandoffTarget = Pick<HandoffRow, "title" | "requestedFor"> & {
  claimId: string;
  accountId: string;
  /** ASCII name of the domain, and the account's reference of it, empty for none. */
  name: string;
  reference: string;
  verificationId: string;
  email: string;
  /** Whether the address may be shown whole. */
  showAddress: boolean;
  end: HandoffEnd | null;
  /** Where the page leads back to; null if nowhere, and once it is revoked. */
  returnUrl: URL | null;
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
  const { showAddress, title, requestedFor } = handoff;
  const end = endOf(handoff, claim, ctx.clock());
  return {
    claimId: claim.id,
    accountId: claim.accountId,
    name: claim.name,
    reference: claim.reference,
    verificationId,
    email,
    showAddress,
    title,
    requestedFor,
    end,
    returnUrl: end?.how === "revoked" ? null : returnUrlNow(ctx, claim.accountId, handoff),
  };
}

const framers = prepared((db) =>
  db
    .select({ origin: accountOrigins.origin })
    .from(handoffs)
    .innerJoin(claims, eq(claims.id, handoffs.claimId))
    .innerJoin(accountOrigins, eq(accountOrigins.accountId, claims.accountId))
    .where(eq(handoffs.slug, sql.placeholder("slug")))
    .prepare(),
);

/** The origins that may embed the page of a hand-off: those its account has registered. */
export const framersOf = (ctx: Pick<Context, "db">, slug: string): string[] =>
  framers(ctx.db)
    .all({ slug })
    .map(({ origin }) => origin);
