import { registeredName } from "../../names.ts";
import type { DiagnosisOf, FailedNameserver, StaleGlue } from "../../verdict/diagnosis.ts";
import {
  isDeadCut,
  type ListingFault,
  listingFault,
  typedName,
} from "../../verdict/lame-delegation.ts";
import type { Failure, Reason } from "../../verdict/observation.ts";
import { correctGlue, delegatorIn, explainParked, PARKED_TITLES } from "../delegator.ts";
import { type DiagnosisTexts, status } from "../diagnosis-text.ts";
import type { RecordLocation } from "../providers.ts";
import { type Advice, describeFailures, joinList, nameOf, operatorOf, zoneOf } from "../wording.ts";

type NameserverFacts = ReturnType<typeof delegatorIn> & {
  zone: string;
  hosts: string;
  isOne: boolean;
  place: RecordLocation;
  nameservers: readonly FailedNameserver[];
};
type Wording = (facts: NameserverFacts) => Advice;

const notAnswering =
  (which: (facts: NameserverFacts) => string): Wording =>
  (facts) => ({
    cause: `${facts.hosts} ${facts.isOne ? "answers" : "answer"} other questions about ${facts.zone}, but not those ${which(facts)}.`,
    fix: `Ask ${operatorOf(facts.place)} to let ${facts.hosts} answer questions ${which(facts)}.`,
  });

const REASON_WORDINGS: Record<Reason, Wording> = {
  no_zone: ({ zone, hosts, isOne, place, where }) => ({
    cause: `${hosts} ${isOne ? "does" : "do"} not have the zone ${zone}: every question about it is refused.`,
    fix: `Ask ${operatorOf(place)} to set up the zone ${zone} on ${hosts}, or ask which nameservers to enter ${where} instead.`,
  }),
  zone_above: (facts) => ({
    ...REASON_WORDINGS.no_zone(facts),
    cause: `${facts.hosts} ${facts.isOne ? "does" : "do"} not have the zone ${facts.zone}. ${facts.isOne ? "It answers" : "They answer"} from a zone above it, as parking services do for any name.`,
  }),
  no_copy: ({ zone, hosts, isOne, place }) => ({
    cause: `${hosts} ${isOne ? "reports" : "report"} a failure (SERVFAIL) for every question about ${zone}, so ${isOne ? "it has" : "they have"} no usable copy of the zone.`,
    fix: `Ask ${operatorOf(place)} to load the zone ${zone} on ${hosts} again.`,
  }),
  silent: ({ hosts, isOne, place, where }) => ({
    cause: `${hosts} ${isOne ? "does" : "do"} not answer over UDP or TCP.`,
    fix: `Ask ${operatorOf(place)} to get ${hosts} to answer again, or ask which nameservers to enter ${where} instead.`,
  }),
  unregistered: ({ zone, hosts, isOne, prefix, nameservers }) => ({
    cause: `${hosts} ${isOne ? "is" : "are"} in ${joinList([...new Set(nameservers.map(({ host }) => registeredName(host) ?? host))])}, which nobody has registered. Anyone who registers it can answer for ${zone}.`,
    fix: `${prefix}replace ${hosts} with your DNS provider’s nameservers.`,
  }),
  resolver: ({ zone, hosts, isOne, place, prefix }) => ({
    cause: `${hosts} ${isOne ? "is a resolver, which looks" : "are resolvers, which look"} names up for others. ${isOne ? "It is" : "They are"} listed as ${isOne ? "a nameserver" : "nameservers"} of ${zone} but ${isOne ? "does" : "do"} not have the zone.`,
    fix: `${prefix}replace ${hosts} with the nameservers that ${operatorOf(place)} gives you.`,
  }),
  blocks_us: ({ zone, hosts, isOne, place }) => ({
    cause: `${hosts} ${isOne ? "answers" : "answer"} public resolvers about ${zone}, but not the server that runs Deed.`,
    fix: `Ask ${operatorOf(place)} to let ${hosts} answer everyone on port 53, over UDP and TCP.`,
  }),
  txt: notAnswering(({ place }) => `for TXT records at ${nameOf(place)}`),
  name: notAnswering(({ place }) => `about ${nameOf(place)}`),
  underscore: notAnswering(
    ({ place }) => `about names that begin with an underscore, such as ${nameOf(place)}`,
  ),
  capitals: notAnswering(() => "with capital letters (RFC 4343) or EDNS (RFC 6891)"),
};

const NO_ZONE_REASONS = new Set<string>(["no_zone", "zone_above", "resolver"]);

const unusable =
  (fix: (facts: NameserverFacts) => string): Wording =>
  (facts) => ({
    cause: `None of the nameservers that ${facts.holder} lists for ${facts.zone} gives a usable answer: ${describeFailures(facts.nameservers)}.`,
    fix: fix(facts),
  });

/** Words for a challenge name that is delegated to servers that do not serve it, and that needs no zone. */
const deadCut: Wording = ({ zone, hosts, prefix, holder, nameservers }) => ({
  cause: `NS records in ${holder} delegate ${zone} to ${nameservers.length === 1 ? "a nameserver that does" : "nameservers that do"} not answer for it: ${describeFailures(nameservers)}.`,
  fix: `${prefix}delete the NS records at ${zone}, or make ${hosts} answer for it.`,
});

const FAILURE_WORDINGS: Partial<Record<Failure, Wording>> = {
  tcp_refused: ({ zone, hosts, isOne, place }) => ({
    cause: `${hosts} ${isOne ? "answers" : "answer"} over UDP but not over TCP, so what ${isOne ? "it says" : "they say"} about ${zone} cannot be confirmed.`,
    fix: `Ask ${operatorOf(place)} to open TCP port 53 on ${hosts}, which every nameserver needs (RFC 7766).`,
  }),
  case_changed: ({ hosts, isOne, place }) => ({
    cause: `${hosts} ${isOne ? "changes" : "change"} the capital letters in the question, as a forged answer might, and ${isOne ? "does" : "do"} not answer over TCP to confirm it.`,
    fix: `Ask ${operatorOf(place)} to open TCP port 53 on ${hosts}, which every nameserver needs (RFC 7766).`,
  }),
  too_large: ({ hosts, isOne, place }) => ({
    cause: `${hosts} ${isOne ? "cuts" : "cut"} the answer for ${nameOf(place)} short even over TCP, which has room for 65,535 bytes.`,
    fix: `Ask ${operatorOf(place)} to send the whole answer over TCP, or delete old TXT records at ${nameOf(place)} if it has hundreds.`,
  }),
  ipv6_only: ({ zone, hosts, isOne, place }) => ({
    cause: `${hosts} ${isOne ? "was" : "were"} not asked: ${isOne ? "it has" : "they have"} only IPv6 addresses, and the server that runs Deed has no IPv6. This is our limit: nothing is wrong with ${zone}.`,
    fix: `Ask the operator of this service to add IPv6, or ask ${operatorOf(place)} to give ${hosts} an IPv4 address.`,
  }),
  no_address: unusable(
    ({ zone, place }) =>
      `Ask ${operatorOf(place)} for the current names of the nameservers of ${zone}.`,
  ),
  blocked_address: unusable(
    ({ hosts, place }) => `Ask ${operatorOf(place)} to give ${hosts} a public address.`,
  ),
};

const LISTING_FAULTS: Record<ListingFault, Wording> = {
  alias: ({ zone, hosts, prefix, nameservers }) => {
    const aliases = nameservers.map(({ host, target }) =>
      target === undefined ? `${host} is a CNAME` : `${host} is a CNAME for ${target}`,
    );
    return {
      cause: `${joinList(aliases)}. A nameserver of ${zone} cannot be a CNAME (RFC 2181).`,
      fix: `${prefix}replace ${hosts} with the host’s real name.`,
    };
  },
  address: ({ zone, hosts, isOne, prefix }) => ({
    cause: `${hosts} ${isOne ? "is" : "are"} listed as ${isOne ? "a nameserver" : "nameservers"} of ${zone}. A nameserver must be a host name, not an IP address.`,
    fix: `${prefix}replace ${hosts} with the ${isOne ? "name of the nameserver" : "names of the nameservers"}.`,
  }),
  appended: ({ zone, hosts, isOne, prefix, nameservers }) => {
    const typedHosts = joinList(nameservers.map(({ host }) => typedName(host, zone) ?? host));
    return {
      cause: `${hosts} ${isOne ? "does" : "do"} not exist: a DNS panel has added a domain to ${typedHosts}.`,
      fix: `${prefix}replace ${hosts} with ${typedHosts}, typed with a dot at the end if the panel adds the domain again.`,
    };
  },
  glue: ({ zone, hosts, isOne, prefix, holder }) => ({
    cause: `${hosts} ${isOne ? "is a name" : "are names"} inside ${zone} itself, and ${holder} gives no ${isOne ? "address for it" : "addresses for them"} (glue), so ${isOne ? "it" : "they"} cannot be found.`,
    fix: `${prefix}add the ${isOne ? "address" : "addresses"} (glue) of ${hosts}.`,
  }),
};

function wordingFor({ zone, nameservers, place }: NameserverFacts): Wording {
  const faults = new Set(nameservers.map((one) => listingFault(one, zone)));
  const [fault] = faults;
  if (fault && faults.size === 1) return LISTING_FAULTS[fault];
  if (isDeadCut(nameservers, zone, nameOf(place))) return deadCut;
  const [reason, ...others] = new Set(nameservers.map((one) => one.reason));
  if (reason && others.length === 0) return REASON_WORDINGS[reason];
  const results = new Set(nameservers.map(({ result }) => result));
  // Servers that also change capital letters need TCP as well.
  if (results.has("tcp_refused")) results.delete("case_changed");
  const [result, ...more] = results;
  const sharedWording = result && more.length === 0 ? FAILURE_WORDINGS[result] : null;
  if (sharedWording) return sharedWording;
  const soundServers = nameservers.filter((one) => listingFault(one, zone) === null);
  return unusable(({ hosts, prefix }) =>
    soundServers.length > 0
      ? `Ask ${operatorOf(place)} to make ${joinList(soundServers.map(({ host }) => host))} answer for ${zone} again.`
      : `${prefix}correct the nameservers of ${zone} (${hosts}).`,
  );
}

export const explainGlue = (glue: StaleGlue, { domain }: RecordLocation): Advice => ({
  cause: `${glue.host} moved to ${joinList(glue.own)}, but ${glue.parent ? `the zone ${glue.parent}` : "the registry"} still gives its old address (glue), ${glue.registered}.`,
  fix: correctGlue(glue, domain),
});

function explainLameDelegation(
  { observed: { nameservers, parent, glue, parked } }: DiagnosisOf<"lame_delegation">,
  place: RecordLocation,
): Advice {
  const { domain } = place;
  if (parked) return explainParked(parked, place);
  if (glue) return explainGlue(glue, place);
  const listsNoNameservers = nameservers.length === 0;
  const zone = listsNoNameservers ? (registeredName(domain) ?? domain) : zoneOf(place);
  const delegator = delegatorIn({ zone, domain, parent });
  if (listsNoNameservers)
    return {
      cause: `The registry does not list nameservers for ${zone}. The domain may be expired, suspended, not registered, or not set up yet.`,
      fix: `${delegator.prefix}renew ${zone} if it has expired, ask for a hold to be lifted, or enter your DNS provider’s nameservers.`,
    };
  const hosts = joinList(nameservers.map(({ host }) => host));
  const isOne = nameservers.length === 1;
  const facts: NameserverFacts = { ...delegator, zone, hosts, isOne, place, nameservers };
  return wordingFor(facts)(facts);
}

export const LAME_DELEGATION: DiagnosisTexts<"lame_delegation"> = {
  lame_delegation: {
    title: "The nameservers do not answer",
    meaning:
      "The registry lists no nameservers, or none of them gives an authoritative answer that can be confirmed over TCP. `parent` is the zone that lists them, if that is not a registry. `nameservers` says how each one failed. With `tcp_refused`, it answers over UDP only. With `ipv6_only`, Deed did not ask it, because Deed’s machine has no IPv6: the nameserver is not at fault. `reason` says what its answers to other questions show: that it does not have the zone (`no_zone`), has no usable copy (`no_copy`), answers from a zone above (`zone_above`), is a `resolver`, does not answer at all (`silent`), or does not answer this service (`blocks_us`). Or it says that the nameserver does not answer questions for TXT (`txt`), for this `name`, for names with an `underscore`, or with `capitals` or EDNS. `parked` says that the nameservers do not belong to a DNS provider.",
    example: {
      awaits: "provider",
      observed: { nameservers: [{ host: "ns1.dns.example", result: "refused" }] },
    },
    happened:
      "The registry says which nameservers are the domain’s, and none of them answers for it. Until that is fixed, nobody can see any record of the domain.",
    steps: [
      "If the domain moved to another DNS provider, enter that provider’s nameservers at the registrar. For a subdomain with its own zone, enter them in the panel of the zone above it.",
      "If the nameservers are right, ask the DNS provider why they do not answer for the domain.",
      "If the registration has expired, renew it.",
    ],
    dig({ name, nameserver, otherNameserver }) {
      const refused = "This nameserver does not serve the domain.";
      const ask = `TXT ${name} @${otherNameserver} +time=2 +tries=1`;
      const means = "This nameserver does not answer at all.";
      return [
        status(`${name} @${nameserver} +time=2 +tries=1`, "REFUSED", refused),
        { ask, answer: [";; no servers could be reached"], means },
      ];
    },
    closer: {
      ...PARKED_TITLES,
      "The domain has no nameservers": ({ nameservers }) => nameservers.length === 0,
      "The nameservers do not have the zone": ({ nameservers }) =>
        nameservers.every(({ reason = "" }) => NO_ZONE_REASONS.has(reason)),
    },
    explain: explainLameDelegation,
  },
};
