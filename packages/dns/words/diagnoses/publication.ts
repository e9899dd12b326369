import { isRunByOthers } from "../../names.ts";
import type {
  CachedAnswer,
  DiagnosisOf,
  FailedNameserver,
  OtherAnswer,
  Publication,
} from "../../verdict/diagnosis.ts";
import type { Evidence, WitnessReading } from "../../verdict/observation.ts";
import { majorityHosts } from "../../verdict/publication-status.ts";
import { delegatorIn } from "../delegator.ts";
import { CHECKED, type DiagnosisTexts, digHeader, txt } from "../diagnosis-text.ts";
import type { RecordLocation } from "../providers.ts";
import {
  type Advice,
  addMissing,
  addRecord,
  capital,
  describeFailures,
  durationInWords,
  joinList,
  momentInWords,
  nameOf,
  operatorOf,
  recordOf,
  servingClause,
  zoneOf,
} from "../wording.ts";
import { explainGlue } from "./lame-delegation.ts";

type NotPublished = DiagnosisOf<"not_published">;
type ObservedFacts = NotPublished["observed"];

const lackingClause = (nameservers: readonly string[], noAnswer: readonly FailedNameserver[]) =>
  `${joinList(nameservers)} still ${nameservers.length === 1 ? "does" : "do"} not have it${noAnswer.length > 0 ? `, and ${describeFailures(noAnswer)}` : ""}`;

export function awaitedSentence({ nameservers, publishedOn, noAnswer = [] }: Publication): string {
  const where = `The record is on ${joinList(publishedOn)}`;
  if (nameservers.length > 0) return `${where}, but ${lackingClause(nameservers, noAnswer)}.`;
  if (noAnswer.length === 0)
    return `${where}, but a nameserver of a zone that it depends on does not answer.`;
  return noAnswer.length > publishedOn.length
    ? `${where}, but fewer than half of the nameservers answer: ${describeFailures(noAnswer)}.`
    : `${where}, but ${describeFailures(noAnswer)}.`;
}

const moreResolvers = (count: number): string =>
  count === 1
    ? "one more public resolver is asked"
    : `${["two", "three"][count - 2] ?? count} more public resolvers are asked`;

/** What the wait is for, besides time; null if no read has shown it. */
export function waitSentence(wait: { observed?: Publication; unasked?: number; held?: string }) {
  if (wait.held)
    return `Every nameserver that answers has the record. Public resolvers ${CACHED_WORDS.delegation}.`;
  if (wait.unasked)
    return `Every nameserver that answers has the record. ${capital(moreResolvers(wait.unasked))} next.`;
  return wait.observed ? awaitedSentence(wait.observed) : null;
}

const ANSWER_WORDS: Record<OtherAnswer["answer"]["type"], string> = {
  nxdomain: "no such name",
  nodata: "no TXT record",
  alias: "a CNAME",
  values: "another value",
};

function explainResolvers(
  resolvers: readonly OtherAnswer[],
  publishedOn: readonly string[],
  place: RecordLocation,
): Advice {
  const zone = zoneOf(place);
  const answerKind = ({ answer, filtered }: OtherAnswer) =>
    filtered ? "withheld by a filter" : ANSWER_WORDS[answer.type];
  const resolversWith = (words: string) =>
    joinList(resolvers.filter((one) => answerKind(one) === words).map(({ name }) => capital(name)));
  const kinds = [...new Set(resolvers.map(answerKind))];
  const answersText = kinds.map((words) => `${resolversWith(words)}: ${words}`).join("; ");
  const cause = `Every nameserver of ${zone} that answers gives Deed the record, but public resolvers get another answer (${answersText}). It is not an old answer, because caches have expired by now`;
  const otherHosts = [...new Set(resolvers.flatMap(({ nameservers = [] }) => nameservers))];
  if (resolvers.every(({ nameservers }) => nameservers !== undefined))
    return {
      cause: `${cause}. ${otherHosts.length > 0 ? `The resolvers ask ${joinList(otherHosts)}` : `The resolvers find no nameserver for ${zone}`}.`,
      fix: `Ask ${operatorOf(place)} to list ${joinList(publishedOn)} in the NS records of ${zone}.`,
    };
  if (resolvers.every(({ filtered }) => filtered))
    return {
      cause: `${cause}.`,
      fix: `Ask ${joinList(resolvers.map(({ name }) => capital(name)))} to stop blocking ${zone}.`,
    };
  const views = `every view of ${zone} (private zone, geo DNS)`;
  if (isRunByOthers(zone, place.domain))
    return { cause: `${cause}.`, fix: `Ask ${operatorOf(place)} to serve the record in ${views}.` };
  return addRecord(place, `${cause}.`, `in ${views}, add a ${recordOf(place)}`);
}

const addThere = (nameservers: readonly string[]) =>
  `Add it at the company that runs ${joinList(nameservers)}.`;

/** Shows the serial without judging it. Old stored diagnoses lack `unchanged` or `since`. */
function explainUnsaved(observed: ObservedFacts, place: RecordLocation): Advice {
  const { serial, unchanged, since } = observed;
  const sinceText = since === undefined ? "" : `, as on ${momentInWords(since)}`;
  const serialSentence = unchanged
    ? ` The serial of ${zoneOf(place)} usually changes when something is saved, but it is still ${serial}${sinceText}.`
    : "";
  const cause = `There is no ${recordOf(place)} at ${nameOf(place)}.${serialSentence}`;
  return addMissing(place, cause, observed);
}

/** Explains a delegation that lists other servers than the zone's NS RRset. `parent` is undefined for a registry. */
function explainOtherServers(observed: ObservedFacts, place: RecordLocation, parent?: string) {
  const { nameservers, publishedOn, elsewhere } = observed;
  const zone = zoneOf(place);
  const { holder, prefix } = delegatorIn({ zone, parent, domain: place.domain });
  if (elsewhere?.type === "leftover" || elsewhere?.type === "dead") {
    const contrast =
      elsewhere.type === "dead"
        ? `but the zone itself does not, and ${nameservers.length === 1 ? "it does" : "they do"} not answer`
        : `with another provider’s copy of ${zone}`;
    return {
      cause: `The record is on ${joinList(publishedOn)}. ${capital(holder)} still lists ${joinList(nameservers)} too, ${contrast}.`,
      fix: `${prefix}remove from the nameservers of ${zone}: ${joinList(nameservers)}.`,
    };
  }
  if (elsewhere?.type === "listed")
    return {
      cause: `The record is on ${joinList(publishedOn)}, which ${holder} lists for ${zone}. The NS records in the zone itself list ${joinList(nameservers)}, and resolvers use those.`,
      fix: `Ask ${operatorOf(place)} to change the NS records in the zone ${zone} to: ${publishedOn.join(", ")}`,
      pastes: publishedOn.map((value) => ({ field: "Nameserver", value })),
    };
  const cause = `The record is on ${joinList(publishedOn)}, but ${servingClause(nameservers, zone)}.`;
  return addRecord(place, `${cause} ${addThere(nameservers)}`);
}

function explainNotPublished({ awaits, observed }: NotPublished, place: RecordLocation): Advice {
  const { nameservers, publishedOn, noAnswer = [], elsewhere, outside } = observed;
  const zone = zoneOf(place);
  if (outside)
    return {
      cause: `The public resolver ${capital(outside)} has the record, but ${joinList(nameservers)} give Deed an answer without it: Deed sees another view of the zone ${zone}.`,
      fix: `Ask ${operatorOf(place)}, or whoever runs this installation, to give Deed the public view of ${zone}. Leave the record as it is.`,
    };
  if (publishedOn.length === 0 && awaits === "provider") {
    const name = nameOf(place);
    return {
      cause: `Some nameservers of ${zone} delegate ${name} to another zone, but ${joinList(nameservers)} still ${nameservers.length === 1 ? "does" : "do"} not. The record is on none of them.`,
      fix: `Ask ${operatorOf(place)} why the NS records at or above ${name} differ between the nameservers of ${zone}.`,
    };
  }
  if (publishedOn.length === 0) return explainUnsaved(observed, place);
  if (observed.glue) return explainGlue(observed.glue, place);
  if (observed.resolvers) return explainResolvers(observed.resolvers, publishedOn, place);
  if (elsewhere?.type === "former") {
    const cause = `The record is on ${joinList(publishedOn)}, but ${zone} has moved to ${joinList(nameservers)}.`;
    return addRecord(place, `${cause} ${addThere(nameservers)}`);
  }
  if (elsewhere?.type === "parent") {
    const where = `The record is at ${elsewhere.name} in the zone ${elsewhere.zone} on ${joinList(publishedOn)}`;
    return addRecord(
      place,
      `${where}, but ${servingClause(nameservers, zone)} as a separate zone.`,
    );
  }
  if (elsewhere || awaits === "registrar")
    return explainOtherServers(observed, place, elsewhere?.parent);
  if (nameservers.length === 0) {
    const hosts = noAnswer.map(({ host }) => host);
    const silent = hosts.length > 0 ? joinList(hosts) : "all nameservers that it depends on";
    const fix = `Ask ${operatorOf(place)} to make ${silent} answer for ${zone}.`;
    return { cause: awaitedSentence(observed), fix };
  }
  if (observed.stuck) {
    const { host, serial, published } = observed.stuck;
    if (serial === published.serial)
      return {
        cause: `The record is on ${published.host} but not on ${host}. The serial of ${zone} is ${serial} on both, so ${host} does not fetch the copy with the record.`,
        fix: `Ask ${operatorOf(place)} to raise the serial of ${zone} above ${serial} on its primary nameserver, and to publish the record with it.`,
      };
    return {
      cause: `The record is on ${published.host} but not on ${host}. The serial of ${zone} is ${serial} on ${host} and ${published.serial} on ${published.host}, so ${host} believes that its own copy is newer.`,
      fix: `Ask ${operatorOf(place)} to raise the serial of ${zone} on ${published.host} above ${serial}, or to reload the zone on ${host}.`,
    };
  }
  return {
    cause: `The record is on ${joinList(publishedOn)}, but ${lackingClause(nameservers, noAnswer)}. They should agree by now.`,
    fix: `Ask ${operatorOf(place)} why the record is missing on ${joinList(nameservers)}.`,
  };
}

const CACHED_WORDS: Record<CachedAnswer, string> = {
  nothing: "still have the old answer cached (“not found”)",
  earlier_token: "still have the old answer cached (the value of an earlier claim)",
  other_values: "still have the old answer cached (another value)",
  delegation: "still have the earlier nameservers or DS records cached",
};

/** Why all resolvers had to return the record. Null if most of them gave the same list, or if nobody asked them. */
export function noListSentence(evidence: Pick<Evidence, "delegation" | "witnesses">) {
  const { witnesses, delegation } = evidence;
  if (!witnesses || witnesses.length === 0 || delegation.type !== "delegated") return null;
  if (majorityHosts(evidence)) return null;
  const isMajority = (is: (witness: WitnessReading) => boolean) =>
    witnesses.filter(is).length * 2 > witnesses.length;
  const why = isMajority(({ nameservers, answer }) => nameservers === null && answer !== null)
    ? "they get the record, but no answer to queries for the zone’s nameservers (NS)"
    : isMajority(({ nameservers }) => nameservers?.length === 0)
      ? "the zone’s NS records are hidden, for example by a CNAME at its name"
      : "they do not agree";
  return `No majority of the resolvers gives the same nameservers for ${delegation.zone}: ${why}. So all resolvers must return the record.`;
}

/** How port 53 prevents or delays a proof; null if it is open. */
export function shutPortSentence(evidence: Pick<Evidence, "shut" | "validation" | "domain">) {
  const { shut, validation, domain } = evidence;
  if (!shut) return null;
  const why = "This installation cannot reach nameservers, because port 53 is blocked here.";
  if (validation?.verdict === "insecure")
    return `${why} ${domain} has no DNSSEC, so it cannot be proved until the operator opens that port.`;
  if (shut.held.length === 0 || validation?.verdict === "bogus")
    return `${why} ${domain} cannot be proved until the operator opens that port.`;
  return `${why} Deed checks the signatures of ${domain} instead, through one resolver at a time.`;
}

export const PUBLICATION: DiagnosisTexts<"not_published" | "negative_cache"> = {
  not_published: {
    title: "The record is not published yet",
    meaning:
      "One of five cases. The record is missing, and the zone’s serial has not changed since the first check, at `since` (`unchanged`; some zones never change it). Or only some nameservers have the record or delegate its name, although they have had time to synchronize: `nameservers` answer without it, and `noAnswer` do not answer. Or every nameserver has it, but `resolvers` get another answer, and caching does not explain it. Or a public resolver has it, and the servers that Deed reaches lack it (`outside`). Or the record is only on servers that do not serve the zone, and `elsewhere` says which: servers not listed by the registry (`unlisted`), servers the zone has left (`former`), servers beside which the registry still lists a former provider (`leftover`) or servers that do not answer and are none of the zone’s (`dead`), servers of the parent zone (`parent`), or servers that only the registry lists (`listed`), while the zone’s own NS records list others (`nameservers`), which resolvers use.",
    example: {
      awaits: "provider",
      observed: {
        nameservers: ["ns2.dns.example"],
        publishedOn: ["ns1.dns.example"],
        serial: 2026031201,
      },
    },
    happened:
      "Not every nameserver that counts has the record. It has not been saved yet, some nameservers are late, or it was saved at a company that does not run the domain’s DNS.",
    steps: [
      "If the domain moved to another company, add the record there: at the nameservers that Deed names.",
      "Otherwise show your DNS provider which nameservers lack it. They should all give the same answer.",
      CHECKED,
    ],
    dig: ({ name, token, nameserver, otherNameserver }) => [
      txt(`${name} @${nameserver}`, [], "This nameserver does not have the record."),
      txt(`${name} @${otherNameserver}`, [token], "This nameserver has it."),
    ],
    closer: {
      "Deed sees another view of the zone": ({ outside }) => outside,
      "Public resolvers get another answer": ({ resolvers }) => resolvers,
      "Too few nameservers answer": ({ elsewhere, publishedOn, nameservers, noAnswer = [] }) =>
        elsewhere
          ? elsewhere.type === "dead"
          : publishedOn.length > 0 && nameservers.length === 0 && noAnswer.length > 0,
      "The record is on the wrong servers": ({ elsewhere }) => elsewhere,
      "Some nameservers lack the record": ({ publishedOn, nameservers }) =>
        publishedOn.length > 0 && nameservers.length > 0,
      "No record yet": ({ publishedOn, unchanged }) => publishedOn.length === 0 && unchanged,
    },
    explain: explainNotPublished,
  },
  negative_cache: {
    title: "Resolvers still have the old answer cached",
    closer: { "A resolver does not have the record yet": ({ unasked }) => unasked },
    meaning:
      "The zone’s nameservers have the record. Public resolvers asked before it was there, and cache that answer for as long as the zone allows; or one resolver asked a server that is not up to date, and `unasked` others are asked only when the wait ends. `held` is what they have cached: `nothing`, an `earlier_token` of this account for this domain, `other_values`, or the earlier `delegation`.",
    example: { awaits: "resolvers", observed: { secondsRemaining: 240, held: "nothing" } },
    happened:
      "Everything is right. Public resolvers asked before the record was there, and they keep the answer “not found” for as long as the domain’s settings tell them to.",
    steps: [
      "Wait, and leave the record as it is. Deed checks again when the cached answers expire.",
    ],
    dig({ name, zone, token, nameserver, resolver }) {
      const ask = `+noall +comments +authority TXT ${name} @${resolver}`;
      const soa = `${zone}. 180 IN SOA ${nameserver}. hostmaster.${zone}. 2026010101 3600 1800 1209600 180`;
      const means =
        "The resolver still says that the name does not exist. The number after the domain is how many seconds it keeps saying so; run the command again and it gets smaller.";
      return [
        txt(`${name} @${nameserver}`, [token], "The domain’s nameserver has the record."),
        { ask, answer: [digHeader("NXDOMAIN"), soa], means },
      ];
    },
    explain: ({ observed: { secondsRemaining, held, unasked } }, place) => ({
      cause: `Every nameserver of ${zoneOf(place)} that answers has the record. ${unasked ? "A public resolver that was asked does not have it yet" : `Public resolvers ${CACHED_WORDS[held ?? "nothing"]}`}.`,
      fix: `Leave the record as it is for ${durationInWords(secondsRemaining)}, until ${unasked ? moreResolvers(unasked) : "the cached answer expires"}.`,
    }),
  },
};
