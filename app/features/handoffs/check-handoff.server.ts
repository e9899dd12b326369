import { DeedError } from "#app/core/errors.server.ts";
import { runVerification } from "#app/features/claims/verifications.server.ts";
import { getApp } from "#app/http/app.server.ts";
import type { Connection } from "#app/http/connection.server.ts";
import { consumeBudget } from "#app/http/limits.server.ts";
import { resolveHandoff } from "./handoffs.server.ts";

/**
 * Reads DNS now, for the form on a hand-off's page. Draws on the page's budget for this address and on the
 * verification's budget, never on the account's: visitors must not be able to spend it. Throws handoff_not_found,
 * handoff_ended, rate_limited.
 */
export async function checkHandoff(
  { address, closed }: Pick<Connection, "address" | "closed">,
  slug: string,
): Promise<void> {
  const app = getApp();
  await consumeBudget(app, "proofs", address);
  const { accountId, verificationId, end } = await resolveHandoff(app, slug);
  if (end) throw new DeedError("handoff_ended");
  const draw = () => consumeBudget(app, "runsVerification", verificationId);
  try {
    await runVerification(app, accountId, verificationId, closed, draw);
  } catch (thrown) {
    const isOver = thrown instanceof DeedError && thrown.code === "verification_not_running";
    throw isOver ? new DeedError("handoff_ended") : thrown;
  }
}
