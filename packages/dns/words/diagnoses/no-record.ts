import type { DiagnosisOf } from "../../verdict/diagnosis.ts";
import type { NearMissKind } from "../../verdict/observation.ts";
import { explainParked, PARKED_TITLES } from "../delegator.ts";
import {
  BELOW_WILDCARD,
  CHECKED,
  type DiagnosisTexts,
  EXAMPLE_LOCATION,
  status,
  txt,
} from "../diagnosis-text.ts";
import { differenceInText, oddCharacters } from "../difference.ts";
import { PANELS, type RecordLocation } from "../providers.ts";
import { addMissing, addRecord, joinList, moveFrom, nameOf, recordOf } from "../wording.ts";

const { label, domain } = EXAMPLE_LOCATION;

type NearMiss = NonNullable<DiagnosisOf<"record_absent">["observed"]["nearMiss"]>;
type WrongType = "mx_target" | "spf_type" | "ns_target";

/** What is wrong with the name, to follow "The record is at ${name}", and the hint for moveFrom. */
const NEAR_MISS_WORDS: Record<
  Exclude<NearMissKind, WrongType | "token_as_host" | "misspelled" | "alias_target">,
  [how: string, hint?: "leave" | "keep"]
> = {
  no_underscore: [", without the underscore in front"],
  host_doubled: [", with the first part of the name twice", "leave"],
  quoted_host: [", with quotation marks as part of the name"],
  domain_repeated: [", with part of the domain twice", "leave"],
  domain_doubled: [", which is the domain twice, with nothing in front"],
  www_in_front: [", with www in front"],
  asterisk: [", with * in front", "leave"],
  labels_swapped: [", with the parts of the name in another order"],
  dot_typed: [", with the dot that was typed as part of the name", "leave"],
  mail_policy: [", where the email policy (DMARC) belongs, which must stay", "keep"],
  parent: [", where the record of another domain belongs", "keep"],
  zone_apex: [", the top of the zone", "keep"],
  between: [", which is too high in the zone", "keep"],
};
const notFollowedNote = ({ isGeneric }: RecordLocation) =>
  isGeneric ? "The value is not there." : "A CNAME cannot prove a domain.";

/** The type of the wrong record, and what to add about it. */
const WRONG_TYPES: Record<WrongType, [type: string, more: string]> = {
  mx_target: ["MX", ""],
  spf_type: ["SPF", " The type SPF is obsolete."],
  ns_target: ["NS", " The NS record delegates this name to another zone."],
};

function misspelling(name: string, place: RecordLocation): string {
  const { domain } = place;
  const host = name.endsWith(`.${domain}`) ? name.slice(0, -domain.length - 1) : name;
  const oddChars = oddCharacters(host.replace(/^(.*\.)?xn--.*/, "\u2011"));
  return oddChars.length > 0
    ? `, with ${joinList(oddChars)} in it`
    : `, which is not the exact name: ${differenceInText(name, nameOf(place))}`;
}

function explainNearMiss({ kind, name, value, others }: NearMiss, place: RecordLocation) {
  // A record with one value can change its type; if a record has many values, a new record is added instead.
  const { groupsValues } = PANELS[place.provider];
  const changeAct = (what: string) =>
    groupsValues ? undefined : `change ${what} to a ${recordOf(place)}`;
  switch (kind) {
    case "mx_target":
    case "spf_type":
    case "ns_target": {
      const [type, more] = WRONG_TYPES[kind];
      const cause = `The value is in an ${type} record at ${name}, not in a ${recordOf(place)}.${more}`;
      const replace = `delete this NS record and add a ${recordOf(place)}`;
      return addRecord(place, cause, type === "NS" ? replace : changeAct(`this ${type} record`));
    }
    case "token_as_host": {
      const cause = `Name and value are swapped: there is a record named ${name}.`;
      return addRecord(place, cause, changeAct("this record"));
    }
    case "alias_target": {
      const cause = `${place.domain} is a CNAME, and the record is at its target, ${name}.`;
      return addRecord(place, `${cause} It belongs at ${nameOf(place)}. The CNAME can stay.`);
    }
    default: {
      // A misspelt host may be in use.
      const [how, hint] =
        kind === "misspelled"
          ? [misspelling(name, place), /^[a-z0-9.-]+$/.test(name) ? ("keep" as const) : undefined]
          : NEAR_MISS_WORDS[kind];
      const cause = `The record is at ${name}${how}`;
      return moveFrom({ name, value, others }, place, cause, hint);
    }
  }
}

export const NO_RECORD: DiagnosisTexts<"cname_conflict" | "record_absent"> = {
  cname_conflict: {
    title: "A CNAME is in the way",
    meaning:
      "The challenge name is a CNAME, and a CNAME cannot prove a domain. `record` is what the zone has: a CNAME at the name itself, which allows no other record there; a wildcard CNAME, beside which the record can be added; or a DNAME above it, which allows no records below it.",
    example: {
      awaits: "claimant",
      observed: {
        target: "parked.example",
        record: { type: "CNAME", name: `${label}.${domain}` },
      },
    },
    happened:
      "The name is a CNAME for another name. A name that is a CNAME can have no other record, so the TXT record cannot be there.",
    steps: [
      "Delete the CNAME at this name if nothing needs it. If it is a wildcard (*), keep it: the TXT record goes beside it.",
      "Add the TXT record.",
      BELOW_WILDCARD,
      CHECKED,
    ],
    dig({ name }) {
      const means = "The name is a CNAME for this one, so it has no TXT record of its own.";
      return [{ ask: `+short CNAME ${name}`, answer: ["www.hosting.example."], means }];
    },
    explain({ observed: { target, record } }, place) {
      const name = nameOf(place);
      const note = notFollowedNote(place);
      if (target.includes(place.token)) {
        const cause = `The value is the target of a CNAME at ${name}. It must be in a TXT record.`;
        return addRecord(place, cause, "replace this CNAME record with a TXT record");
      }
      if (record?.type === "DNAME") {
        const cause = `A DNAME record at ${record.name} sends every name below it to ${target}. While it is there, no ${recordOf(place)} can exist at ${name}.`;
        const act = `give each name below ${record.name} its own records instead, then add a ${recordOf(place)}`;
        return addRecord(place, cause, act);
      }
      if (record?.name === name) {
        const cause = `${name} is a CNAME for ${target}. ${note}`;
        return addRecord(place, cause, "replace this CNAME with a TXT record");
      }
      const by = record ? `The wildcard ${record.name} answers` : "The nameservers answer";
      return addRecord(place, `${by} for ${name} with a CNAME to ${target}. ${note}`);
    },
  },
  record_absent: {
    title: "No record yet",
    meaning:
      "The zone’s nameservers have no TXT record at the challenge name. `answer` says whether the name does not exist or has other records. `nearMiss` is a wrong name nearby, or another type of record, where the token was found. `wildcardName` is the wildcard that answers there. `delegated` is present if the record may have been saved in the parent zone instead, `parked` if the nameservers do not belong to a DNS host.",
    example: {
      awaits: "claimant",
      observed: {
        answer: { type: "nxdomain" },
        nearMiss: { kind: "no_underscore", name: `${label.slice(1)}.${domain}` },
      },
    },
    happened:
      "The nameservers answer, and they have no TXT record at this name. It has not been saved yet, or was saved under another name, as another type, or in another account or domain.",
    steps: [
      "Look in the panel: is the record in the list, with type TXT and exactly the Name below?",
      "Is it the panel of the company that runs the domain’s nameservers? Records in other panels have no effect.",
      CHECKED,
    ],
    dig({ label, domain, name, token }) {
      const missing =
        "No record of any type has this name. NOERROR would mean that there are records of other types.";
      const mistake = "A common mistake: the record is here, without the underscore.";
      const bareName = `${label.replace(/^_/, "")}.${domain}`;
      return [status(name, "NXDOMAIN", missing), txt(bareName, [token], mistake)];
    },
    closer: {
      "The record has the wrong type": ({ nearMiss }) => nearMiss && nearMiss.kind in WRONG_TYPES,
      "Name and value are swapped": ({ nearMiss }) => nearMiss?.kind === "token_as_host",
      "The record is on the wrong name": ({ nearMiss }) => nearMiss,
      ...PARKED_TITLES,
    },
    explain({ observed }, place) {
      const { answer, nearMiss, wildcardName } = observed;
      if (nearMiss) return explainNearMiss(nearMiss, place);
      if (observed.parked) return explainParked(observed.parked, place);
      const types = answer.type === "nodata" ? joinList(answer.types) : "";
      const wildcardText = wildcardName ? ` The wildcard ${wildcardName} answers there` : "";
      const typesSentence =
        types &&
        `${wildcardText ? `${wildcardText}, but only with` : " It has only"} records of type ${types}.`;
      const cause = `There is no ${recordOf(place)} at ${nameOf(place)}.${typesSentence}`;
      return addMissing(place, cause, observed);
    },
  },
};
