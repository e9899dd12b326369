import { MAX_MESSAGE } from "../message-size.ts";
import type { Diagnosis, FailedNameserver } from "../verdict/diagnosis.ts";
import { isDeadCut, type ListingFault, listingFault } from "../verdict/lame-delegation.ts";
import type { Failure } from "../verdict/observation.ts";
import type { Advice } from "./fixes.ts";
import { PANELS, type RecordLocation } from "./providers.ts";
import { describeFailures, joinList, operatorOf, zoneOf } from "./wording.ts";

type Lame = Extract<Diagnosis, { code: "lame_delegation" }>;

/** Values used in sentences about a zone's nameservers. */
type NameserverFacts = {
  zone: string;
  /** Names of its nameservers as a list. */
  hosts: string;
  isOne: boolean;
  /** Where the zone's nameservers are set, and who publishes them (`holder`). */
  where: string;
  holder: string;
  place: RecordLocation;
  nameservers: readonly FailedNameserver[];
};
type Wording = (facts: NameserverFacts) => Advice;

/** Maximum size of a DNS message over TCP (RFC 1035 section 4.2.2). */
const MOST_BYTES = 65_535;

const count = (number: number) => number.toLocaleString("en");

const tcpRefused: Wording = ({ zone, hosts, isOne, place }) => ({
  cause: `${hosts} ${isOne ? "answers" : "answer"} over UDP but not over TCP, so what ${isOne ? "it says" : "they say"} about ${zone} cannot be confirmed.`,
  fix: `Ask ${operatorOf(place)} to open TCP port 53 on ${hosts}, which every nameserver needs (RFC 7766).`,
});

const caseChanged: Wording = ({ hosts, isOne, place }) => ({
  cause: `${hosts} ${isOne ? "changes" : "change"} the capital letters in the question, as a forged answer might, and ${isOne ? "does" : "do"} not answer over TCP to confirm it.`,
  fix: `Ask ${operatorOf(place)} to open TCP port 53 on ${hosts}, which every nameserver needs (RFC 7766).`,
});

const tooLarge: Wording = ({ place, nameservers }) => {
  const sizes = nameservers.map(({ bytes = 0, records = 0 }) => ({ bytes, records }));
  const { bytes, records } = sizes.reduce((one, other) => (other.bytes > one.bytes ? other : one));
  const size =
    bytes === 0
      ? `more than ${count(MOST_BYTES)} bytes`
      : `${count(bytes)} bytes in ${count(records)} records`;
  const name = `${place.label}.${place.domain}`;
  return {
    cause: `There are too many TXT records at ${name}: the answer has ${size}, and Deed reads at most ${count(MAX_MESSAGE)} bytes.`,
    fix: `In ${PANELS[place.provider].title}, delete the TXT records at ${name} that are no longer needed.`,
  };
};

const ipv6Only: Wording = ({ zone, hosts, isOne, place }) => ({
  cause: `${hosts} ${isOne ? "was" : "were"} not asked: ${isOne ? "it has" : "they have"} only IPv6 addresses, and the server that runs Deed has no IPv6. This is our limit: nothing is wrong with ${zone}.`,
  fix: `Ask the operator of this service to add IPv6, or ask ${operatorOf(place)} to give ${hosts} an IPv4 address.`,
});

const refused: Wording = ({ zone, hosts, isOne, place }) => ({
  cause: `${hosts} ${isOne ? "refuses" : "refuse"} to answer for ${zone}. Either the zone is not set up there, or ${isOne ? "this is a resolver, not a nameserver" : "these are resolvers, not nameservers"}.`,
  fix: `Ask ${operatorOf(place)} to serve the zone ${zone} on ${hosts}, or which nameservers to use instead.`,
});

const servfail: Wording = ({ zone, hosts, isOne, place }) => ({
  cause: `${hosts} ${isOne ? "reports" : "report"} a failure (SERVFAIL) for ${zone}. Most often the zone could not be loaded there, or the copy there has expired.`,
  fix: `Ask ${operatorOf(place)} to load the zone ${zone} on ${hosts} again.`,
});

const unserved: Wording = (facts) => ({
  cause: causeOf(facts),
  fix: `Ask ${operatorOf(facts.place)} to serve the zone ${facts.zone} on ${facts.hosts}.`,
});

/** The challenge name is delegated to servers that do not serve it, and no zone is needed there. */
const deadCut: Wording = ({ zone, hosts, where, holder, nameservers }) => ({
  cause: `NS records in ${holder} delegate ${zone} to ${nameservers.length === 1 ? "a nameserver that does" : "nameservers that do"} not answer for it: ${describeFailures(nameservers)}.`,
  fix: `Delete the NS records at ${zone} ${where}, or make ${hosts} answer for it.`,
});

/** Wording for failures that all nameservers share; some pairs of similar failures share one wording. */
const SHARED_FAILURES: readonly [failures: readonly Failure[], words: Wording][] = [
  [["case_changed"], caseChanged],
  [["tcp_refused", "case_changed"], tcpRefused],
  [["too_large"], tooLarge],
  [["ipv6_only"], ipv6Only],
  [["refused"], refused],
  [["servfail"], servfail],
  [["refused", "not_authoritative"], unserved],
  [
    ["no_address"],
    (facts) => ({
      cause: causeOf(facts),
      fix: `Ask ${operatorOf(facts.place)} for the current names of the nameservers of ${facts.zone}.`,
    }),
  ],
  [
    ["blocked_address"],
    (facts) => ({
      cause: causeOf(facts),
      fix: `Ask ${operatorOf(facts.place)} to give ${facts.hosts} a public address.`,
    }),
  ],
];

const LISTING_FAULTS: Record<ListingFault, Wording> = {
  alias: ({ zone, hosts, where, nameservers }) => {
    const aliases = nameservers.map(({ host, target }) =>
      target === undefined ? `${host} is an alias (CNAME)` : `${host} is an alias of ${target}`,
    );
    return {
      cause: `${joinList(aliases)}. A nameserver of ${zone} cannot be an alias (RFC 2181).`,
      fix: `Replace ${hosts} with the host's real name ${where}.`,
    };
  },
  address: ({ zone, hosts, isOne, where }) => ({
    cause: `${hosts} ${isOne ? "is" : "are"} listed as ${isOne ? "a nameserver" : "nameservers"} of ${zone}. A nameserver must be a host name, not an IP address.`,
    fix: `Replace ${hosts} with the ${isOne ? "name of the nameserver" : "names of the nameservers"} ${where}.`,
  }),
  glue: ({ zone, hosts, isOne, where, holder }) => ({
    cause: `${hosts} ${isOne ? "is a name" : "are names"} inside ${zone} itself, and ${holder} gives no ${isOne ? "address for it" : "addresses for them"} (glue), so ${isOne ? "it" : "they"} cannot be found.`,
    fix: `Add the ${isOne ? "address" : "addresses"} (glue) of ${hosts} ${where}.`,
  }),
};

const causeOf = ({ zone, holder, nameservers }: NameserverFacts) =>
  `None of the nameservers that ${holder} lists for ${zone} gives a usable answer: ${describeFailures(nameservers)}.`;

/** Wording that fits every nameserver, or the one for mixed failures. */
function wordingFor({ zone, nameservers, place }: NameserverFacts): Wording {
  const faults = new Set(nameservers.map((one) => listingFault(one, zone)));
  const [fault] = faults;
  if (fault && faults.size === 1) return LISTING_FAULTS[fault];
  if (isDeadCut(nameservers, zone, `${place.label}.${place.domain}`)) return deadCut;
  const alike = SHARED_FAILURES.find(([failures]) =>
    nameservers.every(({ result }) => failures.includes(result)),
  );
  if (alike) return alike[1];
  return (facts) => ({
    cause: causeOf(facts),
    fix: faults.has(null)
      ? `Ask ${operatorOf(facts.place)} to make ${facts.hosts} answer for ${zone} again.`
      : `Correct the nameservers of ${zone} (${facts.hosts}) ${facts.where}.`,
  });
}

/** Explains a zone that has no nameservers, or none that gives an answer that can be confirmed. */
export function explainLameDelegation({ observed }: Lame, place: RecordLocation): Advice {
  const zone = zoneOf(place);
  const { nameservers, parent } = observed;
  if (nameservers.length === 0)
    return {
      cause: `The registry does not list nameservers for ${place.domain}. It may be expired, suspended, not registered, or not set up yet.`,
      fix: `At the registrar of ${place.domain}, enter your DNS provider's nameservers.`,
    };
  const facts: NameserverFacts = {
    zone,
    hosts: joinList(nameservers.map(({ host }) => host)),
    isOne: nameservers.length === 1,
    holder: parent === undefined ? "the registry" : `the zone ${parent}`,
    where:
      parent === undefined
        ? `at the registrar of ${zone}`
        : `in the DNS panel of the zone ${parent}`,
    place,
    nameservers,
  };
  return wordingFor(facts)(facts);
}
