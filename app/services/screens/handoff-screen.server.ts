import { maskEmail } from "../accounts/mask.ts";
import type { Context } from "../context.server.ts";
import { type HandoffEnd, resolveHandoff } from "../handoffs/handoffs.server.ts";
import { type ClaimView, claimView } from "./claim-screen.server.ts";

/** What a hand-off page shows: the claim while it is open, else how it ended. */
export type HandoffScreen =
  /** `askedBy` is the holder's address: masked, unless they let this page show it. */
  { type: "open"; askedBy: string; view: ClaimView } | ({ type: "ended" } & HandoffEnd);

/**
 * The page of a hand-off. `asked` is the read whose evidence is wanted, null for the newest. Throws handoff_not_found.
 */
export async function handoffScreen(
  ctx: Context,
  slug: string,
  asked: string | null,
): Promise<HandoffScreen> {
  const { accountId, claimId, email, showAddress, end } = await resolveHandoff(ctx, slug);
  if (end) return { type: "ended", ...end };
  const view = await claimView(ctx, accountId, claimId, asked);
  // A read may have ended the claim since the slug was followed.
  if (view.claim.state !== "pending") return handoffScreen(ctx, slug, asked);
  return { type: "open", askedBy: showAddress ? email : maskEmail(email), view };
}
