import { eq, sql } from "drizzle-orm";
import type { Context } from "#app/core/context.server.ts";
import { DeedError, orThrow } from "#app/core/errors.server.ts";
import { claimableName } from "#app/core/names/domain-name.ts";
import { prepared } from "#db/client.ts";
import { claims, domains } from "#db/schema.ts";
import { getClaim, toClaim } from "../claims/claim-rows.server.ts";
import { insertClaim } from "../claims/claims.server.ts";
import { expireOverdueOfAccount } from "../claims/expiry.server.ts";
import { toOutstanding } from "../claims/verifications.server.ts";
import { intervalOf, toWatch, type WatchProof, watchColumns } from "../claims/watch.ts";
import { hasIdentity, selectListed, toDomain } from "../domains/domain-rows.server.ts";
import { addDomain, type Identity } from "../domains/domains.server.ts";
import { createHandoff, handoffOfClaim, liveOfClaim } from "../handoffs/handoffs.server.ts";
import { returnUrlOf } from "../handoffs/return-site.server.ts";
import { startWatch } from "../watching/watches.server.ts";
import type { DomainAndClaim } from "./resources.ts";

/** Selects a domain with its open claim, or else its newest proof, or else its newest claim. */
const domainByIdentity = prepared((db) => {
  const claimToShow = sql`(select id from claims where domain_id = ${domains.id}
    order by instr('proved pending', state) desc, created_at desc, id desc limit 1)`;
  return selectListed(db, claimToShow).where(hasIdentity);
});

type NamedDomain = Identity & { name: string };

/** Reads a domain with its claim. Throws invalid_domain, domain_not_found, domain_archived, claim_not_found. */
export async function findByName(
  ctx: Context,
  accountId: string,
  { name, reference = "", keepWww }: NamedDomain,
): Promise<DomainAndClaim> {
  const { ascii, normalisations } = claimableName(name, ctx.settings.challengeLabel, keepWww);
  await expireOverdueOfAccount(ctx, accountId);
  const row = domainByIdentity(ctx.db).get({ accountId, name: ascii, reference });
  const { domain, claim: claimRow, verification, watch } = orThrow(row, "domain_not_found");
  if (domain.archived) throw new DeedError("domain_archived");
  if (!claimRow || !verification) throw new DeedError("claim_not_found");
  const rows = { domain, claim: claimRow, verification };
  const claim = toClaim({ ...rows, watch: watch?.claimId === claimRow.id ? watch : null });
  const [record] = claim.records;
  const handoff = handoffOfClaim(ctx, claim);
  return {
    domain: { ...toDomain(domain), normalisations },
    holds: domain.holds,
    watch: watch && toWatch(watch),
    claim,
    record: record ? { ...record, panel: claim.panel } : null,
    ...toOutstanding(rows, ctx.clock()),
    handoff,
  };
}

type DomainRequest = NamedDomain & {
  watch?: WatchProof;
  handoff?: Parameters<typeof createHandoff>[3];
  again?: string | undefined;
};

/**
 * Makes what is missing: domain and claim in one transaction, then the page. `again` is an ended claim after which to
 * open another. Throws like findByName, addDomain, insertClaim, returnUrlOf and createHandoff.
 */
export async function ensureByName(ctx: Context, accountId: string, request: DomainRequest) {
  const { name, handoff, again, watch } = request;
  if (handoff?.returnUrl) returnUrlOf(ctx, accountId, handoff.returnUrl, "handoff.returnUrl");
  await expireOverdueOfAccount(ctx, accountId);
  const { created, result } = await addDomain(ctx, accountId, name, request, (ctx, tx, domain) => {
    if (domain.archived) throw new DeedError("domain_archived");
    if (again !== undefined && getClaim(tx, accountId, again).claim.domainId !== domain.id)
      throw new DeedError("claim_not_found");
    const claim = domainByIdentity(tx).get(domain)?.claim;
    const isEnded = claim && claim.state !== "pending" && claim.id === again;
    if (!claim || isEnded) return { ...insertClaim(ctx, tx, domain, watch).claim, isNew: true };
    if (watch && claim.state === "proved")
      startWatch(tx, ctx, accountId, claim.id, intervalOf(watch));
    if (watch !== undefined && claim.state === "pending")
      tx.update(claims).set(watchColumns(watch)).where(eq(claims.id, claim.id)).run();
    return { ...claim, isNew: false };
  });
  const handoffBefore = result && liveOfClaim(ctx.db, result.id);
  if (handoff && result?.state === "pending" && result.expiresAt > ctx.clock())
    await createHandoff(ctx, accountId, result.id, handoff);
  const answer = await findByName(ctx, accountId, request);
  const isPageNew = answer.handoff?.slug !== handoffBefore?.slug;
  return { isNew: created || result?.isNew, isPageNew, answer };
}
