import { heldName } from "../../names.ts";
import type { Diagnosis } from "../../verdict/diagnosis.ts";
import type { Evidence } from "../../verdict/observation.ts";
import type { Nearest, RecordCode } from "../../verdict/record.ts";
import { differenceInText } from "../difference.ts";
import { PANELS, panelValue, type RecordLocation } from "../providers.ts";
import {
  type Advice,
  addBeside,
  addRecord,
  joinList,
  nameOf,
  recordOf,
  replaceValue,
} from "../wording.ts";
import { explain, headlineOf } from "./diagnoses.ts";

/** What is known of a record that is not in place. `leads`: where the last alias leads, and what is wrong there. */
export type RecordFacts = {
  code: RecordCode;
  diagnosis: Diagnosis | null;
  seen: Pick<Evidence, "instead" | "target">;
  nearest: Nearest | null;
  others: number;
  vendor: string | null;
  leads: {
    target: string;
    how: "missing" | "elsewhere" | "loop" | "too_many";
    place: RecordLocation;
  } | null;
};

export type RecordWords = Required<Advice> & { headline: string };

const HEADLINES: Partial<Record<RecordCode, string>> = {
  alias_elsewhere: "The value is not where the CNAME leads",
  wrong_type: "The record has the wrong type",
  flattened: "The CNAME is flattened",
  proxied: "Other addresses are in its place",
  no_matching_record: "The record has another value",
};

/** `cause` and `fix` as a claim's diagnosis has them, where a record's own words do not say more. */
export function recordWords(facts: RecordFacts, place: RecordLocation): RecordWords | null {
  const { code, diagnosis } = facts;
  const advice = OWN[code]?.(facts, place) ?? (diagnosis && explain(diagnosis as never, place));
  if (!advice) return null;
  const headline = HEADLINES[code] ?? (diagnosis ? headlineOf(diagnosis) : "");
  return { pastes: [], ...advice, headline };
}

const OWN: Partial<
  Record<RecordCode, (facts: RecordFacts, place: RecordLocation) => Advice | null>
> = {
  value_formatted: ({ nearest, others, diagnosis }, place) => {
    if (!nearest || (diagnosis && "pieces" in diagnosis.observed)) return null;
    const { value } = nearest;
    const name = nameOf(place);
    if (hasOtherText(value, place.token))
      return addRecord(
        place,
        `The value is inside a record at ${name} with other text, which must stay.`,
        `take only the value out of the record at ${name} and add a ${recordOf(place)}`,
      );
    const appended = place.type === "CNAME" && value.startsWith(`${place.token}.`);
    const why = appended
      ? " The panel added the domain: a dot at the end of the target keeps it off."
      : "";
    return replaceValue(
      place,
      `The name is right, but the value is not exact: ${differenceInText(value, place.token)}.${why}`,
      others,
    );
  },
  no_matching_record: ({ diagnosis, nearest, others, vendor, seen }, place) => {
    if (diagnosis?.code !== "no_matching_record" || diagnosis.observed.wildcard) return null;
    const name = nameOf(place);
    const [first = ""] = diagnosis.observed.values;
    if (place.type === "CNAME") {
      const gone = seen.target?.exists === false ? ", which does not exist" : "";
      return replaceValue(
        place,
        `${name} is a CNAME of ${first}${gone}, and not of ${place.token}.`,
      );
    }
    if (nearest)
      return addBeside(
        place,
        `${name} has another code of ${vendor ?? "the same kind"}, which may be another account's${others > 0 ? `, and ${others} other ${others === 1 ? "value" : "values"}` : ""}.`,
      );
    return others > 1
      ? addBeside(place, `${name} has ${others} TXT values, and none is this one.`)
      : null;
  },
  alias_elsewhere: ({ leads }, place) => {
    if (!leads) return null;
    const { target, how, place: there } = leads;
    const { title } = PANELS[place.provider];
    const start = `${nameOf(place)} is an alias (CNAME)`;
    if (how === "loop")
      return addRecord(
        place,
        `${start} that leads back to itself.`,
        "replace this alias with a TXT record",
      );
    if (how === "too_many")
      return {
        cause: `${start} that leads through more than four others, which verifiers do not follow.`,
        fix: `In ${title}, point the alias at ${nameOf(place)} to the name with the record, without aliases between.`,
      };
    const cause = `${start}, so its TXT is read at ${target}${how === "missing" ? ", which does not exist" : ", where the value is not"}.`;
    if (heldName(target) === heldName(place.domain)) return addRecord(there, cause);
    if (how === "missing") return addRecord(place, cause, "replace this alias with a TXT record");
    return {
      cause,
      fix: `Ask whoever runs ${there.zone ?? heldName(target)} to add a TXT record at ${target} with this value: ${place.token}`,
    };
  },
  wrong_type: ({ seen }, place) => {
    const name = nameOf(place);
    const instead = seen.instead ?? [];
    const types = instead.map(({ type }) => type);
    const isTyped = instead.some(
      ({ type, data }) =>
        type === "TXT" && data.some((one) => one.replace(/[.\s"]+$/, "").includes(place.token)),
    );
    if (isTyped)
      return addRecord(
        place,
        `The target is in a TXT record at ${name}. It must be in a CNAME record.`,
        "change this record to a CNAME record",
      );
    const { title } = PANELS[place.provider];
    return {
      cause: `${name} has records of type ${joinList(types)}, and no CNAME can be beside others.`,
      fix: `In ${title}, delete the ${joinList(types)} records at ${name} that are no longer needed, and then add a CNAME record with this ${PANELS[place.provider].value}: ${panelValue(place)}`,
    };
  },
  flattened: (_, place) =>
    addRecord(
      place,
      `${nameOf(place)} has the addresses of ${place.token} in place of a CNAME: an alias that is flattened. Visitors arrive, but who looks for the CNAME finds none.`,
      "replace it with a CNAME record",
    ),
  proxied: ({ seen }, place) => {
    const own = (seen.instead ?? []).flatMap(({ type, data }) => (type === "A" ? data : []));
    const { title } = PANELS[place.provider];
    return {
      cause: `${nameOf(place)} has addresses of its own (${joinList(own)}), not those of ${place.token}: an A record, or a proxy in front of the CNAME.`,
      fix: `In ${title}, turn off the proxy for ${nameOf(place)}, or change its A record to a CNAME record with this ${PANELS[place.provider].value}: ${panelValue(place)}`,
    };
  },
};

/** Whether a value that has the token has other text that something needs, as an SPF record has. */
const hasOtherText = (value: string, token: string): boolean =>
  value.includes(token) && /[\w-]+[=:][^\s"'=]/.test(value.replace(token, '"'));
