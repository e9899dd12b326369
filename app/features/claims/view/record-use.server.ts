import type { Context } from "#app/core/context.server.ts";
import type { Claim, Watch } from "#app/core/resources.ts";
import { iso } from "#app/core/time.ts";
import { othersNeeding, toWatch, watchOfClaim } from "#app/features/watching/watch-rows.server.ts";

const MOST_OTHERS = 5;

/** Whether the record of a proof is still needed, and still there. */
export type RecordUse = {
  /** Null if it is not watched. */
  watch: Watch | null;
  /** When an unwatched record was first seen to be gone; null if it was not, or not yet twice. */
  goneSince: string | null;
  /** Other claims of the account, for any reference, whose values must stay at the same name. */
  others: { claimId: string; isOpen: boolean; value: string; reference: string | null }[];
  /** Whether there are others than these. */
  hasMore: boolean;
};

/** What became of the record of a proof. */
export function recordUse({ db }: Context, { id: claimId }: Pick<Claim, "id">): RecordUse {
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
