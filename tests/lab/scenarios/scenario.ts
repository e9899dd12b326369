import { flowIn, patterns } from "@deed/dns/testing/row-lines.ts";
import { LABEL, TOKEN } from "../case.ts";
import type { LabZone } from "../zones.ts";

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
} as const;
export type Host = keyof typeof HOSTS;

export const HOSTS_OF = {
  nsd: ["nsd1.farm.example", "nsd2.farm.example"],
  named: ["bind1.farm.example"],
  pdns_server: ["pdns1.farm.example", "pdns2.farm.example"],
  dnsdist: ["dist1.farm.example", "dist2.farm.example"],
} as const satisfies Record<string, Host[]>;
export type Program = keyof typeof HOSTS_OF;

export type ScenarioZone = Pick<LabZone, "name" | "delegatedTo" | "minimum"> & {
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
 * As lines, or separated by bars: `id: story`; `zone name on program`, or `at hosts`; its records; `is verdict awaits whom`;
 * what is observed (`tells`); what words must contain (`says`), and must not (`never`).
 */
function scenarioOf(block: string): Scenario {
  const [head = "", ...lines] = block.split(/\n| \| /).map((line) => line.trim());
  const [, id = "", story = ""] = /^(\S+): (.*)$/.exec(head) ?? [];
  const rest = (word: string) =>
    lines.find((line) => line.startsWith(`${word} `))?.slice(word.length + 1);
  const [, name = "", on] = /^(\S+)(?: on (\S+))?/.exec(rest("zone") ?? "") ?? [];
  const program = on as Program | undefined;
  const hosts = rest("at")
    ?.split(" ")
    .map((host) => `${host}.farm.example`);
  const [verdict = "", awaits] = rest("is")?.split(" awaits ") ?? [];
  const [tells, inside, minimum] = [rest("tells"), rest("inside"), rest("minimum")];
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
tcp-alone: Only TCP port 53 is open, so that Deed reads the zone and resolvers do not.
  zone tcp-alone.com on dnsdist | @ A 192.0.2.3 | front no-udp | is servfail awaits provider
  tells {fault: {type: no_udp}} | says /UDP port 53/
`
  .trim()
  .split(/\n(?=\S)/)
  .map(scenarioOf);
