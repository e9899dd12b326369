import type { Damage, Diagnosis, DiagnosisCode, NearMissKind } from "./diagnosis.ts";
import type { Explanation, Paste } from "./explanation.ts";
import { PANELS, type Place, panelHost, panelValue } from "./panels.ts";
import { listed, spokenDate } from "./wording.ts";

type ZoneCode = "not_published" | "negative_cache" | "servfail" | "lame_delegation";
type RecordDiagnosis = Extract<Diagnosis, { code: Exclude<DiagnosisCode, ZoneCode> }>;

const hostPaste = (place: Place): Paste => ({
  field: PANELS[place.provider].host,
  value: panelHost(place),
});
const valuePaste = (place: Place): Paste => ({
  field: PANELS[place.provider].value,
  value: panelValue(place),
});

/** What follows a request to fill a field: some panels want the quotation marks typed. */
const exactly = (place: Place) =>
  PANELS[place.provider].wantsQuotes ? "this, quotation marks included" : "exactly this";

function moveTo(place: Place, cause: string, hint = "set"): Explanation {
  const { title, host } = PANELS[place.provider];
  const typed = panelHost(place);
  const act = hint === "leave" ? `in ${host} leave only` : `set ${host} to`;
  return {
    cause,
    fix: `In ${title}, edit this TXT record and ${act}: ${typed}`,
    pastes: [hostPaste(place)],
  };
}

function replaceValue(place: Place, cause: string): Explanation {
  const { title, value, groupsValues } = PANELS[place.provider];
  const what = groupsValues ? `the line with the token in ${value}` : `all that stands in ${value}`;
  return {
    cause,
    fix: `In ${title}, edit this TXT record and replace ${what} by ${exactly(place)}: ${panelValue(place)}`,
    pastes: [valuePaste(place)],
  };
}

/** The fix where TXT records of others may stay: one more beside them. */
function addBeside(place: Place, cause: string): Explanation {
  const { title, value, groupsValues } = PANELS[place.provider];
  if (!groupsValues) return addRecord(place, cause, "add a second TXT record");
  return {
    cause,
    fix: `In ${title}, edit this TXT record and add to ${value} a line with ${exactly(place)}: ${panelValue(place)}`,
    pastes: [valuePaste(place)],
  };
}

/** The fix of a record that is not there: the one act of adding it, with both of its fields. */
export function addRecord(place: Place, cause: string, act = "add a TXT record"): Explanation {
  const { title, host, value } = PANELS[place.provider];
  return {
    cause,
    fix: `In ${title}, ${act} with ${host} set to ${panelHost(place)} and ${value} set to ${exactly(place)}: ${panelValue(place)}`,
    pastes: [hostPaste(place), valuePaste(place)],
  };
}

const DAMAGE_WORDS: Record<Damage, string> = {
  quoted: "quotation marks or escape characters",
  whitespace: "spaces or line breaks",
  prefix: "text in front of the token",
  suffix: "text behind the token",
  case: "capital letters",
  truncated: "a part of the token missing",
};

const NEAR_MISSES: Record<NearMissKind, (name: string, place: Place) => Explanation> = {
  no_underscore: (name, place) =>
    moveTo(place, `The record stands at ${name}: the underscore in front is missing.`),
  misspelled: (name, place) =>
    moveTo(place, `The record stands at ${name}, which is close to the right name but not it.`),
  host_doubled: (name, place) =>
    moveTo(place, `The record stands at ${name}: the host is in its name twice.`, "leave"),
  parent: (name, place) =>
    moveTo(
      place,
      `The record stands at ${name}, so it speaks for another name than ${place.domain}.`,
    ),
  token_as_host: (name, place) =>
    addRecord(
      place,
      `The token is used as the name of a record, ${name}: name and value have changed places.`,
      "edit this record so that it is a TXT record",
    ),
};

function explainAbsence(
  { answer, nearMiss }: Extract<RecordDiagnosis, { code: "record_absent" }>["observed"],
  place: Place,
): Explanation {
  if (nearMiss) return NEAR_MISSES[nearMiss.kind](nearMiss.name, place);
  const name = `${place.label}.${place.domain}`;
  if (answer.type === "nxdomain") return addRecord(place, `There is no record at ${name}.`);
  return addRecord(
    place,
    answer.types.length > 0
      ? `There is no TXT record at ${name}, only ${listed(answer.types)}.`
      : `There is no TXT record at ${name}.`,
  );
}

/** Words for what is wrong with the record itself: where it stands, what it holds. */
export function explainRecord(diagnosis: RecordDiagnosis, place: Place): Explanation {
  const name = `${place.label}.${place.domain}`;
  switch (diagnosis.code) {
    case "domain_appended":
      return moveTo(
        place,
        `The record stands at ${diagnosis.observed.name}: the panel adds the domain to a name that already ends with it.`,
        "leave",
      );
    case "record_at_apex":
      return moveTo(
        place,
        `The record stands at ${diagnosis.observed.name} itself, and it belongs at ${name}.`,
      );
    case "record_on_www":
      return moveTo(
        place,
        `The record stands at ${diagnosis.observed.name}, under www, and it belongs at ${name}.`,
      );
    case "value_formatted":
      return replaceValue(
        place,
        `The record stands at the right name, but its value has ${listed(diagnosis.observed.damage.map((kind) => DAMAGE_WORDS[kind]))}.`,
      );
    case "expired_token":
      return replaceValue(
        place,
        `The record holds the token of an earlier claim on this name, which ended on ${spokenDate(diagnosis.observed.claimEndedAt)}.`,
      );
    case "foreign_token":
      return addBeside(
        place,
        `The record at ${name} holds the token of another claim, perhaps of another account.`,
      );
    case "no_matching_record":
      return diagnosis.observed.wildcard
        ? addRecord(
            place,
            `A wildcard record answers for every name in the zone, ${name} among them, and it does not hold the token.`,
          )
        : addBeside(place, `There is a TXT record at ${name}, but it does not hold the token.`);
    case "cname_conflict":
      return addRecord(
        place,
        `${name} is an alias (CNAME) of ${diagnosis.observed.target}, and an alias is never followed for a proof.`,
        "replace this alias by a TXT record",
      );
    case "record_absent":
      return explainAbsence(diagnosis.observed, place);
  }
}
