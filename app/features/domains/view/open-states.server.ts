import type { Context } from "#app/core/context.server.ts";
import { DAY, HOUR, isoOrNull } from "#app/core/time.ts";
import { stateLabel } from "#app/features/claim-page/state-label.ts";
import { expireOverdueOfAccount } from "#app/features/claims/expiry.server.ts";
import { causeOf, openStateOf } from "#app/features/claims/open-state.server.ts";
import { troubleOf } from "#app/features/watching/trouble.ts";
import {
  claimsNeedingAction,
  type ListedRow,
  listedInTrouble,
  toListedDomain,
} from "../domain-rows.server.ts";

export type ShownDomain = ReturnType<typeof shownDomain>;

/**
 * A domain as the list shows it. `label`: its state, or what is wrong; `isNew`: its record was only just asked for;
 * `isEnding`: its claim has less than a day left; `earlier`: the date of a proof before its open claim, if that stands.
 */
export function shownDomain(ctx: Context, row: ListedRow) {
  const now = ctx.clock();
  const { diagnosis, waitEstimate, ...domain } = toListedDomain(row, now);
  const { name, status, claimId, verificationId: id, claimStartedAt: createdAt } = domain;
  const running = status === "pending" && id && createdAt && { diagnosis, waitEstimate };
  const state = running ? openStateOf(ctx, { ...running, id, createdAt }) : null;
  // The watch of the current claim, not of an older proof.
  const watch = domain.watch?.claimId === claimId ? domain.watch : null;
  const watched = { domain: name, loss: row.domain.loss, watch };
  const lastRunAt = isoOrNull(row.verification?.lastRunAt ?? null);
  const label = stateLabel(status, state, status === "proved" ? troubleOf(watched, now) : null);
  const hasMistake = state === "needs_you" && diagnosis;
  return {
    ...{ ...domain, watch },
    label: hasMistake ? { ...label, word: causeOf(diagnosis) } : label,
    isNew: state === "waiting_for_record",
    isEnding: state !== null && Number(row.claim?.expiresAt) - now < DAY,
    earlier: status === "pending" && domain.holds ? domain.lastProvedAt : null,
    checkedAt: [domain.watch?.checkedAt ?? "", lastRunAt ?? ""].sort()[1] || null,
  };
}

/** The most domains of each kind that `domainsNeedingAction` looks at: the default number of open claims of an account. */
const MAX_LOOKED_AT = 200;

/** Lists what needs action: proofs in trouble, open claims with a mistake, then those that only wait for a record. */
export async function domainsNeedingAction(ctx: Context, accountId: string) {
  await expireOverdueOfAccount(ctx, accountId);
  const { db, clock } = ctx;
  const listQuery = { accountId, limit: MAX_LOOKED_AT + 1, since: clock() - HOUR };
  const queries = [
    listedInTrouble(db),
    claimsNeedingAction(db, true),
    claimsNeedingAction(db, false),
  ];
  const listings = queries.map((rows) => rows.all(listQuery));
  const needingAction = listings
    .flatMap((rows) => rows.slice(0, MAX_LOOKED_AT))
    .map((row) => shownDomain(ctx, row))
    .filter(({ label: { tone, mark = tone } }) => mark === "needs")
    .sort((a, b) => Number(a.isNew) - Number(b.isNew));
  return { domains: needingAction, more: listings.some(({ length }) => length > MAX_LOOKED_AT) };
}
