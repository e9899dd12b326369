import { eq } from "drizzle-orm";
import { commit } from "#app/core/commit.server.ts";
import type { Context } from "#app/core/context.server.ts";
import { verifications } from "#db/schema.ts";
import { ownClaim } from "./claim-rows.server.ts";
import { rowsOfClaim } from "./outcome.server.ts";
import { afterView } from "./transition.ts";

/** Keeps the reads of an open claim fast while its page is in view. Throws claim_not_found. */
export async function keepFastInView(ctx: Context, accountId: string, claimId: string) {
  ownClaim(ctx.db, accountId, claimId);
  await commit(ctx, (tx, ctx) => {
    const pair = rowsOfClaim(tx).get({ id: claimId });
    const move = pair && afterView(pair.verification, ctx.clock(), ctx.random());
    if (move) tx.update(verifications).set(move).where(eq(verifications.claimId, claimId)).run();
  });
}
