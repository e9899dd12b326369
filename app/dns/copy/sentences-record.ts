import type {
  Diagnosis,
  DiagnosisCode,
  NearMissKind,
  ObservedByCode,
} from "../verdict/diagnosis.ts";
import {
  type Advice,
  addBeside,
  addRecord,
  addUnderWildcard,
  moveFrom,
  nameOf,
  replaceValue,
} from "./fixes.ts";
import { PANELS, type RecordLocation } from "./providers.ts";
import { explainValue } from "./sentences-value.ts";
import { dateInWords, joinList, publishingTime, servingClause } from "./wording.ts";

type ZoneCode = "not_published" | "negative_cache" | "servfail" | "lame_delegation";
export type RecordDiagnosis = Extract<Diagnosis, { code: Exclude<DiagnosisCode, ZoneCode> }>;

/** How the name is wrong, as used after "The record stands at ${name}". */
export const NEAR_MISS_WORDS: Record<Exclude<NearMissKind, WrongType | "token_as_host">, string> = {
  no_underscore: ": the underscore in front is missing",
  misspelled: ", which is close to the right name but not it",
  host_doubled: ": the host is in its name twice",
  quoted_host: ": the quotation marks have become part of its name",
  domain_repeated: ": a part of the domain is in its name twice",
  parent: ", which speaks for another name",
  zone_apex: ", the name of the whole zone",
  between: ", a name above the right one",
};
type WrongType = "mx_target" | "spf_type" | "ns_target";

function explainNearMiss(
  { kind, name, others }: NonNullable<ObservedByCode["record_absent"]["nearMiss"]>,
  place: RecordLocation,
): Advice {
  // A record with a single value can change its type; where a record holds many values, a new one is added instead.
  const act = (edit: string) => (PANELS[place.provider].groupsValues ? undefined : edit);
  switch (kind) {
    case "mx_target":
      return addRecord(
        place,
        `The token stands at ${name}, but as the mail server of an MX record.`,
        act("change this MX record into a TXT record"),
      );
    case "spf_type":
      return addRecord(
        place,
        `The token stands at ${name}, but in a record of the type SPF, which nobody reads any more.`,
        act("change this SPF record into a TXT record"),
      );
    case "ns_target":
      return addRecord(
        place,
        `The token stands at ${name}, but as the nameserver of an NS record, which hands the name to another zone.`,
        "delete this NS record and add a TXT record",
      );
    case "token_as_host":
      return addRecord(
        place,
        `The token is used as the name of a record, ${name}: name and value have changed places.`,
        act("edit this record so that it is a TXT record"),
      );
    default: {
      const hint = kind === "host_doubled" || kind === "domain_repeated" ? "leave" : "set";
      const cause = `The record stands at ${name}${NEAR_MISS_WORDS[kind]}. It belongs at ${nameOf(place)}.`;
      return moveFrom({ name, others }, place, cause, hint);
    }
  }
}

function explainAbsence(observed: ObservedByCode["record_absent"], place: RecordLocation): Advice {
  const { answer, nearMiss, wildcardName, delegated } = observed;
  if (nearMiss) return explainNearMiss(nearMiss, place);
  const name = nameOf(place);
  const types = answer.type === "nodata" ? answer.types : [];
  if (wildcardName !== undefined)
    return addUnderWildcard(
      place,
      `There is no TXT record at ${name}: the wildcard ${wildcardName} answers there, and it has only ${joinList(types)}.`,
      wildcardName,
    );
  const what = answer.type === "nxdomain" ? "no record" : "no TXT record";
  const only = types.length > 0 ? `, only ${joinList(types)}` : "";
  if (!delegated)
    return addRecord(place, `There is ${what} at ${name}${only}${publishingTime(place)}.`);
  const { zone, parent, nameservers } = delegated;
  return addRecord(
    place,
    `There is ${what} at ${name}${only}. ${servingClause(nameservers, zone)} as a zone of its own, so a record saved in the zone ${parent} does not count.`,
  );
}

function explainAlias(
  { target, record }: ObservedByCode["cname_conflict"],
  place: RecordLocation,
): Advice {
  const name = nameOf(place);
  if (target.includes(place.token))
    return addRecord(
      place,
      `The token stands at ${name}, but as the target of an alias (CNAME).`,
      "replace this CNAME record by a TXT record",
    );
  if (!record)
    return addRecord(
      place,
      `${name} is answered with an alias of ${target}, and an alias is never followed for a proof.`,
    );
  if (record.type === "DNAME")
    return addRecord(
      place,
      `A DNAME record at ${record.name} sends every name below it to ${target}: until it goes, no TXT record can stand at ${name}.`,
      `remove the DNAME record at ${record.name} and then add a TXT record`,
    );
  if (record.name === name)
    return addRecord(
      place,
      `${name} is an alias (CNAME) of ${target}, and an alias is never followed for a proof.`,
      "replace this alias by a TXT record",
    );
  const cause = `The wildcard ${record.name} answers for ${name} with an alias (CNAME) of ${target}, and an alias is never followed for a proof.`;
  return addUnderWildcard(place, cause, record.name);
}

function explainForeign(observed: ObservedByCode["foreign_token"], place: RecordLocation): Advice {
  const { domain, others } = observed;
  return domain === undefined
    ? addBeside(
        place,
        `The record at ${nameOf(place)} holds the token of another claim, perhaps of another account.`,
      )
    : replaceValue(
        place,
        `The record at ${nameOf(place)} holds the token of your claim on ${domain}, another of your domains.`,
        others,
      );
}

/** Explains what is wrong with the record itself: its name or its value. */
export function explainRecord(diagnosis: RecordDiagnosis, place: RecordLocation): Advice {
  const name = nameOf(place);
  switch (diagnosis.code) {
    case "domain_appended":
      return moveFrom(
        diagnosis.observed,
        place,
        `The record stands at ${diagnosis.observed.name}: the panel adds the domain to a name that already ends with it.`,
        "leave",
      );
    case "record_at_apex":
    case "record_on_www": {
      const where = diagnosis.code === "record_on_www" ? ", under www" : " itself";
      return moveFrom(
        diagnosis.observed,
        place,
        `The record stands at ${diagnosis.observed.name}${where}, and it belongs at ${name}.`,
      );
    }
    case "value_formatted":
      return explainValue(diagnosis.observed, place);
    case "expired_token": {
      const { claimEndedAt, others } = diagnosis.observed;
      return replaceValue(
        place,
        `The record holds the token of an earlier claim on this name, which ended on ${dateInWords(claimEndedAt)}.`,
        others,
      );
    }
    case "foreign_token":
      return explainForeign(diagnosis.observed, place);
    case "no_matching_record": {
      const { wildcard, wildcardName } = diagnosis.observed;
      if (!wildcard)
        return addBeside(
          place,
          `There is a TXT record at ${name}, but it does not hold the token.`,
        );
      const cause = `The wildcard ${wildcardName ?? "of the zone"} answers for ${name}, and it does not hold the token.`;
      return wildcardName === undefined
        ? addRecord(place, cause)
        : addUnderWildcard(place, cause, wildcardName);
    }
    case "cname_conflict":
      return explainAlias(diagnosis.observed, place);
    case "record_absent":
      return explainAbsence(diagnosis.observed, place);
  }
}
