import { ownedName } from "../../names.ts";
import type { Diagnosis } from "../../verdict/diagnosis.ts";
import type { Evidence } from "../../verdict/observation.ts";
import type { Nearest, RecordCode } from "../../verdict/record.ts";
import { differenceInText } from "../difference.ts";
import { PANELS, panelValue, type RecordLocation } from "../providers.ts";
import { type Advice, addAnother, addRecord, joinList, nameOf, replaceValue } from "../wording.ts";
import { explain, headlineOf } from "./diagnoses.ts";

/** Where the last alias leads, and what is wrong there. */
export type AliasEnd = {
  target: string;
  problem: "missing" | "elsewhere" | "loop" | "too_many" | "odd";
  place: RecordLocation;
};

export type RecordFacts = {
  code: RecordCode;
  diagnosis: Diagnosis | null;
  seen: Pick<Evidence, "instead" | "target" | "byResolvers">;
  nearest: Nearest | null;
  others: number;
  vendor: string | null;
  aliasEnd: AliasEnd | null;
};

const HEADLINES: Partial<Record<RecordCode, string>> = {
  alias_elsewhere: "The value is not where the CNAME leads",
  wrong_type: "The record has the wrong type",
  flattened: "The CNAME is flattened",
  proxied: "A proxy answers in the record’s place",
  no_matching_record: "The record has another value",
};

/** A code's own words for `cause` and `fix`; without such words, those of a claim's diagnosis. */
export function recordWords(facts: RecordFacts, place: RecordLocation) {
  const { code, diagnosis } = facts;
  const words = WORDS[code]?.(facts, place) ?? (diagnosis && explain(diagnosis as never, place));
  // If the name is a broken zone, that zone must be repaired or removed first.
  const isBroken = code === "lame_delegation" || code === "servfail";
  const isApex = !isBroken && place.type === "CNAME" && nameOf(place) === place.zone;
  const advice =
    words && isApex && diagnosis?.awaits === "claimant" ? apexAdvice(facts, words, place) : words;
  const headline = diagnosis?.code === code ? headlineOf(diagnosis) : "The value is not exact";
  return advice && { pastes: [], ...advice, headline: HEADLINES[code] ?? headline };
}

/** A zone's own name has SOA and NS records, and a CNAME allows no others beside it (RFC 1034 section 3.6.2). */
function apexAdvice({ code }: RecordFacts, { cause }: Advice, place: RecordLocation): Advice {
  const name = nameOf(place);
  const why = `${name} is the name of a zone, which can have no CNAME.`;
  return {
    cause: code === "flattened" ? `${cause} ${why}` : why,
    fix: `Ask whoever wants the CNAME whether A or AAAA records will do, or use a name below ${name}.`,
  };
}

type Explain = (facts: RecordFacts, place: RecordLocation) => Advice | null;
const WORDS: Partial<Record<RecordCode, Explain>> = {
  value_formatted({ nearest, others, diagnosis }, location) {
    if (!nearest || (diagnosis && "pieces" in diagnosis.observed)) return null;
    const { value, wanted } = nearest;
    const place = { ...location, token: wanted };
    if (hasOtherText(value, place.token)) {
      const cause = `The value is inside a record at ${nameOf(place)} with other text, which must stay.`;
      const act = `take only the value out of the record at ${nameOf(place)} and add a TXT record`;
      return addRecord(place, cause, act);
    }
    const isAppended = place.type === "CNAME" && value.startsWith(`${place.token}.`);
    const why = isAppended ? " The panel adds the domain unless the target ends with a dot." : "";
    const what = differenceInText(value, place.token);
    const cause = `The name is right, but the value is not exact: ${what}.${why}`;
    return replaceValue(place, cause, others);
  },
  no_matching_record({ diagnosis, nearest, others, vendor, seen: { target } }, place) {
    if (diagnosis?.code !== "no_matching_record" || diagnosis.observed.wildcard) return null;
    const name = nameOf(place);
    const [firstValue = ""] = diagnosis.observed.values;
    const missingNote = target?.exists === false ? ", which does not exist" : "";
    const otherTarget = `${name} is a CNAME for ${firstValue}${missingNote}, not for ${place.token}.`;
    if (place.type === "CNAME") return replaceValue(place, otherTarget);
    if (nearest?.how === "only_one") return onlyOne(nearest, others, place);
    const more = others > 0 ? `, and ${others} other ${others === 1 ? "value" : "values"}` : "";
    if (nearest)
      return addAnother(
        { ...place, token: nearest.wanted },
        `${name} has another code of ${vendor ?? "the same kind"}, which may be another account’s${more}.`,
      );
    const otherValues = `${name} has ${others} TXT values, but not this one.`;
    return others > 1 ? addAnother(place, otherValues) : null;
  },
  negative_cache: ({ diagnosis, seen }, place) =>
    diagnosis && seen.byResolvers
      ? {
          ...explain(diagnosis as never, place),
          cause: "Some public resolvers have the record, and others still have an older answer.",
        }
      : null,
  alias_elsewhere({ aliasEnd }, place) {
    if (!aliasEnd) return null;
    const { target, problem, place: location } = aliasEnd;
    const start = `${nameOf(place)} is a CNAME`;
    const replaceAct = "replace this CNAME with a TXT record";
    if (problem === "loop")
      return addRecord(place, `${start} that leads back to itself.`, replaceAct);
    if (problem === "odd") {
      const cause = `${start} that leads to ${target}, which is not the name of a host.`;
      return addRecord(place, cause, replaceAct);
    }
    if (problem === "too_many")
      return {
        cause: `${start} that leads through more than four other CNAMEs. Verifiers do not follow that many.`,
        fix: `In ${PANELS[place.provider].title}, point the CNAME at ${nameOf(place)} directly to the name with the record.`,
      };
    const clause = problem === "missing" ? "which does not exist" : "where the value is not";
    const cause = `${start}, so its TXT is read at ${target}, ${clause}.`;
    if (ownedName(target) === ownedName(place.domain)) return addRecord(location, cause);
    if (problem === "missing") return addRecord(place, cause, replaceAct);
    const zoneName = location.zone ?? ownedName(target);
    const fix = `Ask whoever runs ${zoneName} to add a TXT record at ${target} with this value: ${place.token}`;
    return { cause, fix };
  },
  wrong_type({ seen: { instead = [] } }, place) {
    const name = nameOf(place);
    const isTyped = instead.some(
      ({ type, data }) =>
        type === "TXT" && data.some((one) => one.toLowerCase().includes(place.token)),
    );
    if (isTyped) {
      const cause = `The target is in a TXT record at ${name}. It must be in a CNAME record.`;
      return addRecord(place, cause, "change this record to a CNAME record");
    }
    const types = joinList(instead.map(({ type }) => type));
    const cause = `${name} has records of type ${types}, and a CNAME cannot exist beside other records.`;
    const act = `delete the ${types} records at ${name} that are no longer needed, and then add`;
    return { cause, fix: inPanel(place, act) };
  },
  flattened(_, place) {
    const name = nameOf(place);
    const cause = `${name} has the addresses of ${place.token} instead of a CNAME: it is flattened. Visitors still reach the right server, but a check for the CNAME finds none.`;
    return addRecord(place, cause, "replace the A (or ANAME) records with a CNAME record");
  },
  proxied({ seen: { instead = [] } }, place) {
    const addresses = joinList(instead.flatMap(({ type, data }) => (type === "A" ? data : [])));
    const name = nameOf(place);
    return {
      cause: `${name} has addresses of its own (${addresses}), not those of ${place.token}: an A record, or a proxy in front of the CNAME.`,
      fix: inPanel(place, `turn off the proxy for ${name}, or replace its A records with`),
    };
  },
};

/** An SPF record must be extended: replacing it, or having two, harms mail. */
function onlyOne({ wanted }: Nearest, others: number, location: RecordLocation): Advice {
  const place = { ...location, token: wanted };
  const name = nameOf(place);
  const cause = (kind: string) => `${name} already has another ${kind}, and can have only one.`;
  if (!/^v=spf1/i.test(wanted)) return replaceValue(place, cause("record of this kind"), others);
  const fix = `add what is missing to the SPF record at ${name}, so that it includes all of this: ${wanted}`;
  return { cause: cause("SPF record"), fix: `In ${PANELS[place.provider].title}, ${fix}` };
}

const inPanel = (place: RecordLocation, act: string): string => {
  const { title, value } = PANELS[place.provider];
  return `In ${title}, ${act} a CNAME record with this ${value}: ${panelValue(place)}`;
};

/** Whether a value with the token also has text that something needs, as in an SPF record. */
const hasOtherText = (value: string, token: string): boolean =>
  value.includes(token) && /[\w-]+[=:][^\s"'=]/.test(value.replace(token, '"'));
