import { isRunByOthers, joined, parentOf, registeredName } from "../names.ts";
import type { DelegatedZone, FailedNameserver } from "../verdict/diagnosis.ts";
import { corruptionOf } from "../verdict/near-misses.ts";
import { differenceInText } from "./difference.ts";
import { FAILURE_WORDS } from "./failures.ts";
import {
  PANELS,
  panelHost,
  panelValue,
  providerName,
  type RecordLocation,
  wantsQuotes,
} from "./providers.ts";

const LIST = new Intl.ListFormat("en-GB");

/** Writes "a, b and c". Names at most four items, fewer if they are long, and counts the others. */
export function joinList(items: readonly string[]): string {
  const isShort = (count: number) => items.slice(0, count).join(", ").length <= 180;
  const shown = items.slice(0, [4, 3, 2].find(isShort) ?? 1);
  const hiddenCount = items.length - shown.length;
  return LIST.format(hiddenCount > 0 ? [...shown, `${hiddenCount} more`] : shown);
}

const LONG_DATE = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", dateStyle: "long" });

/** Writes "12 March 2026", in UTC. */
export const dateInWords = (iso: string): string => LONG_DATE.format(new Date(iso));

/** Writes "12 March 2026 at 14:03 UTC". */
export const momentInWords = (iso: string) => `${dateInWords(iso)} at ${iso.slice(11, 16)} UTC`;

export const counted = (count: number, unit: string) =>
  `${count.toLocaleString("en")} ${unit}${count === 1 ? "" : "s"}`;

/** Rounds up and writes "40 seconds", "4 minutes", "1 hour" or "3 days". */
export function durationInWords(seconds: number): string {
  if (seconds <= 0) return "a moment";
  if (seconds < 60) return counted(Math.ceil(seconds), "second");
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 120) return minutes === 60 ? "1 hour" : counted(minutes, "minute");
  const hours = Math.ceil(seconds / 3600);
  return hours < 48 ? counted(hours, "hour") : counted(Math.ceil(seconds / 86_400), "day");
}

export const zoneOf = ({ zone, domain }: RecordLocation): string => zone ?? domain;

/** Whom to ask about the zone, to follow "Ask ". */
export const operatorOf = ({ provider, domain, zone }: RecordLocation): string =>
  zone !== null && isRunByOthers(zone, domain)
    ? `the company that runs ${zone}`
    : PANELS[provider].operator;

/** A sentence to add, with a space in front. Empty unless the provider is so slow that a user would wonder. */
function publishingTime({ provider }: RecordLocation): string {
  const { publishingMinutes, operator } = PANELS[provider];
  if ((publishingMinutes ?? 0) < 5) return "";
  return ` ${operator} can take up to ${publishingMinutes} minutes to publish a saved record.`;
}

export const capital = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

const zoneSentence = ({ zone, parent, nameservers }: DelegatedZone): string =>
  `${servingClause(nameservers, zone)} as a separate zone, so a record in the zone ${parent} does not count.`;

export const servingClause = (nameservers: readonly string[], zone: string): string =>
  `${joinList(nameservers)} ${nameservers.length === 1 ? "serves" : "serve"} ${zone}`;

const isUnregistered = ({ reason }: FailedNameserver) => reason === "unregistered";

const failureOf = (one: FailedNameserver): string =>
  isUnregistered(one)
    ? `${one.host} is in ${registeredName(one.host)}, which nobody has registered`
    : `${one.host} ${FAILURE_WORDS[one.result]}`;

/** Names those that are silent together: "a, b and 1 more do not answer". */
export function describeFailures(nameservers: readonly FailedNameserver[]): string {
  const isSilent = (one: FailedNameserver) => one.result === "timeout" && !isUnregistered(one);
  const silent = nameservers.filter(isSilent).map(({ host }) => host);
  if (silent.length < 2) return joinList(nameservers.map(failureOf));
  const others = nameservers.filter((one) => !isSilent(one)).map(failureOf);
  return joinList([`${joinList(silent)} do not answer`, ...others]);
}

export type Paste = { field: string; value: string };

/** `cause` says what is published and why it does not prove the claim; `fix` is a single instruction. */
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

export const nameOf = ({ label, domain }: Pick<RecordLocation, "label" | "domain">) =>
  joined(label, domain);

/** What to fill the value field with: "this Value", in quotation marks if the panel needs them. */
export const thisValue = (place: RecordLocation): string =>
  `this ${PANELS[place.provider].value}${wantsQuotes(place) ? " in quotation marks" : ""}`;

export const recordOf = ({ type = "TXT" }: RecordLocation): string => `${type} record`;

/** Gives an instruction for the panel, which ends with the last value to paste. */
function advise(place: RecordLocation, cause: string, act: string, ...pastes: Paste[]): Advice {
  const fix = `In ${PANELS[place.provider].title}, ${act}: ${pastes.at(-1)?.value}`;
  return { cause, fix, pastes };
}

export function addRecord(place: RecordLocation, cause: string, act = `add a ${recordOf(place)}`) {
  const host = hostPaste(place);
  const instruction = `${act} with ${host.field} ${host.value} and ${thisValue(place)}`;
  return advise(place, cause, instruction, host, valuePaste(place));
}

/** Whether the record may have other values too, which an edit would change as well. */
const mayHaveOthers = ({ provider, type }: RecordLocation, others: number): boolean =>
  type !== "CNAME" && (PANELS[provider].groupsValues ?? others > 0);

/**
 * Says to move a record, but only if it is the token alone: moving other text (SPF) may stop mail. `where` is a
 * clause. "keep" means that the name may need the same record itself, unless it is a claim's.
 */
export function moveFrom(
  { name, value, others = 0 }: { name: string; value?: string; others?: number },
  place: RecordLocation,
  where: string,
  hint: "set" | "leave" | "keep" = "set",
): Advice {
  const belongsSentence = `It belongs at ${nameOf(place)}.`;
  const hasOwnUse = place.isGeneric && hint === "keep";
  const keepAndAdd = `leave the record at ${name} and add a ${recordOf(place)}`;
  if (value !== undefined && value !== place.token) {
    if (hasOwnUse) return addRecord(place, `${where}. ${belongsSentence}`, keepAndAdd);
    const damage = corruptionOf(value, place.token) ?? [];
    const add = `at ${name} and add a ${recordOf(place)}`;
    if (damage.includes("prefix") || damage.includes("suffix")) {
      const cause = `${where}, inside a record with other text, which must stay. ${belongsSentence}`;
      return addRecord(place, cause, `take the value out of the record ${add}`);
    }
    const cause = `${where}, and its value is not exact: ${differenceInText(value, place.token)}.`;
    return addRecord(place, cause, `delete the wrong value ${add}`);
  }
  const cause = `${where}. ${belongsSentence}`;
  if (hasOwnUse || mayHaveOthers(place, others)) return addRecord(place, cause, keepAndAdd);
  const host = hostPaste(place);
  const act = hint === "leave" ? `leave only this in ${host.field}` : `change ${host.field} to`;
  return advise(place, cause, `edit the record and ${act}`, host);
}

export function replaceValue(place: RecordLocation, cause: string, others = 0): Advice {
  const value = valuePaste(place);
  const act = mayHaveOthers(place, others)
    ? `keep the other values of ${nameOf(place)} and replace the wrong one with ${thisValue(place)}`
    : `edit the record and change ${value.field} to`;
  return advise(place, cause, act, value);
}

export function addAnother(place: RecordLocation, cause: string): Advice {
  const { groupsValues } = PANELS[place.provider];
  if (groupsValues === false) return addRecord(place, cause, "add a second TXT record");
  const keep = `keep the TXT values of ${nameOf(place)} and add`;
  return groupsValues === null
    ? addRecord(place, cause, `${keep} another`)
    : advise(place, cause, `${keep} a line with ${thisValue(place)}`, valuePaste(place));
}

/** Says to give names their own records first, as a wildcard stops answering above a record (RFC 4592, 2.2.2). */
export function keepWildcardNames(
  advice: Advice,
  place: RecordLocation,
  { name, types }: { name: string; types: readonly string[] },
): Advice {
  const lostNames = namesUnderWildcard(name, place.domain);
  if (lostNames.length === 0)
    return types.length === 0 || types.some((type) => type === "TXT" || type === "CNAME")
      ? addRecord(place, advice.cause, `keep ${name} as it is and add a ${recordOf(place)}`)
      : advice;
  const records = `${types.length > 0 ? `${types.join("/")} ` : ""}records of ${name}`;
  const lostText = joinList(lostNames);
  const cause = `${advice.cause} Once a record exists below ${lostText}, ${name} stops answering there.`;
  return addRecord(place, cause, `give ${lostText} the ${records}, then add a ${recordOf(place)}`);
}

/** Says where to add a missing record. In a private registry's zone, such as uk.com, only its operator can add one. */
export function addMissing(
  place: RecordLocation,
  cause: string,
  { delegated, nameservers = [] }: { delegated?: DelegatedZone; nameservers?: string[] },
): Advice {
  const { domain, zone } = place;
  if (zone !== null && isRunByOthers(zone, domain))
    return {
      cause: `${cause} The names below ${zone} belong to different people, and ${domain} has no nameservers of its own.`,
      fix: `Ask the company that runs ${zone} to delegate ${domain} to your nameservers, or to add the ${recordOf(place)} for you.`,
    };
  const them = nameservers.length === 1 ? "it" : "them";
  const serving = servingClause(nameservers, zoneOf(place));
  const servedNote =
    nameservers.length > 0 && providerName(place.provider) === null
      ? ` ${serving}: add the record at the company that runs ${them}.`
      : "";
  const why = delegated ? ` ${zoneSentence(delegated)}` : `${servedNote}${publishingTime(place)}`;
  return addRecord(place, `${cause}${why}`);
}

/** The domain, the names up to the wildcard, and all below each. None has records, or the wildcard would not answer. */
function namesUnderWildcard(wildcard: string, domain: string): string[] {
  const names: string[] = [];
  const top = parentOf(wildcard);
  for (let name = domain; name !== top && name.endsWith(`.${top}`); name = parentOf(name))
    names.push(name, `*.${name}`);
  return names;
}
