import type { LabZone } from "../zones.ts";

export const LABEL = "_service-challenge";
export const TOKEN = "service_v1_7d0f3b9ae41c58206fd2b7c3910e84a5d6f12c3b";

/** The servers the zones are on, by host name. */
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
  /** What serves it, if anything does: dnsdist in front of NSD, or a program itself. */
  program?: Program;
  /** Zone file lines relative to the zone, without its SOA and NS. */
  records: string[];
  /** What the resolvers' addresses get instead (a BIND view). */
  forResolvers?: string[];
  /** A secondary whose primary is unreachable, so that there is no copy. */
  orphaned?: boolean;
  /** What the program is told the zone's name is, where it is another: one above it. */
  servedAs?: string;
  /** What dnsdist does: drops TCP, UDP, TXT, underscores or resolvers, truncates or answers late. */
  front?: "no-tcp" | "no-udp" | "no-txt" | "no-underscore" | "no-resolvers" | "truncates" | "slow";
};

export type Scenario = {
  id: string;
  /** The mistake, or the unusual set-up, in one sentence. */
  story: string;
  /** The name claimed; the zone's by default. */
  domain?: string;
  zone: ScenarioZone;
  /** Read again, 4 s later by its clock, until it says so. */
  again?: true;
  /** `found`, a diagnosis, or a wait. */
  verdict: string;
  awaits?: string;
  /** The expected part of `observed`. */
  observed?: object;
  /** What the words (cause and fix) must contain, and must not, because it would mislead. */
  says?: RegExp[];
  never?: RegExp[];
};

const txt = (value: string, host = LABEL) => `${host} TXT "${value}"`;
/** A zone on a program's servers. */
const on = (
  program: Program,
  name: string,
  records: string[],
  more: Partial<ScenarioZone> = {},
) => ({
  name,
  delegatedTo: [...HOSTS_OF[program]],
  program,
  records,
  ...more,
});

/** Each nameserver of a program, with what is wrong with it. */
const failing = (program: Program, result: string, reason: string) => ({
  nameservers: HOSTS_OF[program].map((host) => ({ host, result, reason })),
});

/** What only these programs show; what a mistake comes to, whoever serves it, is in the fault matrix of packages/dns. */
export const SCENARIOS: Scenario[] = [
  {
    id: "crowd",
    story: "Thirty long verification records share the name with the token: the answer is 5 KB.",
    zone: on("nsd", "crowd.com", [
      ...Array.from({ length: 30 }, (_, at) => txt(`verify-${at}=${"z".repeat(150)}`)),
      txt(TOKEN),
    ]),
    verdict: "found",
  },
  {
    id: "refused-half",
    story: "One of two nameservers was never told of the zone and refuses; the other has it.",
    zone: on("pdns_server", "refused-half.com", [txt(TOKEN)], {
      delegatedTo: ["nsd2.farm.example", "pdns1.farm.example"],
    }),
    // The first of two reads.
    verdict: "nameserver_sync",
  },
  {
    id: "two-faces",
    story: "Split horizon: an inside view without the record answers the resolvers.",
    zone: on("named", "two-faces.com", [txt(TOKEN)], {
      forResolvers: ["@ A 192.0.2.3"],
      minimum: 1,
    }),
    again: true,
    // Twice as long as resolvers may remember the old answer, and still they get another.
    verdict: "not_published",
    awaits: "provider",
    observed: { nameservers: [], publishedOn: HOSTS_OF.named },
    says: [/resolver/i, /different|another answer|other answer|view|split|inside|internal/i],
  },
  {
    id: "orphaned",
    story: "The nameserver is a secondary whose primary was switched off: it has no copy any more.",
    zone: on("named", "orphaned.com", [], { orphaned: true }),
    verdict: "lame_delegation",
    awaits: "provider",
    observed: {
      nameservers: HOSTS_OF.named.map((host) => ({ host, result: "servfail", reason: "no_copy" })),
    },
    says: [/load|transfer|expired|primary|no copy|copy of the zone/i, /bind1\.farm\.example/],
    never: [/(does|do|did) not answer/i],
  },
  {
    id: "star-address",
    story: "There is a wildcard A record and nothing else: any name exists, none has TXT.",
    zone: on("pdns_server", "star-address.com", ["* A 192.0.2.9", "@ A 192.0.2.9"]),
    verdict: "record_absent",
    awaits: "claimant",
    observed: { answer: { type: "nodata" }, nearMiss: null },
    says: [/TXT/, /_service-challenge/],
    // The wildcard is harmless and is not a record at that name.
    never: [/delete|remove|change its type|wrong type/i],
  },
  {
    id: "below-alias",
    story: "The name claimed is a CNAME; below it stands the challenge name, as DNS allows.",
    domain: "shop.below-alias.com",
    zone: on("pdns_server", "below-alias.com", [
      "shop CNAME shops.farm.example.",
      txt(TOKEN, `${LABEL}.shop`),
    ]),
    verdict: "found",
  },
  {
    id: "tcp-lost",
    story: "A filter in front of the nameservers loses everything that comes over TCP.",
    zone: on("dnsdist", "tcp-lost.com", [txt(TOKEN)], { front: "no-tcp" }),
    verdict: "lame_delegation",
    awaits: "provider",
    says: [/TCP/, /53/, /dist1\.farm\.example/, /dist2\.farm\.example/],
    never: [
      /record (is|was) (missing|not there|not found)/i,
      /(add|create) (a|the) (TXT )?record/i,
    ],
  },
  {
    id: "always-cut",
    story: "Against floods, the filter cuts every answer over UDP, so that askers come over TCP.",
    zone: on("dnsdist", "always-cut.com", [txt(TOKEN)], { front: "truncates" }),
    verdict: "found",
  },
  {
    id: "slow",
    story: "The nameservers are far away and loaded: every answer takes a second and a half.",
    zone: on("dnsdist", "slow.com", [txt(TOKEN)], { front: "slow" }),
    // unbound takes seven seconds to learn how slow the servers are, so the first read is too early.
    again: true,
    verdict: "found",
  },
  {
    id: "resolver-as-ns",
    story: "The company's resolver was entered as the nameserver: it answers without authority.",
    zone: { name: "office-dns.com", delegatedTo: ["office.farm.example"], records: [] },
    verdict: "lame_delegation",
    awaits: "registrar",
    observed: {
      nameservers: [{ host: "office.farm.example", result: "refused", reason: "resolver" }],
    },
    says: [/office\.farm\.example/, /\bresolver\b|recursive/i],
    never: [/either|or this is/i],
  },
  {
    id: "left-behind",
    story: "The zone was deleted at the company whose nameservers the registry still lists.",
    zone: { name: "left-behind.com", delegatedTo: [...HOSTS_OF.nsd], records: [] },
    verdict: "lame_delegation",
    awaits: "provider",
    observed: failing("nsd", "refused", "no_zone"),
    says: [/does not have the zone|do not have the zone|set up/i],
    never: [/resolver/i],
  },
  {
    id: "parked",
    story: "The domain is at a parking service that answers for every name below com.",
    zone: on("pdns_server", "parked.com", [txt("v=spf1 -all", "*"), "* A 192.0.2.9"], {
      servedAs: "com",
    }),
    verdict: "lame_delegation",
    observed: failing("pdns_server", "not_authoritative", "zone_above"),
    says: [/zone above|parking/i],
    never: [/wildcard|keep/i],
  },
  {
    id: "txt-filtered",
    story: "A filter against amplification drops every question for TXT.",
    zone: on("dnsdist", "txt-filtered.com", [txt(TOKEN)], { front: "no-txt" }),
    verdict: "lame_delegation",
    observed: failing("dnsdist", "timeout", "txt"),
    says: [/TXT/, /other questions/i],
  },
  {
    id: "host-names-only",
    story: "A firewall lets names of hosts pass, and refuses those with an underscore.",
    zone: on("dnsdist", "host-names-only.com", [txt(TOKEN)], { front: "no-underscore" }),
    verdict: "lame_delegation",
    observed: failing("dnsdist", "refused", "underscore"),
    says: [/underscore/i],
  },
  {
    id: "no-resolvers",
    story: "The nameservers drop what public resolvers ask, and the record is not there yet.",
    zone: on("dnsdist", "no-resolvers.com", ["@ A 192.0.2.3"], { front: "no-resolvers" }),
    verdict: "servfail",
    awaits: "provider",
    observed: { fault: { type: "unreachable" } },
    says: [/resolvers/i, /block|limit/i],
    never: [/DNSSEC|signature|add (a|the) TXT record/i],
  },
  {
    id: "tcp-alone",
    story: "Only TCP port 53 is open, so that Deed reads the zone and resolvers do not.",
    zone: on("dnsdist", "tcp-alone.com", ["@ A 192.0.2.3"], { front: "no-udp" }),
    verdict: "servfail",
    awaits: "provider",
    observed: { fault: { type: "no_udp" } },
    says: [/UDP port 53/],
  },
];
