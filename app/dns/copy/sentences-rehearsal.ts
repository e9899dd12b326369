import type { Diagnosis, ObservedByCode } from "../verdict/diagnosis.ts";
import {
  type Explanation,
  hostPaste,
  nameOf,
  namesUnderWildcard,
  type Paste,
  valuePaste,
} from "./fixes.ts";
import { PANELS, panelHost, panelValue, type RecordLocation } from "./providers.ts";
import { explain } from "./sentences.ts";
import { NEAR_MISS_WORDS, NOT_FOLLOWED } from "./sentences-record.ts";
import { corruptionWords } from "./sentences-value.ts";
import { dateInWords, joinList } from "./wording.ts";

const IF_SAVED = "If you save this,";
const RECORD = `${IF_SAVED} the record will`;

const WRONG_TYPE_WORDS = { mx_target: "an MX", spf_type: "an SPF", ns_target: "an NS" } as const;

/** `fill`: what to type into which fields of the panel. */
const typeIn = ({ provider }: RecordLocation, cause: string, fill: string, pastes: Paste[]) => ({
  cause,
  fix: `In ${PANELS[provider].title}, set ${fill}`,
  pastes,
});

function valueFill(place: RecordLocation): string {
  const { value, wantsQuotes } = PANELS[place.provider];
  return `${value} to${wantsQuotes ? " this, with the quotation marks" : ""}: ${panelValue(place)}`;
}

function typeHost(place: RecordLocation, cause: string): Explanation {
  const { host } = PANELS[place.provider];
  return typeIn(place, cause, `${host} to: ${panelHost(place)}`, [hostPaste(place)]);
}

function typeValue(place: RecordLocation, cause: string): Explanation {
  return typeIn(place, cause, valueFill(place), [valuePaste(place)]);
}

function typeBoth(place: RecordLocation, cause: string): Explanation {
  const { host, type } = PANELS[place.provider];
  const fill = `${type} to TXT, ${host} to ${panelHost(place)} and ${valueFill(place)}`;
  return typeIn(place, cause, fill, [hostPaste(place), valuePaste(place)]);
}

function rehearsedAbsence(
  { answer, nearMiss }: ObservedByCode["record_absent"],
  place: RecordLocation,
  at: string | null,
): Explanation {
  const name = nameOf(place);
  switch (nearMiss?.kind) {
    case undefined:
      return answer.type === "nodata" && answer.types.length > 0
        ? typeBoth(
            place,
            `${IF_SAVED} there will be no TXT record at ${name}, only ${joinList(answer.types)}.`,
          )
        : typeBoth(place, `${RECORD} be at ${at ?? "another name"}, not at ${name}.`);
    case "mx_target":
    case "spf_type":
    case "ns_target":
      return typeBoth(
        place,
        `${IF_SAVED} the value will be in ${WRONG_TYPE_WORDS[nearMiss.kind]} record, not in a TXT record.`,
      );
    case "token_as_host":
      return typeBoth(
        place,
        `${IF_SAVED} name and value will be swapped: there will be a record named ${nearMiss?.name}.`,
      );
    default:
      return typeHost(
        place,
        `${RECORD} be at ${nearMiss?.name}${nearMiss ? NEAR_MISS_WORDS[nearMiss.kind] : ""}.`,
      );
  }
}

/** `cause` and `fix` for a record that is not saved yet, so what it would do is said as a condition. `at`: the name it would have. */
export function explainRehearsed(
  diagnosis: Diagnosis,
  place: RecordLocation,
  at: string | null,
): Explanation {
  const name = nameOf(place);
  switch (diagnosis.code) {
    case "domain_appended":
      return typeHost(
        place,
        `${IF_SAVED} ${PANELS[place.provider].title} will add the domain to the name, and the record will be at ${diagnosis.observed.name}.`,
      );
    case "record_at_apex":
    case "record_on_www": {
      const where = diagnosis.code === "record_on_www" ? ", under www" : " itself";
      return typeHost(
        place,
        `${RECORD} be at ${diagnosis.observed.name}${where}. It belongs at ${name}.`,
      );
    }
    case "value_formatted": {
      const { value, damage } = diagnosis.observed;
      const words = corruptionWords(value, damage, place.token);
      return typeValue(place, `${IF_SAVED} the value will have ${joinList(words)}.`);
    }
    case "expired_token":
      return typeValue(
        place,
        `${RECORD} have the value of your earlier claim, which ended on ${dateInWords(diagnosis.observed.claimEndedAt)}.`,
      );
    case "foreign_token": {
      const { domain } = diagnosis.observed;
      const whose =
        domain === undefined
          ? "of another claim, perhaps from another account"
          : `for ${domain}, another of your domains`;
      return typeValue(place, `${RECORD} have the value ${whose}.`);
    }
    case "no_matching_record":
      return typeValue(
        place,
        `${IF_SAVED} there will be a TXT record at ${name}, but with another value.`,
      );
    case "cname_conflict":
      return typeBoth(
        place,
        `${IF_SAVED} ${name} will be an alias of ${diagnosis.observed.target}. ${NOT_FOLLOWED}`,
      );
    case "record_absent":
      return rehearsedAbsence(diagnosis.observed, place, at);
    default:
      // Only a zone can yield these; no panel input does.
      return explain(diagnosis, place);
  }
}

/** Warns that the record would stop the wildcard, which answers for D today because D has no records. */
export function wildcardWarning(wildcard: string, { domain }: RecordLocation): string {
  const losing = joinList(namesUnderWildcard(wildcard, domain));
  return `The wildcard ${wildcard} answers for ${losing} today. It will stop as soon as this record exists below, and so will any website or mail there. First give ${losing} the same records as ${wildcard}.`;
}

/** The warning if it is not known whether a wildcard answers for D. */
export const unknownWildcardWarning = ({ domain }: RecordLocation): string =>
  `Deed could not check whether a wildcard answers for ${domain}. If one does, first give ${domain} the same records: the wildcard will stop answering there as soon as this record exists below.`;
