import { parentOf } from "../names.ts";
import { PANELS, panelHost, panelValue, type RecordLocation } from "./providers.ts";
import { joinList } from "./wording.ts";

/** A value to paste, and the label of the panel field it goes into. */
export type Paste = { field: string; value: string };

/** `cause` says what is published and why it does not prove the claim; `fix` gives a single instruction. */
export type Advice = { cause: string; fix: string; pastes?: Paste[] };
export type Explanation = Required<Advice>;

const hostPaste = (place: RecordLocation): Paste => ({
  field: PANELS[place.provider].host,
  value: panelHost(place),
});
const valuePaste = (place: RecordLocation): Paste => ({
  field: PANELS[place.provider].value,
  value: panelValue(place),
});

/** The full name of the challenge record. */
export const nameOf = ({ label, domain }: Pick<RecordLocation, "label" | "domain">) =>
  `${label}.${domain}`;

/** What to fill the value field with: "this Value"; some panels want quotation marks typed. */
export function thisValue({ provider }: RecordLocation): string {
  const { value, wantsQuotes } = PANELS[provider];
  return `this ${value}${wantsQuotes ? ", with the quotation marks" : ""}`;
}

/** Fix for a missing record: add it, with both of its fields. */
export function addRecord(place: RecordLocation, cause: string, act = "add a TXT record"): Advice {
  const { title, host } = PANELS[place.provider];
  return {
    cause,
    fix: `In ${title}, ${act} with ${host} ${panelHost(place)} and ${thisValue(place)}: ${panelValue(place)}`,
    pastes: [hostPaste(place), valuePaste(place)],
  };
}

/** Whether the record may hold other values too, in which case editing it would change those as well. */
const mayHoldOthers = ({ provider }: RecordLocation, others: number): boolean =>
  PANELS[provider].groupsValues ?? others > 0;

/** Fix for the right value at a wrong name. `others`: number of other values there. */
export function moveFrom(
  { name, others = 0 }: { name: string; others?: number },
  place: RecordLocation,
  cause: string,
  hint: "set" | "leave" = "set",
): Advice {
  if (mayHoldOthers(place, others))
    return addRecord(place, cause, `keep the record at ${name} as it is and add a TXT record`);
  const { title, host } = PANELS[place.provider];
  const act = hint === "leave" ? `leave only this in ${host}` : `change ${host} to`;
  return {
    cause,
    fix: `In ${title}, edit the record and ${act}: ${panelHost(place)}`,
    pastes: [hostPaste(place)],
  };
}

/** Fix for a wrong value at the right name. `others`: number of other values there. */
export function replaceValue(place: RecordLocation, cause: string, others = 0): Advice {
  const act = mayHoldOthers(place, others)
    ? `keep the other values of ${nameOf(place)} and replace the wrong one with`
    : "edit the record so that it has only";
  return {
    cause,
    fix: `In ${PANELS[place.provider].title}, ${act} ${thisValue(place)}: ${panelValue(place)}`,
    pastes: [valuePaste(place)],
  };
}

/** Fix that adds a record beside TXT records that may stay. */
export function addBeside(place: RecordLocation, cause: string): Advice {
  const { title, groupsValues } = PANELS[place.provider];
  if (groupsValues === false) return addRecord(place, cause, "add a second TXT record");
  if (groupsValues === null)
    return addRecord(
      place,
      cause,
      `keep the TXT values of ${nameOf(place)} and add one more (as a new record or a new line)`,
    );
  return {
    cause,
    fix: `In ${title}, keep the TXT values of ${nameOf(place)} and add a line with ${thisValue(place)}: ${panelValue(place)}`,
    pastes: [valuePaste(place)],
  };
}

/** The wildcard stops answering for names above a record (RFC 4592 section 2.2.2), so they need their own records first. */
export function addUnderWildcard(place: RecordLocation, cause: string, wildcard: string): Advice {
  const losing = namesUnderWildcard(wildcard, place.domain);
  if (losing.length === 0)
    return addRecord(place, cause, `keep ${wildcard} as it is and add a TXT record`);
  return addRecord(
    place,
    cause,
    `first give ${joinList(losing)} the same records as ${wildcard} (which stops answering there once a record exists below), then add a TXT record`,
  );
}

/** D and the names between it and the wildcard. None of them has records, or the wildcard would not answer for D. */
function namesUnderWildcard(wildcard: string, domain: string): string[] {
  const names: string[] = [];
  const top = parentOf(wildcard);
  for (let name = domain; name !== top && name.endsWith(`.${top}`); name = parentOf(name))
    names.push(name);
  return names;
}
