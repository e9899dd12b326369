import type { Context } from "#app/core/context.server.ts";
import { DeedError } from "#app/core/errors.server.ts";
import { claimableName } from "#app/core/names/domain-name.ts";
import { claimToShow, ownClaim, toClaim } from "../claims/claim-rows.server.ts";
import { insertClaim } from "../claims/claims.server.ts";
import { expireOverdueOfAccount } from "../claims/expiry.server.ts";
import { toOutstanding } from "../claims/verifications.server.ts";
import { domainByIdentity, toDomain } from "../domains/domain-rows.server.ts";
import { addDomain, type Identity } from "../domains/domains.server.ts";
import { createHandoff, handoffOfClaim, liveOfClaim } from "../handoffs/handoffs.server.ts";
import { returnUrlOf } from "../handoffs/way-back.server.ts";
import type { DomainAndClaim } from "./resources.ts";

type Named = Identity & { name: string };

/** Throws invalid_domain, domain_not_found, domain_archived, claim_not_found. */
export async function findByName(
  ctx: Context,
  accountId: string,
  { name, reference = "", keepWww }: Named,
): Promise<DomainAndClaim> {
  const { ascii, normalisations } = claimableName(name, ctx.settings.challengeLabel, keepWww);
  await expireOverdueOfAccount(ctx, accountId);
  const domain = domainByIdentity(ctx.db).get({ accountId, name: ascii, reference });
  if (!domain) throw new DeedError("domain_not_found");
  if (domain.archived) throw new DeedError("domain_archived");
  const shown = claimToShow(ctx.db, domain.id);
  if (!shown) throw new DeedError("claim_not_found");
  const claim = toClaim(shown);
  const [record] = claim.records;
  return {
    domain: { ...toDomain(domain), normalisations },
    claim,
    record: record ? { ...record, panel: claim.panel } : null,
    ...toOutstanding(shown, ctx.clock()),
    handoff: handoffOfClaim(ctx, claim),
  };
}

type Wanted = Named & { handoff?: Parameters<typeof createHandoff>[3]; again?: string | undefined };

/**
 * Makes the domain and the claim that are missing in one transaction, and then the page. `again`: the ended claim after
 * which another is opened, once. Throws as findByName, addDomain, insertClaim, returnUrlOf and createHandoff.
 */
export async function ensureByName(ctx: Context, accountId: string, wanted: Wanted) {
  const { name, handoff, again } = wanted;
  if (handoff?.returnUrl) returnUrlOf(ctx, accountId, handoff.returnUrl);
  await expireOverdueOfAccount(ctx, accountId);
  const { created, also } = await addDomain(ctx, accountId, name, wanted, (ctx, tx, domain) => {
    if (domain.archived) throw new DeedError("domain_archived");
    if (again !== undefined && ownClaim(tx, accountId, again).claim.domainId !== domain.id)
      throw new DeedError("claim_not_found");
    const known = claimToShow(tx, domain.id);
    const isOver = known?.claim.state === "expired" || known?.claim.state === "canceled";
    if (known && !(isOver && known.claim.id === again)) return { ...known.claim, isNew: false };
    return { ...insertClaim(ctx, tx, domain).claim, isNew: true };
  });
  const before = also && liveOfClaim(ctx.db, also.id);
  if (handoff && also?.state === "pending" && also.expiresAt > ctx.clock())
    await createHandoff(ctx, accountId, also.id, handoff);
  const answer = await findByName(ctx, accountId, wanted);
  const isPageNew = answer.handoff?.slug !== before?.slug;
  return { isNew: created || also?.isNew, isPageNew, answer };
}
