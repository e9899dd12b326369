import type { Context } from "#app/core/context.server.ts";
import { DeedError } from "#app/core/errors.server.ts";
import { claimScreen } from "#app/features/claim-page/claim-screen.server.ts";
import { stateLabel } from "#app/features/claim-page/state-label.ts";
import { getClaim } from "#app/features/claims/claim-rows.server.ts";
import { readListedDomain } from "../domains.server.ts";

/** Finds the claim of a domain's page: the given or the current one, or null. Throws domain_not_found, claim_not_found. */
export async function claimOnPage(
  ctx: Context,
  accountId: string,
  domainId: string,
  asked: string | null,
) {
  const listed = await readListedDomain(ctx, accountId, domainId);
  if (asked !== null && getClaim(ctx.db, accountId, asked).claim.domainId !== domainId)
    throw new DeedError("claim_not_found");
  return { listed, claimId: asked ?? listed.claimId };
}

/** Returns everything that a domain's page shows. `read` is the check whose evidence to show, null for the newest. */
export async function domainScreen(
  ctx: Context,
  accountId: string,
  domainId: string,
  asked: { claim: string | null; read: string | null; isLive: boolean },
) {
  const { listed, claimId } = await claimOnPage(ctx, accountId, domainId, asked.claim);
  const screen = claimId ? await claimScreen(ctx, accountId, claimId, asked) : null;
  const state = screen?.claim.state ?? listed.status;
  const { diagnosis: _, waitEstimate: __, watch: ___, ...domain } = listed;
  return {
    domain,
    /** The state in the chip, icon and title of the page. */
    label: stateLabel(
      state,
      screen?.open ?? null,
      screen?.recordUse.trouble ?? (screen?.isDoubted ? { tone: "waiting", word: "proved" } : null),
    ),
    isCurrent: claimId === listed.claimId,
    screen,
  };
}
export type DomainScreen = Awaited<ReturnType<typeof domainScreen>>;

/** Returns where a claim is shown now, for its old address. Throws claim_not_found. */
export function pathOfClaim(ctx: Context, accountId: string, claimId: string, page = ""): string {
  const { domainId } = getClaim(ctx.db, accountId, claimId).claim;
  return `/domains/${domainId}${page && `/${encodeURIComponent(page)}`}?claim=${claimId}`;
}
