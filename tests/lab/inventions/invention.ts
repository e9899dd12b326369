import type { History } from "#app/dns/verdict/diagnosis.ts";

export const LABEL = "_service-challenge";
export const TOKEN = "service_v1_7d0f3b9ae41c58206fd2b7c3910e84a5d6f12c3b";

/** The servers the zones stand on, by the name a delegation gives them.  */
export const HOSTS = {
  "knot1.farm.example": "127.0.42.11",
  "knot2.farm.example": "127.0.42.12",
  "nsd1.farm.example": "127.0.42.21",
  "nsd2.farm.example": "127.0.42.22",
  // BIND listens on no address that an interface was not given.
  "bind1.farm.example": "127.0.0.1",
  "pdns1.farm.example": "127.0.42.41",
  "pdns2.farm.example": "127.0.42.42",
  "dist1.farm.example": "127.0.42.51",
  "dist2.farm.example": "127.0.42.52",
  // unbound, a resolver: somebody took it for a nameserver.
  "office.farm.example": "127.0.40.11",
  // Nobody listens there.
  "gone.farm.example": "127.0.42.99",
} as const;
export type Host = keyof typeof HOSTS;

export const KNOT: Host[] = ["knot1.farm.example", "knot2.farm.example"];
export const NSD: Host[] = ["nsd1.farm.example", "nsd2.farm.example"];
export const BIND: Host[] = ["bind1.farm.example"];
export const PDNS: Host[] = ["pdns1.farm.example", "pdns2.farm.example"];
export const DIST: Host[] = ["dist1.farm.example", "dist2.farm.example"];

export type Program = "knotd" | "nsd" | "named" | "pdns_server";

/** One program's copy of a zone. Records are lines of a zone file, relative to the zone, beside its SOA and NS. */
export type Copy = {
  program: Program;
  records: string[];
  serial?: number;
  /** What the resolvers' addresses get instead (a view of BIND's). */
  forResolvers?: string[];
  /** The zone is configured as a secondary whose primary cannot be reached: there is no copy. */
  orphaned?: boolean;
};

export type InventedZone = {
  name: string;
  /** Hosts of the parent's NS records. */
  delegatedTo: string[];
  /** Hosts of the zone's own NS records; the parent's unless given. */
  ownNameservers?: string[];
  copies: Copy[];
  /** TTL of SOA, SOA MINIMUM, in seconds; 300 unless given. */
  minimum?: number;
  /**
   * `expired`: signed, the signatures ran out. `edited`: signed, and the records typed into the signed file after that,
   * without signing again. `left`: not signed, with a DS of former times at the registry.
   */
  dnssec?: "expired" | "edited" | "left";
  /** dnsdist in front of the copies: drops what comes over TCP, cuts every answer over UDP, or answers late. */
  front?: "no-tcp" | "truncates" | "slow";
};

export type Expected = {
  /** `found`, a diagnosis, or several where a friend who knows DNS would take any of them. */
  verdict: string | string[];
  awaits?: string;
  /** A part of `observed`. */
  observed?: object;
  /** What the words (cause and fix) must say. */
  says?: RegExp[];
  /** What cause, fix, action and `observed`, taken together, must show. */
  shows?: (string | RegExp)[];
  /** What the words must not say: it would send the person the wrong way. */
  never?: RegExp[];
};

export type Invention = {
  id: string;
  /** The mistake, or the unusual set-up, in one sentence. */
  story: string;
  server: string;
  /** The name claimed. */
  domain: string;
  zones: InventedZone[];
  history?: Partial<History>;
  /** `remembered`: resolvers asked before the records were there. `again`: read twice, 4 s apart; the second counts. */
  staged?: "remembered" | "again";
  expected: Expected;
};

export const txt = (value: string, host = LABEL) => `${host} TXT "${value}"`;
