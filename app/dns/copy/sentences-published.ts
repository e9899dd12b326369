import type {
  Diagnosis,
  FailedNameserver,
  OtherAnswer,
  Publication,
  StuckCopy,
} from "../verdict/diagnosis.ts";
import { type Advice, addRecord, addUnderWildcard } from "./fixes.ts";
import type { RecordLocation } from "./providers.ts";
import {
  apartSentence,
  describeFailures,
  joinList,
  operatorOf,
  publishingTime,
  servingClause,
  zoneOf,
} from "./wording.ts";

type NotPublished = Extract<Diagnosis, { code: "not_published" }>;
type Observed = NotPublished["observed"];

const without = (nameservers: readonly string[], noAnswer: readonly FailedNameserver[]) =>
  `${joinList(nameservers)} still ${nameservers.length === 1 ? "does" : "do"} not have it${noAnswer.length > 0 ? `, and ${describeFailures(noAnswer)}` : ""}`;

/** One sentence that names the nameservers being waited for: those that lag, or those that do not answer. */
export function awaitedSentence({ nameservers, publishedOn, noAnswer = [] }: Publication): string {
  const where = `The record is on ${joinList(publishedOn)}`;
  if (nameservers.length > 0) return `${where}, but ${without(nameservers, noAnswer)}.`;
  if (noAnswer.length === 0) return `${where}, but a nameserver of a zone above does not answer.`;
  return noAnswer.length > publishedOn.length
    ? `${where}, but fewer than half of the nameservers answer: ${describeFailures(noAnswer)}.`
    : `${where}, but ${describeFailures(noAnswer)}.`;
}

const ANSWER_WORDS: Record<OtherAnswer["answer"]["type"], string> = {
  nxdomain: "no such name",
  nodata: "no TXT record",
  alias: "an alias",
  values: "another value",
};

/** Resolvers get another answer that no cache can explain. */
function explainResolvers(
  resolvers: readonly OtherAnswer[],
  publishedOn: readonly string[],
  place: RecordLocation,
): Advice {
  const zone = zoneOf(place);
  const kinds = [...new Set(resolvers.map(({ answer }) => answer.type))];
  const getting = (kind: OtherAnswer["answer"]["type"]) =>
    joinList(resolvers.filter(({ answer }) => answer.type === kind).map(({ name }) => name));
  const got = kinds.map((kind) => `${getting(kind)}: ${ANSWER_WORDS[kind]}`).join("; ");
  const cause = `Every nameserver of ${zone} that answers gives Deed the record, but public resolvers get another answer (${got}). It cannot be an old one they have cached`;
  const other = [...new Set(resolvers.flatMap(({ nameservers = [] }) => nameservers))];
  if (resolvers.every(({ nameservers }) => nameservers !== undefined))
    return {
      cause: `${cause}: ${other.length > 0 ? `they ask ${joinList(other)}` : "they find no nameserver for it"}.`,
      fix: `Ask ${operatorOf(place)} to list ${joinList(publishedOn)} in the NS records of ${zone}.`,
    };
  return {
    cause: `${cause}.`,
    fix: `Ask ${operatorOf(place)} to serve the record to everyone, in every view of ${zone} (split horizon, geo DNS).`,
  };
}

/** The record was not seen anywhere. Diagnoses stored before `unchanged` existed say no more than that. */
function explainUnsaved(
  { serial, unchanged, wildcardName, delegated }: Observed,
  place: RecordLocation,
): Advice {
  const zone = zoneOf(place);
  const cause = unchanged
    ? `The zone ${zone} has not changed since the first check (its serial is still ${serial}), so the record is not saved or not published yet.${publishingTime(place)}`
    : `The record is not saved or not published yet.${publishingTime(place)}`;
  if (wildcardName !== undefined) return addUnderWildcard(place, cause, wildcardName);
  const apart = delegated ? ` ${apartSentence(delegated)}` : "";
  return addRecord(place, `${cause}${apart}`, "add and save a TXT record");
}

/** `parent`: the zone that delegates this one; undefined if a registry does. */
function explainUnlisted(
  { nameservers, publishedOn }: Observed,
  zone: string,
  parent: string | undefined,
): Advice {
  const delegator = parent === undefined ? "the registry" : `the zone ${parent}`;
  const added = publishedOn.join(", ");
  return {
    cause: `The record is on ${joinList(publishedOn)}, but ${servingClause(nameservers, zone)}. Only the nameservers that ${delegator} lists count.`,
    fix:
      parent === undefined
        ? `At the registrar of ${zone}, add to the domain's nameservers: ${added}`
        : `In the DNS panel of the zone ${parent}, add to the NS records of ${zone}: ${added}`,
    pastes: publishedOn.map((value) => ({ field: "Nameserver", value })),
  };
}

/** The zone's own NS RRset and its delegation have no name in common. */
function explainListed(
  { nameservers, publishedOn }: Observed,
  place: RecordLocation,
  parent = "",
): Advice {
  const zone = zoneOf(place);
  const delegator = parent === "" ? "the registry" : `the zone ${parent}`;
  return {
    cause: `The record is on ${joinList(publishedOn)}, as listed for ${zone} at ${delegator}. The NS records in the zone itself list ${joinList(nameservers)}, and resolvers use those.`,
    fix: `Ask ${operatorOf(place)} to change the NS records in the zone ${zone} to: ${publishedOn.join(", ")}`,
    pastes: publishedOn.map((value) => ({ field: "Nameserver", value })),
  };
}

function explainStuck({ host, serial, published }: StuckCopy, place: RecordLocation): Advice {
  const zone = zoneOf(place);
  return {
    cause: `The record is on ${published.host} but not on ${host}. The serial of ${zone} is ${serial} on ${host} and ${published.serial} on ${published.host}, so ${host} takes its own copy for the newer one.`,
    fix: `Ask ${operatorOf(place)} to raise the serial of ${zone} on ${published.host} above ${serial}, or to reload the zone on ${host}.`,
  };
}

/** Explains a record that only some servers or resolvers have, or none yet. */
export function explainNotPublished(
  { awaits, observed }: NotPublished,
  place: RecordLocation,
): Advice {
  const { nameservers, publishedOn, noAnswer = [], elsewhere } = observed;
  const zone = zoneOf(place);
  if (publishedOn.length === 0 && awaits === "provider") {
    const name = `${place.label}.${place.domain}`;
    return {
      cause: `Some nameservers of ${zone} delegate ${name} to another zone, but ${joinList(nameservers)} still ${nameservers.length === 1 ? "does" : "do"} not. The record is on none of them.`,
      fix: `Ask ${operatorOf(place)} why the NS records at or above ${name} differ between the nameservers of ${zone}.`,
    };
  }
  if (publishedOn.length === 0) return explainUnsaved(observed, place);
  if (observed.resolvers) return explainResolvers(observed.resolvers, publishedOn, place);
  if (elsewhere?.type === "former")
    return addRecord(
      place,
      `The record is on ${joinList(publishedOn)}, but ${zone} has moved to ${joinList(nameservers)}.`,
    );
  if (elsewhere?.type === "parent")
    return addRecord(
      place,
      `The record is at ${elsewhere.name} in the zone ${elsewhere.zone} on ${joinList(publishedOn)}, but ${servingClause(nameservers, zone)} as a separate zone.`,
    );
  if (elsewhere?.type === "listed") return explainListed(observed, place, elsewhere.parent);
  if (elsewhere?.type === "unlisted" || awaits === "registrar")
    return explainUnlisted(observed, zone, elsewhere?.parent);
  if (nameservers.length === 0)
    return {
      cause: `The record is on ${joinList(publishedOn)}, but fewer than half of the nameservers of ${zone} answer: ${describeFailures(noAnswer)}.`,
      fix: `Ask ${operatorOf(place)} to make ${joinList(noAnswer.map(({ host }) => host))} answer for ${zone}.`,
    };
  if (observed.stuck) return explainStuck(observed.stuck, place);
  return {
    cause: `The record is on ${joinList(publishedOn)}, but ${without(nameservers, noAnswer)}. They should agree by now.`,
    fix: `Ask ${operatorOf(place)} why the record is missing on ${joinList(nameservers)}.`,
  };
}
