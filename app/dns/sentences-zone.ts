import type { Diagnosis, Held } from "./diagnosis.ts";
import type { Explanation } from "./explanation.ts";
import { addRecord, addUnderWildcard } from "./fixes.ts";
import { PANELS, type Place } from "./panels.ts";
import { publishingMinutes } from "./provider.ts";
import { explainLameDelegation } from "./sentences-nameservers.ts";
import { explainServfail } from "./sentences-servfail.ts";
import { listed, spokenDuration } from "./wording.ts";

type Of<C extends Diagnosis["code"]> = Extract<Diagnosis, { code: C }>;
type ZoneDiagnosis = Of<"not_published" | "negative_cache" | "servfail" | "lame_delegation">;

const zoneOf = ({ zone, domain }: Place) => zone ?? domain;
const operatorOf = ({ provider }: Place) => PANELS[provider].operator;

/** Said only of a host that takes long enough to make somebody wonder. */
function publishingTime({ provider }: Place): string {
  const minutes = publishingMinutes(provider) ?? 0;
  const { operator } = PANELS[provider];
  return minutes < 5
    ? ""
    : ` (${operator} takes up to ${minutes} minutes to publish what is saved)`;
}

const serve = (nameservers: readonly string[], zone: string) =>
  `${listed(nameservers)} ${nameservers.length === 1 ? "serves" : "serve"} ${zone}`;

/** Nothing was seen of the record anywhere. */
function explainUnsaved(
  { wildcardName, delegated }: Of<"not_published">["observed"],
  place: Place,
): Explanation {
  const zone = zoneOf(place);
  const cause = `Nothing has changed in the zone ${zone} since this claim's first read, so the record is not saved or not published yet${publishingTime(place)}.`;
  if (wildcardName !== undefined) return addUnderWildcard(place, cause, wildcardName);
  const apart = delegated
    ? ` ${serve(delegated.nameservers, zone)} as a zone of its own, so a record saved in the zone ${delegated.parent} does not count.`
    : "";
  return addRecord(place, `${cause}${apart}`, "add and save a TXT record");
}

/** `parent`: the zone that delegates this one, where no registry does. */
function explainUnlisted(
  { nameservers, publishedOn }: Of<"not_published">["observed"],
  zone: string,
  parent: string | undefined,
): Explanation {
  const delegator = parent === undefined ? "the registry" : `the zone ${parent}`;
  const added = publishedOn.join(", ");
  return {
    cause: `The record is on ${listed(publishedOn)}, but ${serve(nameservers, zone)}: those are the nameservers that ${delegator} lists, so nobody looks at the others.`,
    fix:
      parent === undefined
        ? `At the registrar of ${zone}, add to the domain's nameservers: ${added}`
        : `In the DNS panel of the zone ${parent}, add to the NS records of ${zone}: ${added}`,
    pastes: publishedOn.map((value) => ({ field: "Nameserver", value })),
  };
}

/** The zone's own NS records and those it is delegated by have no name in common. */
function explainListed(
  { nameservers, publishedOn }: Of<"not_published">["observed"],
  place: Place,
  parent = "",
): Explanation {
  const zone = zoneOf(place);
  const delegator = parent === "" ? "the registry" : `the zone ${parent}`;
  return {
    cause: `The record is on ${listed(publishedOn)}, the nameservers that ${delegator} lists for ${zone}, but the NS records in the zone itself name ${listed(nameservers)}, and resolvers go by those.`,
    fix: `Ask ${operatorOf(place)} to make the NS records in the zone ${zone} name: ${publishedOn.join(", ")}`,
    pastes: publishedOn.map((value) => ({ field: "Nameserver", value })),
  };
}

function explainNotPublished({ awaits, observed }: Of<"not_published">, place: Place): Explanation {
  const { nameservers, publishedOn, elsewhere } = observed;
  const zone = zoneOf(place);
  if (publishedOn.length === 0 && awaits === "provider") {
    const name = `${place.label}.${place.domain}`;
    return {
      cause: `Some nameservers of ${zone} hand ${name} to another zone, but after the time nameservers have to agree ${listed(nameservers)} still do not, and the record is on none of them.`,
      fix: `Ask ${operatorOf(place)} why the NS records at or above ${name} are not the same on all nameservers of ${zone}.`,
      pastes: [],
    };
  }
  if (publishedOn.length === 0) return explainUnsaved(observed, place);
  if (elsewhere?.type === "former")
    return addRecord(
      place,
      `The record is on ${listed(publishedOn)}, but ${serve(nameservers, zone)} now: the zone has moved.`,
    );
  if (elsewhere?.type === "parent")
    return addRecord(
      place,
      `The record is at ${elsewhere.name} in the zone ${elsewhere.zone} on ${listed(publishedOn)}, but ${serve(nameservers, zone)}, which is a zone of its own.`,
    );
  if (elsewhere?.type === "listed") return explainListed(observed, place, elsewhere.parent);
  if (elsewhere?.type === "unlisted" || awaits === "registrar")
    return explainUnlisted(observed, zone, elsewhere?.parent);
  return {
    cause: `The record is on ${listed(publishedOn)}, but after the time nameservers have to agree it is still not on ${listed(nameservers)}.`,
    fix: `Ask ${operatorOf(place)} why the record is missing on ${listed(nameservers)}.`,
    pastes: [],
  };
}

const HELD_WORDS: Record<Held, string> = {
  nothing: "remember that it was not there",
  earlier_token: "hold the token of an earlier claim that stood there before",
  other_values: "hold what stood there before",
};

/** Words for what is wrong with the zone rather than with the record. */
export function explainZone(diagnosis: ZoneDiagnosis, place: Place): Explanation {
  switch (diagnosis.code) {
    case "not_published":
      return explainNotPublished(diagnosis, place);
    case "servfail":
      return explainServfail(diagnosis.observed, place);
    case "lame_delegation":
      return explainLameDelegation(diagnosis, place);
    case "negative_cache":
      return {
        cause: `Every nameserver of ${zoneOf(place)} that answers has the record, but public resolvers still ${HELD_WORDS[diagnosis.observed.held ?? "nothing"]}.`,
        fix: `Leave the record as it is for ${spokenDuration(diagnosis.observed.secondsRemaining)}, until resolvers ask again.`,
        pastes: [],
      };
  }
}
