import {
  BELOW_WILDCARD,
  CHECKED,
  type DiagnosisTexts,
  type DigNames,
  EXAMPLE_LOCATION,
  OTHER_TOKEN,
  txt,
} from "../diagnosis-text.ts";
import { differenceInText } from "../difference.ts";
import { addAnother, addRecord, momentInWords, nameOf, replaceValue } from "../wording.ts";

const ADDED: readonly string[] = ["quoted", "whitespace", "prefix", "suffix"];

const compare = ({ name, otherToken }: DigNames) => [
  txt(name, [otherToken], "Compare this value with the one on your claim’s page."),
];

const isEmpty = (values: readonly string[]) => values.join("").trim() === "";

export const WRONG_VALUE: DiagnosisTexts<
  "value_formatted" | "expired_token" | "foreign_token" | "no_matching_record"
> = {
  value_formatted: {
    title: "The value is not exact",
    meaning:
      "The name is right and the value has this claim’s token, but with quotation marks, spaces, other text, changed letter case, or a part missing. `pieces` is the number of records that it is split into. The value must be exactly the token.",
    example: {
      awaits: "claimant",
      observed: { value: `TXT="${EXAMPLE_LOCATION.token}"`, damage: ["quoted", "prefix"] },
    },
    happened:
      "The record is in the right place, but its value is not exactly yours. Something was added, changed or cut off, such as quotation marks, a space or a word in front.",
    steps: [
      "Copy the value again with its Copy button.",
      "Replace the whole value of the record, as below. Deed accepts only the exact value.",
      CHECKED,
    ],
    dig({ name, token }) {
      const means =
        "dig puts one pair of quotation marks around every value. Here there is a second pair, with backslashes: it is part of the value. Inside one pair, the value must be the one on your claim’s page.";
      return [txt(name, [`"${token}"`], means)];
    },
    closer: {
      "The value has extra quotation marks": ({ damage }) => damage.join() === "quoted",
      "The value has extra characters": ({ damage }) => damage.every((one) => ADDED.includes(one)),
    },
    explain({ observed: { value, damage, pieces, others } }, place) {
      if (pieces !== undefined) {
        const cause = `The value is split into ${pieces} TXT records at ${nameOf(place)}. It must be in one.`;
        const keep = others ? ", keep the other values," : "";
        return addRecord(place, cause, `remove the pieces${keep} and add one TXT record`);
      }
      const isOnlyCase = damage.join() === "case";
      const exact = `is not exact: ${differenceInText(value, place.token)}.`;
      const what = isOnlyCase ? "has capital letters. It must be in small letters." : exact;
      return replaceValue(place, `The name is right, but the value ${what}`, others);
    },
  },
  expired_token: {
    title: "The value is from an earlier claim",
    meaning:
      "Every claim has a new token. This token belongs to an ended claim of this account on this domain.",
    example: {
      awaits: "claimant",
      observed: { value: OTHER_TOKEN, claimEndedAt: "2026-03-12T14:03:22.000Z" },
    },
    happened:
      "The record still has the value of an earlier claim of yours. Every claim has a new value; the old value ended with its claim.",
    steps: [
      "If that claim was proved, keep its record and add one more with the value on your open claim’s page. Otherwise replace the value.",
      CHECKED,
    ],
    dig: compare,
    explain({ observed: { claimEndedAt, proved, others } }, place) {
      const date = momentInWords(claimEndedAt);
      const end = proved ? `was proved on ${date}. That proof may need it` : `ended on ${date}`;
      const cause = `The record has the value of your earlier claim, which ${end}. This claim has a new value.`;
      return proved ? addAnother(place, cause) : replaceValue(place, cause, others);
    },
  },
  foreign_token: {
    title: "The value is from another claim",
    closer: {
      "The value is for another of your domains": ({ domain }) => domain,
      "The value may be another account’s": ({ domain }) => !domain,
    },
    meaning:
      "The record has a token of this service, but not one for this domain and this account. If the token is for another domain of this account, `domain` names it. Several records can exist side by side: each claim looks for its own.",
    example: { awaits: "claimant", observed: { value: OTHER_TOKEN } },
    happened:
      "The value comes from this service, but not from your claim for this domain. It may belong to another domain of yours, or to somebody else who proves this domain too.",
    steps: [
      "If you put it there, replace the value with the one on your claim’s page.",
      "If you did not, leave it and add yours as one more record. Both can exist at once.",
      CHECKED,
    ],
    dig: compare,
    explain({ observed: { domain, others } }, place) {
      const start = `The record at ${nameOf(place)} has the value`;
      if (domain === undefined)
        return addAnother(place, `${start} of another claim, perhaps from another account.`);
      return replaceValue(place, `${start} for ${domain}, another of your domains.`, others);
    },
  },
  no_matching_record: {
    title: "Your value is not there",
    meaning:
      "There are TXT records at the challenge name, and none has a token. `wildcard` is true if a wildcard record of the zone, `wildcardName`, answers there.",
    example: { awaits: "claimant", observed: { values: ["v=spf1 -all"], wildcard: false } },
    happened:
      "There are TXT records at the name, but none has your claim’s value. Sometimes nobody put them there: a wildcard record (*) answers for every name that has no record of its own.",
    steps: [
      "Add the record, as below. A record at this exact name takes precedence over the wildcard, which can stay.",
      BELOW_WILDCARD,
      CHECKED,
    ],
    dig: ({ name, domain }) => [
      txt(name, ["v=spf1 -all"], "There is a TXT record, but its value is not the one asked for."),
      txt(
        `no-such-name.${domain}`,
        ["v=spf1 -all"],
        "If a name that nobody created gives the same answer, a wildcard record (*) answers for every name.",
      ),
    ],
    closer: {
      "A wildcard answers for this name": ({ wildcard }) => wildcard,
      "The value is empty": ({ values }) => isEmpty(values),
    },
    explain({ observed: { values, wildcard, wildcardName } }, place) {
      const name = nameOf(place);
      const isName = (value: string) => [place.label, name, `${name}.`].includes(value);
      if (!wildcard && values.some(isName)) {
        const cause = `The record at ${name} has its own name as its value.`;
        return replaceValue(place, cause, values.length - 1);
      }
      if (!wildcard && isEmpty(values))
        return replaceValue(place, `The TXT record at ${name} is empty: it has no value.`);
      if (!wildcard)
        return addAnother(place, `There is a TXT record at ${name}, but with another value.`);
      const cause = `The wildcard ${wildcardName ?? "of the zone"} answers for ${name}, with another value.`;
      return addRecord(place, cause);
    },
  },
};
