import {
  PANELS,
  panelHost,
  panelUrl,
  panelValue,
  type RecordLocation,
} from "@deed/dns/words/providers.ts";

/** The record in the vocabulary of the panel it is entered in. */
export type ProviderLabels = {
  /** Names of the panel's fields. */
  type: string;
  host: string;
  value: string;
  /** What to type into them. */
  hostToType: string;
  valueToType: string;
  /** The provider's everyday name; null if unknown. */
  provider: string | null;
  /** Address of its record editor; null if unknown. */
  url: string | null;
  /** Path of the page that shows the way to its record editor. */
  guide: string;
  /** The domain whose DNS holds the record. */
  zone: string;
  /** What to know about the name field if it is unknown what the panel adds to it; null otherwise. */
  hostHint: string | null;
  /** Where to enter it, and what the panel does with the domain, in a sentence or two. */
  note: string;
};

/** What the panel of the zone's DNS host calls the record's fields, and what to type into them. */
export function providerLabels(place: RecordLocation): ProviderLabels {
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
    // "Squarespace (formerly Google Domains)" is known as Squarespace.
    provider: path === null ? null : title.replace(/ \(.*\)$/, ""),
    url: panelUrl(place),
    guide: `/docs/providers/${place.provider}`,
    zone,
    hostHint:
      appendsDomain === null ? `If your panel does not add .${zone}, type the whole name.` : null,
    note: `${where} ${appends}${wantsQuotes ? " Type the quotation marks too." : ""}`,
  };
}
