import type { Diagnosis, ObservedByCode } from "../verdict/diagnosis.ts";
import {
  type Explanation,
  hostPaste,
  nameOf,
  namesUnderWildcard,
  type Paste,
  pasteWording,
  valuePaste,
} from "./fixes.ts";
import { PANELS, panelHost, panelValue, type RecordLocation } from "./providers.ts";
import { explain } from "./sentences.ts";
import { NEAR_MISS_WORDS } from "./sentences-record.ts";
import { corruptionWords } from "./sentences-value.ts";
import { dateInWords, joinList } from "./wording.ts";

const SAVED = "Saved like this, the record would";

/** `fill`: what to type into which fields of the panel. */
const typeIn = ({ provider }: RecordLocation, cause: string, fill: string, pastes: Paste[]) => ({
  cause,
  fix: `In ${PANELS[provider].title}, set ${fill}`,
  pastes,
});

function typeHost(place: RecordLocation, cause: string): Explanation {
  const { host } = PANELS[place.provider];
  return typeIn(place, cause, `${host} to: ${panelHost(place)}`, [hostPaste(place)]);
}

function typeValue(place: RecordLocation, cause: string): Explanation {
  const { value } = PANELS[place.provider];
  const fill = `${value} to ${pasteWording(place)}: ${panelValue(place)}`;
  return typeIn(place, cause, fill, [valuePaste(place)]);
}

function typeBoth(place: RecordLocation, cause: string): Explanation {
  const { host, type, value } = PANELS[place.provider];
  const fill = `${type} to TXT, ${host} to ${panelHost(place)} and ${value} to ${pasteWording(place)}: ${panelValue(place)}`;
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
            `Saved like this, there would be no TXT record at ${name}, only ${joinList(answer.types)}.`,
          )
        : typeBoth(
            place,
            `${SAVED} stand at ${at ?? "another name"}, and there would be none at ${name}.`,
          );
    case "mx_target":
    case "spf_type":
    case "ns_target":
      return typeBoth(place, `${SAVED} hold the token, but not be a TXT record.`);
    case "token_as_host":
      return typeBoth(
        place,
        `Saved like this, the token would be the name of a record, ${nearMiss?.name}: name and value have changed places.`,
      );
    default:
      return typeHost(
        place,
        `${SAVED} stand at ${nearMiss?.name}${nearMiss ? NEAR_MISS_WORDS[nearMiss.kind] : ""}.`,
      );
  }
}

/** `cause` and `fix` for a record that is not saved yet. `at`: the name it would have. */
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
        `${SAVED} stand at ${diagnosis.observed.name}: the panel would add the domain to a name that already ends with it.`,
      );
    case "record_at_apex":
    case "record_on_www": {
      const where = diagnosis.code === "record_on_www" ? ", under www" : " itself";
      return typeHost(
        place,
        `${SAVED} stand at ${diagnosis.observed.name}${where}, and it belongs at ${name}.`,
      );
    }
    case "value_formatted": {
      const { value, damage } = diagnosis.observed;
      const words = corruptionWords(value, damage, place.token);
      return typeValue(place, `Saved like this, the value would have ${joinList(words)}.`);
    }
    case "expired_token":
      return typeValue(
        place,
        `${SAVED} hold the token of an earlier claim on this name, which ended on ${dateInWords(diagnosis.observed.claimEndedAt)}.`,
      );
    case "foreign_token": {
      const { domain } = diagnosis.observed;
      const whose =
        domain === undefined
          ? "another claim, perhaps of another account"
          : `your claim on ${domain}, another of your domains`;
      return typeValue(place, `${SAVED} hold the token of ${whose}.`);
    }
    case "no_matching_record":
      return typeValue(place, `${SAVED} not hold the token.`);
    case "cname_conflict":
      return typeBoth(
        place,
        `Saved like this, ${name} would be an alias of ${diagnosis.observed.target}, and an alias is never followed for a proof.`,
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
  return `The wildcard ${wildcard} answers for ${losing} today. It would stop as soon as this record stands below, and the website or mail there would go dark: first give ${losing} the records that ${wildcard} has.`;
}

/** The warning if it is not known whether a wildcard answers for D. */
export const unknownWildcardWarning = ({ domain }: RecordLocation): string =>
  `Whether a wildcard answers for ${domain} today could not be read just now. If one does, first give ${domain} the records it has: it would stop answering there as soon as this record stands below.`;
