import { applyUrl, isOfTemplate } from "../connect/apply-url.ts";
import type { Context } from "../context.server.ts";
import { recordLocationOf } from "./record-location.server.ts";

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
