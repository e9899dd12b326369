import { PANELS, panelHost, panelValue, type RecordLocation } from "#app/dns/copy/providers.ts";

/** The record in the vocabulary of the panel it is entered in. */
export type ProviderLabels = {
  /** Names of the panel's fields. */
  type: string;
  host: string;
  value: string;
  /** What to type into them. */
  hostToType: string;
  valueToType: string;
  /** Where to enter it, and what the panel does with the domain, in a sentence or two. */
  note: string;
};

function noteOf(place: RecordLocation): string {
  const { title, path, appendsDomain, wantsQuotes } = PANELS[place.provider];
  const zone = place.zone ?? place.domain;
  const where =
    path === null ? "Add it where the records of this name are edited." : `In ${title}: ${path}.`;
  const appends =
    appendsDomain === null
      ? `Most panels add .${zone} to the name by themselves; where yours does not, type the whole name.`
      : `It adds .${zone} to the name by itself.`;
  const quotes = wantsQuotes ? " The quotation marks belong to what is typed there." : "";
  return `${where} ${appends}${quotes}`;
}

/** What the panel of the zone's DNS host calls the record's fields, and what to type into them. */
export function providerLabels(place: RecordLocation): ProviderLabels {
  const { type, host, value } = PANELS[place.provider];
  return {
    type,
    host,
    value,
    hostToType: panelHost(place),
    valueToType: panelValue(place),
    note: noteOf(place),
  };
}
