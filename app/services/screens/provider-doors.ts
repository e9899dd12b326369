import { panelUrl, type RecordLocation } from "#app/dns/copy/providers.ts";
import { isOfTemplate } from "../connect/apply-url.ts";
import type { ProviderOffer } from "../connect/discovery.server.ts";
import { isSameSite } from "../connect/provider-settings.ts";
import type { Settings } from "../context.server.ts";
import { providerLabels } from "./provider-labels.ts";

/** Ways from a claim into the panel of its zone's provider, each null if there is none. `at`: whom they lead to. */
export type ProviderDoors = {
  /** The page where its records are edited. */
  panel: { at: string; url: string } | null;
  /** The provider can add the record itself, once its customer agrees there. */
  setUp: { at: string } | null;
};

/**
 * The provider's own address of the zone, if it gives one, or else the one in our table. The everyday name of a provider
 * stands only for addresses of its site in that table; any other address goes by its host, which cannot lie.
 */
export function providerDoors(
  place: RecordLocation,
  offer: ProviderOffer,
  settings: Pick<Settings, "challengeLabel" | "tokenPrefix" | "connect">,
): ProviderDoors {
  const known = panelUrl(place);
  const { provider } = providerLabels(place);
  const nameOf = (url: string) =>
    provider !== null && known !== null && isSameSite(url, known) ? provider : new URL(url).host;
  const url = offer.controlPanel ?? known;
  const apply = settings.connect && isOfTemplate(place, settings) ? offer.apply : null;
  return {
    panel: url === null ? null : { at: nameOf(url), url },
    setUp: apply === null ? null : { at: nameOf(apply) },
  };
}
