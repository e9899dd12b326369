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
import { apartSentence, capital, dateInWords, joinList, publishingTime } from "./wording.ts";

type ZoneCode = "not_published" | "negative_cache" | "servfail" | "lame_delegation";
export type RecordDiagnosis = Extract<Diagnosis, { code: Exclude<DiagnosisCode, ZoneCode> }>;

/** How the name is wrong, as used after "The record is at ${name}". */
const NEAR_MISS_WORDS: Record<Exclude<NearMissKind, WrongType | "token_as_host">, string> = {
  no_underscore: ", without the underscore in front",
  misspelled: ", which is close to the right name but not the same",
  host_doubled: ", with the first part of the name twice",
  quoted_host: ", with quotation marks as part of the name",
  domain_repeated: ", with part of the domain twice",
  parent: ", which is for another domain",
  zone_apex: ", the top of the zone",
  between: ", which is too far up in the zone",
};
/** Why an alias does not prove the domain. */
const NOT_FOLLOWED = "An alias cannot prove a domain.";
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
        `The value is in an MX record at ${name}, not in a TXT record.`,
        act("change this MX record to a TXT record"),
      );
    case "spf_type":
      return addRecord(
        place,
        `The value is in an SPF record at ${name}, not in a TXT record. The type SPF is obsolete.`,
        act("change this SPF record to a TXT record"),
      );
    case "ns_target":
      return addRecord(
        place,
        `The value is in an NS record at ${name}, not in a TXT record. The NS record delegates this name to another zone.`,
        "delete this NS record and add a TXT record",
      );
    case "token_as_host":
      return addRecord(
        place,
        `Name and value are swapped: there is a record named ${name}.`,
        act("change this record to a TXT record"),
      );
    default: {
      const hint = kind === "host_doubled" || kind === "domain_repeated" ? "leave" : "set";
      const cause = `The record is at ${name}${NEAR_MISS_WORDS[kind]}. It belongs at ${nameOf(place)}.`;
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
      `There is no TXT record at ${name}. The wildcard ${wildcardName} answers there, with ${joinList(types)} only.`,
      wildcardName,
    );
  const what = answer.type === "nxdomain" ? "no record" : "no TXT record";
  const only = types.length > 0 ? `, only ${joinList(types)}` : "";
  if (!delegated)
    return addRecord(place, `There is ${what} at ${name}${only}.${publishingTime(place)}`);
  return addRecord(place, `There is ${what} at ${name}${only}. ${apartSentence(delegated)}`);
}

function explainAlias(
  { target, record }: ObservedByCode["cname_conflict"],
  place: RecordLocation,
): Advice {
  const name = nameOf(place);
  if (target.includes(place.token))
    return addRecord(
      place,
      `The value is the target of a CNAME at ${name}. It must be in a TXT record.`,
      "replace this CNAME record with a TXT record",
    );
  if (!record)
    return addRecord(place, `${name} is answered with an alias of ${target}. ${NOT_FOLLOWED}`);
  if (record.type === "DNAME")
    return addRecord(
      place,
      `A DNAME record at ${record.name} sends every name below it to ${target}. There can be no TXT record at ${name} until it is removed.`,
      `remove the DNAME record at ${record.name}, then add a TXT record`,
    );
  if (record.name === name)
    return addRecord(
      place,
      `${name} is an alias (CNAME) of ${target}. ${NOT_FOLLOWED}`,
      "replace this alias with a TXT record",
    );
  const cause = `The wildcard ${record.name} answers for ${name} with an alias (CNAME) of ${target}. ${NOT_FOLLOWED}`;
  return addUnderWildcard(place, cause, record.name);
}

function explainForeign(observed: ObservedByCode["foreign_token"], place: RecordLocation): Advice {
  const { domain, others } = observed;
  return domain === undefined
    ? addBeside(
        place,
        `The record at ${nameOf(place)} has the value of another claim, perhaps from another account.`,
      )
    : replaceValue(
        place,
        `The record at ${nameOf(place)} has the value for ${domain}, another of your domains.`,
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
        `${capital(PANELS[place.provider].title)} added the domain to what you typed, so the record is at ${diagnosis.observed.name}.`,
        "leave",
      );
    case "record_at_apex":
    case "record_on_www": {
      const where = diagnosis.code === "record_on_www" ? ", under www" : " itself";
      return moveFrom(
        diagnosis.observed,
        place,
        `The record is at ${diagnosis.observed.name}${where}. It belongs at ${name}.`,
      );
    }
    case "value_formatted":
      return explainValue(diagnosis.observed, place);
    case "expired_token": {
      const { claimEndedAt, others } = diagnosis.observed;
      return replaceValue(
        place,
        `The record has the value of your earlier claim, which ended on ${dateInWords(claimEndedAt)}. This claim has a new one.`,
        others,
      );
    }
    case "foreign_token":
      return explainForeign(diagnosis.observed, place);
    case "no_matching_record": {
      const { wildcard, wildcardName } = diagnosis.observed;
      if (!wildcard)
        return addBeside(place, `There is a TXT record at ${name}, but with another value.`);
      const cause = `The wildcard ${wildcardName ?? "of the zone"} answers for ${name}, with another value.`;
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
