import type { Context } from "#app/core/context.server.ts";
import { iso } from "#app/core/time.ts";
import type { Claim } from "#app/features/claims/resources.ts";
import { othersNeeding, toWatch, watchOfClaim } from "#app/features/watching/watch-rows.server.ts";

const MOST_OTHERS = 5;

/** Whether the record of a proof is still needed, and still there. */
export type RecordUse = ReturnType<typeof recordUse>;

/**
 * What became of the record of a proof. `watch` is null if it is not watched; `goneSince` is when an unwatched record
 * was first seen to be gone, null if it was not, or not yet twice. `others` are other claims of the account, for any
 * reference, whose values must stay at the same name; `hasMore` says whether there are others than these.
 */
export function recordUse({ db }: Context, { id: claimId }: Pick<Claim, "id">) {
  const row = watchOfClaim(db).get({ claimId });
  const isWatched = row?.purpose === "watch";
  const others = othersNeeding(db).all({ claimId, limit: MOST_OTHERS + 1 });
  const isGone = row && !isWatched && row.state !== "published";
  return {
    watch: isWatched ? toWatch(row) : null,
    goneSince: isGone && row.missingSince !== null ? iso(row.missingSince) : null,
    others: others.slice(0, MOST_OTHERS).map(({ claimId, state, value, reference }) => ({
      claimId,
      isOpen: state === "pending",
      value,
      reference: reference || null,
    })),
    hasMore: others.length > MOST_OTHERS,
  };
}
