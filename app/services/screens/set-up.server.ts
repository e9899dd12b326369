import { applyUrl, isOfTemplate } from "../connect/apply-url.ts";
import type { Context } from "../context.server.ts";
import { recordLocationOf } from "./record-location.server.ts";

/** Why a set-up at the DNS provider came to nothing, by the page's parameter `set-up`. */
const PROBLEMS: ReadonlyMap<string | null, string> = new Map([
  ["refused", "The DNS provider added nothing. Try again there, or add the record yourself."],
  ["not-possible", "The DNS provider cannot set this up now. Add the record yourself."],
]);

/** What the page says after a set-up that came to nothing; null if `outcome` is not of one. */
export const setUpProblem = (outcome: string | null): string | null =>
  PROBLEMS.get(outcome) ?? null;

/**
 * The signed URL at which the zone's provider asks to add the record of an open claim, and then sends the browser to
 * `returnTo` with `state`. Null if the provider cannot, or not for this claim. Throws claim_not_found.
 */
export async function setUpUrl(
  ctx: Context,
  accountId: string,
  claimId: string,
  trip: { returnTo: string; state: string },
): Promise<string | null> {
  const { place, isOpen } = await recordLocationOf(ctx, accountId, claimId);
  const { connect, ...settings } = ctx.settings;
  if (!isOpen || place.zone === null || !connect || !isOfTemplate(place, settings)) return null;
  const { apply } = await ctx.offers.settled(place.zone, accountId);
  return apply && applyUrl(apply, place, { ...settings, connect }, trip);
}
