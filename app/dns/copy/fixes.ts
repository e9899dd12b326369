import { parentOf } from "../names.ts";
import type { Explanation, Paste } from "./explanation.ts";
import { PANELS, panelHost, panelValue, type RecordLocation } from "./providers.ts";
import { listed } from "./wording.ts";

export const hostPaste = (place: RecordLocation): Paste => ({
  field: PANELS[place.provider].host,
  value: panelHost(place),
});
export const valuePaste = (place: RecordLocation): Paste => ({
  field: PANELS[place.provider].value,
  value: panelValue(place),
});

/** The full name the record belongs at. */
export const nameOf = ({ label, domain }: RecordLocation) => `${label}.${domain}`;

/** What follows a request to fill a field: some panels want the quotation marks typed. */
export const exactly = (place: RecordLocation) =>
  PANELS[place.provider].wantsQuotes ? "this, quotation marks included" : "exactly this";

/** The fix of a record that is not there: the one act of adding it, with both of its fields. */
export function addRecord(
  place: RecordLocation,
  cause: string,
  act = "add a TXT record",
): Explanation {
  const { title, host, value } = PANELS[place.provider];
  return {
    cause,
    fix: `In ${title}, ${act} with ${host} set to ${panelHost(place)} and ${value} set to ${exactly(place)}: ${panelValue(place)}`,
    pastes: [hostPaste(place), valuePaste(place)],
  };
}

/** One record may hold this value and others: there, changing the record would change the others too. */
const mayHoldOthers = ({ provider }: RecordLocation, others: number): boolean =>
  PANELS[provider].groupsValues ?? others > 0;

/** The fix of the right value at `at`, a wrong name. `others`: values beside it there. */
export function moveTo(
  place: RecordLocation,
  cause: string,
  { at, others = 0, hint = "set" }: { at: string; others?: number; hint?: "set" | "leave" },
): Explanation {
  if (mayHoldOthers(place, others))
    return addRecord(place, cause, `leave what stands at ${at} as it is and add a TXT record`);
  const { title, host } = PANELS[place.provider];
  const act = hint === "leave" ? `in ${host} leave only` : `set ${host} to`;
  return {
    cause,
    fix: `In ${title}, edit this TXT record and ${act}: ${panelHost(place)}`,
    pastes: [hostPaste(place)],
  };
}

/** The fix of a wrong value at the right name. `others`: values beside it there. */
export function replaceValue(place: RecordLocation, cause: string, others = 0): Explanation {
  const { title, value } = PANELS[place.provider];
  const act = mayHoldOthers(place, others)
    ? `leave any other values of ${nameOf(place)} as they are and replace the one with the token in ${value}`
    : `edit this TXT record and replace all that stands in ${value}`;
  return {
    cause,
    fix: `In ${title}, ${act} by ${exactly(place)}: ${panelValue(place)}`,
    pastes: [valuePaste(place)],
  };
}

/** The fix where TXT records of others may stay: one more beside them. */
export function addBeside(place: RecordLocation, cause: string): Explanation {
  const { title, value, groupsValues } = PANELS[place.provider];
  if (groupsValues === false) return addRecord(place, cause, "add a second TXT record");
  if (groupsValues === null)
    return addRecord(
      place,
      cause,
      `keep the TXT values of ${nameOf(place)} and add one more, as a record or as a line of the one there is,`,
    );
  return {
    cause,
    fix: `In ${title}, keep the TXT values of ${nameOf(place)} and add to them in ${value} a line with ${exactly(place)}: ${panelValue(place)}`,
    pastes: [valuePaste(place)],
  };
}

/**
 * The fix under a wildcard. It stops answering for D, and for the names between, as soon as a record stands below
 * them (RFC 4592 section 2.2.2): those need records of their own first.
 */
export function addUnderWildcard(
  place: RecordLocation,
  cause: string,
  wildcard: string,
): Explanation {
  const losing = coveredBy(wildcard, place.domain);
  if (losing.length === 0)
    return addRecord(place, cause, `leave ${wildcard} as it is and add beside it a TXT record`);
  return addRecord(
    place,
    cause,
    `first give ${listed(losing)} the records that ${wildcard} has (it stops answering there once a record stands below), and then add beside the wildcard a TXT record`,
  );
}

/** D and the names between it and the wildcard: none of them has records, or it would not answer for D. */
export function coveredBy(wildcard: string, domain: string): string[] {
  const names: string[] = [];
  const top = parentOf(wildcard);
  for (let name = domain; name !== top && name.endsWith(`.${top}`); name = parentOf(name))
    names.push(name);
  return names;
}
