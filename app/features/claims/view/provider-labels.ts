import {
  PANELS,
  panelHost,
  panelUrl,
  panelValue,
  type RecordLocation,
} from "@deed/dns/words/providers.ts";

export type ProviderLabels = ReturnType<typeof providerLabels>;

export function providerLabels(place: RecordLocation) {
  const { type, host, value, title, path, appendsDomain, wantsQuotes } = PANELS[place.provider];
  const zone = place.zone ?? place.domain;
  const where =
    path === null ? `Add it where the DNS of ${zone} is managed.` : `In ${title}: ${path}.`;
  const appends =
    appendsDomain === null
      ? `Most panels add .${zone} to the name. If yours does not, type the whole name.`
      : `It adds .${zone} to the name.`;
  return {
    type,
    host,
    value,
    hostToType: panelHost(place),
    valueToType: panelValue(place),
    // The everyday name, null if unknown: "Squarespace (formerly Google Domains)" is known as Squarespace.
    provider: path === null ? null : title.replace(/ \(.*\)$/, ""),
    url: panelUrl(place),
    guide: `/docs/providers/${place.provider}`,
    zone,
    /** Null if it is known what the panel adds to the name. */
    hostHint:
      appendsDomain === null ? `If your panel does not add .${zone}, type the whole name.` : null,
    note: `${where} ${appends}${wantsQuotes ? " Type the quotation marks too." : ""}`,
  };
}
