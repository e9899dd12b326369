import { commit } from "#app/core/commit.server.ts";
import type { Context, TxContext } from "#app/core/context.server.ts";
import { DeedError } from "#app/core/errors.server.ts";
import { claimableName, type NormalisedName } from "#app/core/names/domain-name.ts";
import type { Db, Tx } from "#db/client.ts";
import {
  type ClaimListing,
  claimToShow,
  ownClaim,
  recordOf,
  toClaim,
} from "../claims/claim-rows.server.ts";
import { insertClaim } from "../claims/claims.server.ts";
import { expireOverdueOfAccount } from "../claims/expiry.server.ts";
import { toOutstanding } from "../claims/verifications.server.ts";
import { type DomainRow, domainByIdentity, toDomain } from "../domains/domain-rows.server.ts";
import { ensureDomain } from "../domains/domains.server.ts";
import { type HandoffFields, handoffOfClaim, issueHandoff } from "../handoffs/handoffs.server.ts";
import type { DomainAndClaim } from "./resources.ts";

type Identity = { name: string; reference?: string | undefined; keepWww?: boolean | undefined };

const nameOf = ({ settings }: Context, { name, keepWww }: Identity) =>
  claimableName(name, settings.challengeLabel, keepWww);

function answerOf(
  ctx: TxContext & { db: Db | Tx },
  { normalisations }: NormalisedName,
  domain: DomainRow,
  shown: ClaimListing,
): DomainAndClaim {
  const claim = toClaim(shown);
  const isOpen = claim.state === "pending";
  return {
    domain: { ...toDomain(domain), normalisations },
    claim,
    record: isOpen ? { ...recordOf(shown.claim), panel: claim.panel } : null,
    ...toOutstanding(shown, ctx.clock()),
    handoff: handoffOfClaim(ctx, claim),
  };
}

/** Writes nothing but what is overdue. Throws invalid_domain, domain_not_found, domain_archived, claim_not_found. */
export async function findByName(ctx: Context, accountId: string, identity: Identity) {
  const name = nameOf(ctx, identity);
  await expireOverdueOfAccount(ctx, accountId);
  const { reference = "" } = identity;
  const domain = domainByIdentity(ctx.db, accountId, name.ascii, reference).get();
  if (!domain) throw new DeedError("domain_not_found");
  if (domain.archived) throw new DeedError("domain_archived");
  const shown = claimToShow(ctx.db, domain.id);
  if (!shown) throw new DeedError("claim_not_found");
  return answerOf(ctx, name, domain, shown);
}

type Wanted = Identity & { handoff?: HandoffFields | undefined; again?: string | undefined };

/**
 * Makes what is missing, in one transaction. `again`: the ended claim after which another is opened; once one was
 * opened after it, it opens none. Throws invalid_domain, domain_archived, claim_not_found, and as insertClaim and
 * issueHandoff.
 */
export async function ensureByName(ctx: Context, accountId: string, wanted: Wanted) {
  const name = nameOf(ctx, wanted);
  const { reference = "", handoff, again } = wanted;
  await expireOverdueOfAccount(ctx, accountId);
  return commit(ctx, (tx, txCtx) => {
    const { row, created } = ensureDomain(txCtx, tx, accountId, name, reference);
    if (row.archived) throw new DeedError("domain_archived");
    if (again !== undefined && ownClaim(tx, accountId, again).claim.domainId !== row.id)
      throw new DeedError("claim_not_found");
    const known = claimToShow(tx, row.id);
    const isOver = known?.claim.state === "expired" || known?.claim.state === "canceled";
    const opens = !known || (isOver && known.claim.id === again);
    const shown = opens ? insertClaim(txCtx, tx, row) : known;
    const { state, expiresAt } = shown.claim;
    if (handoff && state === "pending" && expiresAt > txCtx.clock())
      issueHandoff(txCtx, tx, shown.claim, handoff);
    return { isNew: created || opens, answer: answerOf({ ...txCtx, db: tx }, name, row, shown) };
  });
}
