import { flowIn, patterns } from "@deed/dns/testing/row-lines.ts";
import type { LabZone } from "../zones.ts";

export const LABEL = "_service-challenge";
export const TOKEN = "service_v1_7d0f3b9ae41c58206fd2b7c3910e84a5d6f12c3b";

/** The zones' servers, by host name. */
export const HOSTS = {
  "nsd1.farm.example": "127.0.42.21",
  "nsd2.farm.example": "127.0.42.22",
  // BIND listens only on addresses assigned to an interface.
  "bind1.farm.example": "127.0.0.1",
  "pdns1.farm.example": "127.0.42.41",
  "pdns2.farm.example": "127.0.42.42",
  "dist1.farm.example": "127.0.42.51",
  "dist2.farm.example": "127.0.42.52",
  // unbound, a resolver mistaken for a nameserver.
  "office.farm.example": "127.0.40.11",
  // Nothing listens there.
  "ghost1.farm.example": "127.0.42.91",
  "ghost2.farm.example": "127.0.42.92",
} as const;
export type Host = keyof typeof HOSTS;

export const HOSTS_OF = {
  nsd: ["nsd1.farm.example", "nsd2.farm.example"],
  named: ["bind1.farm.example"],
  pdns_server: ["pdns1.farm.example", "pdns2.farm.example"],
  dnsdist: ["dist1.farm.example", "dist2.farm.example"],
} as const satisfies Record<string, Host[]>;
export type Program = keyof typeof HOSTS_OF;

export type ScenarioZone = Pick<
  LabZone,
  "name" | "delegatedTo" | "ownNameservers" | "glue" | "refresh" | "minimum"
> & {
  /** What serves it, if anything: dnsdist in front of NSD, or a program itself. */
  program?: Program;
  /** Zone file lines relative to the zone, without its SOA and NS. */
  records: string[];
  /** What resolvers get instead (a BIND view). */
  forResolvers?: string[];
  /** A secondary with an unreachable primary, so that there is no copy. */
  orphaned?: boolean;
  /** The zone's name in the program's settings if it differs: a zone above. */
  servedAs?: string;
  /** dnsdist's behaviour: drops TCP, UDP, TXT, underscores or resolvers, truncates or answers late. */
  front?: "no-tcp" | "no-udp" | "no-txt" | "no-underscore" | "no-resolvers" | "truncates" | "slow";
};

export type Scenario = {
  id: string;
  /** The mistake, or the unusual setup, in one sentence. */
  story: string;
  /** The name claimed. */
  domain: string;
  zone: ScenarioZone;
  /** Whether to read again, 4 s later by its clock, until the verdict comes. */
  again: boolean;
  /** `found`, a diagnosis, or a wait. */
  verdict: string;
  awaits?: string;
  /** The expected part of `observed`. */
  observed?: object;
  /** What cause and fix must contain, and must not contain, because it would mislead. */
  says: RegExp[];
  never: RegExp[];
};

const isRecord = (line: string) => /^\S+ (A|CNAME|NS|TXT) /.test(line);

/**
 * As lines, or separated by bars: `id: story`; `zone name on program`, or `at hosts`, and hosts of its `own`; its records;
 * `is verdict awaits whom`; what is observed (`tells`); what words must contain (`says`), and must not (`never`).
 */
function scenarioOf(block: string): Scenario {
  const [head = "", ...lines] = block.split(/\n| \| /).map((line) => line.trim());
  const [, id = "", story = ""] = /^(\S+): (.*)$/.exec(head) ?? [];
  const rest = (word: string) =>
    lines.find((line) => line.startsWith(`${word} `))?.slice(word.length + 1);
  const [, name = "", on] = /^(\S+)(?: on (\S+))?/.exec(rest("zone") ?? "") ?? [];
  const program = on as Program | undefined;
  const hostsIn = (word: string) =>
    rest(word)
      ?.split(" ")
      .map((host) => (host.includes(".") ? host : `${host}.farm.example`));
  const [hosts, own, glue] = [hostsIn("at"), hostsIn("own"), rest("glue")];
  const [verdict = "", awaits] = rest("is")?.split(" awaits ") ?? [];
  const [tells, inside] = [rest("tells"), rest("inside")];
  const [minimum, refresh] = [rest("minimum"), rest("refresh")];
  const front = rest("front") as ScenarioZone["front"];
  return {
    id,
    story,
    domain: rest("claim") ?? name,
    zone: {
      name,
      delegatedTo: hosts ?? [...(program ? HOSTS_OF[program] : [])],
      ...(program && { program }),
      records: lines.filter(isRecord),
      ...(inside && { forResolvers: [inside] }),
      ...(minimum && { minimum: Number(minimum) }),
      ...(refresh && { refresh: Number(refresh) }),
      ...(own && { ownNameservers: own }),
      ...(glue && { glue: glue.split("; ") }),
      ...(lines.includes("orphaned") && { orphaned: true }),
      ...(rest("served") && { servedAs: rest("served") }),
      ...(front && { front }),
    },
    again: lines.includes("again"),
    verdict,
    ...(awaits && { awaits }),
    ...(tells && { observed: flowIn(tells) }),
    says: patterns(rest("says")),
    never: patterns(rest("never")),
  };
}

const RECORD = `${LABEL} TXT "${TOKEN}"`;
const CROWD = Array.from(
  { length: 30 },
  (_, at) => `  ${LABEL} TXT "verify-${at}=${"z".repeat(150)}"`,
).join("\n");
/** Each nameserver of a program, with its fault. */
const failing = (program: Program, result: string, reason: string) => {
  const hosts = HOSTS_OF[program].map(
    (host) => `{host: ${host}, result: ${result}, reason: ${reason}}`,
  );
  return `tells {nameservers: [${hosts}]}`;
};

/** Only what depends on these programs; mistakes with any server are in the fault matrix of packages/dns. */
export const SCENARIOS: Scenario[] = String.raw`
crowd: Thirty long verification records share the name with the token: the answer is 5 KB.
  zone crowd.com on nsd | ${RECORD} | is found
${CROWD}
refused-half: One of two nameservers was never told of the zone and refuses; the other has it.
  zone refused-half.com on pdns_server | at nsd2 pdns1 | ${RECORD} | is nameserver_sync
two-faces: Split horizon: an inside view without the record answers the resolvers.
  zone two-faces.com on named | ${RECORD} | inside @ A 192.0.2.3 | minimum 1 | again
  is not_published awaits provider | tells {nameservers: [], publishedOn: [${HOSTS_OF.named}]}
  says /resolver/i /different|another answer|other answer|view|split|inside|internal/i
orphaned: The nameserver is a secondary whose primary was switched off: it has no copy any more.
  zone orphaned.com on named | orphaned | is lame_delegation awaits provider
  ${failing("named", "servfail", "no_copy")}
  says /load|transfer|expired|primary|no copy|copy of the zone/i /bind1\.farm\.example/
  never /(does|do|did) not answer/i
star-address: There is a wildcard A record and nothing else: any name exists, none has TXT.
  zone star-address.com on pdns_server | * A 192.0.2.9 | @ A 192.0.2.9
  is record_absent awaits claimant | tells {answer: {type: nodata}, nearMiss: null}
  says /TXT/ /_service-challenge/
  never /delete|remove|change its type|wrong type/i
star-appended: The name claimed lives by a wildcard, and the panel appended the zone to the record.
  zone star-appended.com on pdns_server | claim shop.star-appended.com | * A 192.0.2.9
  ${LABEL}.shop.star-appended.com TXT "${TOKEN}" | is domain_appended awaits claimant
  tells {wildcardName: "*.star-appended.com", wildcardTypes: [A]}
  says /give shop\.star-appended\.com and \S+ the A records of \*\.star-appended\.com, then add a TXT/
  never /change|edit the record/
star-above: The name claimed lives by a wildcard, and the record stands one label too high.
  zone star-above.com on named | claim shop.star-above.com | * A 192.0.2.9 | ${RECORD}
  is record_absent awaits claimant | tells {wildcardName: "*.star-above.com", wildcardTypes: [A]}
  says /give shop\.star-above\.com and \S+ the A records of \*\.star-above\.com, then add a TXT/
  never /change|edit the record/
star-alias: The name claimed lives by a wildcard alias, and the record stands at the zone's name.
  zone star-alias.com on nsd | claim shop.star-alias.com | * CNAME web.farm.example.
  @ TXT "${TOKEN}" | is record_absent awaits claimant | tells {wildcardTypes: [CNAME]}
  says /give shop\.star-alias\.com and \S+ the CNAME records of \*\.star-alias\.com, then add a TXT/
  never /change|edit the record/
${(["nsd", "named", "pdns_server"] as const)
  .map(
    (
      program,
      at,
    ) => `star-own-${at}: The name claimed has the wildcard's address, and one below, of its own.
  zone star-own-${at}.com on ${program} | claim shop.star-own-${at}.com | ${RECORD} | * A 192.0.2.9
  shop A 192.0.2.9 | *.shop A 192.0.2.9 | is record_absent awaits claimant
  tells {wildcardName: "*.shop.star-own-${at}.com"} | says /edit the record and change/ | never /give/`,
  )
  .join("\n")}
asterisk: The panel's form began with an asterisk, and it stayed.
  zone asterisk.com on nsd | *.${LABEL} TXT "${TOKEN}" | is record_absent awaits claimant
  tells {nearMiss: {kind: asterisk}} | says /with \* in front/ /leave only this/
no-asterisk: The record of another service stands below the challenge name.
  zone no-asterisk.com on nsd | *.${LABEL} TXT other | is record_absent
  tells {nearMiss: null} | never /in front/
swapped: The parts of the host were typed in the order of another field.
  zone swapped.com on named | claim shop.swapped.com | shop.${LABEL} TXT "${TOKEN}"
  is record_absent awaits claimant | tells {nearMiss: {kind: labels_swapped}} | says /another order/
dotted: The host was typed with a dot at its end, which the panel kept.
  zone dotted.com on nsd | ${LABEL}\..dotted.com. TXT "${TOKEN}" | is record_absent awaits claimant
  tells {nearMiss: {kind: dot_typed}} | says /dot that was typed/ /leave only this/
appended-twice: The full name was typed, and the panel appended the zone twice.
  zone appended-twice.com on named | is domain_appended awaits claimant
  ${LABEL}.appended-twice.com.appended-twice.com TXT "${TOKEN}"
letters: The value was typed off a picture, with capital O for the digit 0 and small L for 1.
  zone letters.com on nsd | ${LABEL} TXT "${TOKEN.replace("0", "O").replace("v1", "vl")}"
  is value_formatted awaits claimant | tells {damage: [lookalike]}
  says /“l” in place of “1”/ /“O” in place of “0”/ | never /\[wrong|\[missing/
below-alias: The name claimed is a CNAME; below it stands the challenge name, as DNS allows.
  zone below-alias.com on pdns_server | claim shop.below-alias.com | is found
  shop CNAME shops.farm.example. | ${RECORD.replace(LABEL, `${LABEL}.shop`)}
tcp-lost: A filter in front of the nameservers loses everything that comes over TCP.
  zone tcp-lost.com on dnsdist | ${RECORD} | front no-tcp | is lame_delegation awaits provider
  says /TCP/ /53/ /dist1\.farm\.example/ /dist2\.farm\.example/
  never /record (is|was) (missing|not there|not found)/i /(add|create) (a|the) (TXT )?record/i
always-cut: Against floods, the filter cuts every answer over UDP, so that askers come over TCP.
  zone always-cut.com on dnsdist | ${RECORD} | front truncates | is found
slow: The nameservers are far away and loaded: every answer takes a second and a half.
  zone slow.com on dnsdist | ${RECORD} | front slow | again | is found
resolver-as-ns: The company's resolver was entered as the nameserver: it answers without authority.
  zone office-dns.com | at office | is lame_delegation awaits registrar
  tells {nameservers: [{host: office.farm.example, result: refused, reason: resolver}]}
  says /office\.farm\.example/ /\bresolver\b|recursive/i
  never /either|or this is/i
left-behind: The zone was deleted at the company whose nameservers the registry still lists.
  zone left-behind.com | at nsd1 nsd2 | is lame_delegation awaits provider
  ${failing("nsd", "refused", "no_zone")}
  says /does not have the zone|do not have the zone|set up/i /at the registrar of left-behind\.com/
  never /resolver/i
parked: The domain is at a parking service that answers for every name below com.
  zone parked.com on pdns_server | served com | * TXT "v=spf1 -all" | * A 192.0.2.9
  is lame_delegation | ${failing("pdns_server", "not_authoritative", "zone_above")}
  says /zone above|parking/i
  never /wildcard|keep/i
txt-filtered: A filter against amplification drops every question for TXT.
  zone txt-filtered.com on dnsdist | ${RECORD} | front no-txt | is lame_delegation
  ${failing("dnsdist", "timeout", "txt")} | says /TXT/ /other questions/i
host-names-only: A firewall lets names of hosts pass, and refuses those with an underscore.
  zone host-names-only.com on dnsdist | ${RECORD} | front no-underscore | is lame_delegation
  ${failing("dnsdist", "refused", "underscore")} | says /underscore/i
no-resolvers: The nameservers drop what public resolvers ask, and the record is not there yet.
  zone no-resolvers.com on dnsdist | @ A 192.0.2.3 | front no-resolvers
  is servfail awaits provider | tells {fault: {type: unreachable}}
  says /resolvers/i /block|limit/i
  never /DNSSEC|signature|add (a|the) TXT record/i
sub-left-behind: The same of a subdomain that its owner's zone delegates.
  zone sub-left.com on nsd | claim shop.sub-left.com | shop NS bind1.farm.example.
  is lame_delegation awaits provider | tells {parent: sub-left.com}
  says /enter in the DNS panel of the zone sub-left\.com/ | never /registrar/
below-suffix: The same of a name got from the company that runs uk.com.
  zone uk.com on nsd | claim left.uk.com | left NS bind1.farm.example.
  is lame_delegation awaits provider | says /where left\.uk\.com was registered/ | never /registrar/
dot-forgotten: The name of a nameserver was typed without a dot, and the panel added the zone.
  zone dot-forgotten.com on pdns_server | claim shop.dot-forgotten.com | shop NS ns3.lab.net
  is lame_delegation awaits claimant
  says /^ns3\.lab\.net\.dot-forgotten\.com does not exist.* In the DNS panel of the zone dot-forgotten\.com, replace ns3\.lab\.net\.dot-forgotten\.com with ns3\.lab\.net,/
  never /glue|registrar/
glue-forgotten: A nameserver of a subdomain is in it, and nobody gave its address.
  zone glue-forgotten.com on pdns_server | claim shop.glue-forgotten.com | shop NS ns1.shop
  is lame_delegation awaits claimant
  says /In the DNS panel of the zone glue-forgotten\.com, add the address/ | never /registrar/
ghosts: The registry lists two nameservers that were switched off; the zone itself has them no more.
  zone ghosts.com on nsd | at nsd1 ghost1 ghost2 | own nsd1 | ${RECORD} | refresh 1 | again
  is not_published awaits registrar | tells {elsewhere: {type: dead}}
  says /At the registrar of ghosts\.com, remove from .*: ghost1\.farm\.example and ghost2/
  never /Ask |make /
asleep: The same, but the zone itself lists them too: they are to answer again.
  zone asleep.com on nsd | at nsd1 ghost1 ghost2 | ${RECORD} | refresh 1 | again
  is not_published awaits provider | says /to make ghost1\.farm\.example and ghost2/
hostco: A DNS host with a nameserver in its own domain.
  zone hostco.com on nsd | ns1 A 127.0.42.21 | ${RECORD} | is found
moved-host: The host's nameserver moved, and the registry has its old address.
  zone moved-host.com | at ns1.hostco.com | glue ns1.hostco.com. A 127.0.42.91
  is lame_delegation awaits provider | tells {glue: {host: ns1.hostco.com}}
  says /Ask the company that runs hostco\.com to change the address \(glue\) of ns1\.hostco\.com/
  never /moved-host\.com/
sedo: A parking service serves the zone, with a wildcard of its own.
  zone sedo.com on pdns_server | at ns1.sedoparking.com ns2.sedoparking.com
  glue ns1.sedoparking.com. A 127.0.42.41; ns2.sedoparking.com. A 127.0.42.42
  * TXT "v=spf1 -all" | * A 192.0.2.9 | is record_absent awaits registrar
  says /parking service/ /At the registrar of sedo\.com, renew/ | never /TXT|wildcard/
unpaid: The registrar has given the domain the nameservers of those that expired.
  zone unpaid.com on pdns_server | at ns1.pendingrenewaldeletion.com
  glue ns1.pendingrenewaldeletion.com. A 127.0.42.41 | * CNAME landing.farm.example.
  is record_absent awaits registrar | says /At the registrar of unpaid\.com, renew unpaid\.com/
  never /TXT|alias/
unconfirmed: And here those of domains whose owner did not answer the registrar's mail.
  zone unconfirmed.com | at ns1.verification-hold.suspended-domain.com
  glue ns1.verification-hold.suspended-domain.com. A 127.0.0.1
  is lame_delegation awaits registrar | says /At the registrar of unconfirmed\.com, confirm/
  never /set up the zone/
tcp-alone: Only TCP port 53 is open, so that Deed reads the zone and resolvers do not.
  zone tcp-alone.com on dnsdist | @ A 192.0.2.3 | front no-udp | is servfail awaits provider
  tells {fault: {type: no_udp}} | says /UDP port 53/
`
  .trim()
  .split(/\n(?=\S)/)
  .map(scenarioOf);
