import type { History } from "@deed/dns/verdict/history.ts";
import type { LabZone } from "../zones.ts";

export const LABEL = "_service-challenge";
export const TOKEN = "service_v1_7d0f3b9ae41c58206fd2b7c3910e84a5d6f12c3b";

/** The servers the zones are on, by host name. */
export const HOSTS = {
  "knot1.farm.example": "127.0.42.11",
  "knot2.farm.example": "127.0.42.12",
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
  "gone.farm.example": "127.0.42.99",
} as const;
export type Host = keyof typeof HOSTS;

export const KNOT: Host[] = ["knot1.farm.example", "knot2.farm.example"];
export const NSD: Host[] = ["nsd1.farm.example", "nsd2.farm.example"];
export const BIND: Host[] = ["bind1.farm.example"];
export const PDNS: Host[] = ["pdns1.farm.example", "pdns2.farm.example"];
export const DIST: Host[] = ["dist1.farm.example", "dist2.farm.example"];

export type Program = "knotd" | "nsd" | "named" | "pdns_server";

/** One program's copy of a zone. Records are zone file lines relative to the zone, without its SOA and NS. */
export type Copy = {
  program: Program;
  records: string[];
  serial?: number | undefined;
  /** What the resolvers' addresses get instead (a BIND view). */
  forResolvers?: string[] | undefined;
  /** The zone is a secondary whose primary is unreachable, so there is no copy. */
  orphaned?: boolean | undefined;
};

export type ScenarioZone = Pick<LabZone, "name" | "delegatedTo" | "ownNameservers" | "minimum"> & {
  copies: Copy[];
  /**
   * `expired`: the signatures have expired. `edited`: records were added to the signed file without signing again.
   * `left`: unsigned, with an old DS still at the registry.
   */
  dnssec?: "expired" | "edited" | "left";
  /** dnsdist in front of the copies: drops TCP, truncates every UDP answer, or answers late. */
  front?: "no-tcp" | "truncates" | "slow";
};

/** Zones with one copy, by default on the servers that the registry lists. */
const on =
  (program: Program, hosts: Host[]) =>
  (
    name: string,
    records: string[],
    { serial, forResolvers, orphaned, ...rest }: Partial<Copy & ScenarioZone> = {},
  ): ScenarioZone => ({
    name,
    delegatedTo: hosts,
    copies: [{ program, records, serial, forResolvers, orphaned }],
    ...rest,
  });
export const onKnot = on("knotd", KNOT);
export const onNsd = on("nsd", NSD);
export const onBind = on("named", BIND);
export const onPdns = on("pdns_server", PDNS);

export type Expected = {
  /** `found`, a diagnosis, or several if a DNS expert would accept any of them. */
  verdict: string | string[];
  awaits?: string;
  /** The expected part of `observed`. */
  observed?: object;
  /** What the wording (cause and fix) must contain. */
  says?: RegExp[];
  /** What cause, fix, action and `observed` together must contain. */
  shows?: (string | RegExp)[];
  /** What the wording must not contain, because it would mislead the user. */
  never?: RegExp[];
};

export type Scenario = {
  id: string;
  /** The mistake, or the unusual set-up, in one sentence. */
  story: string;
  /** The name claimed; the first zone's by default. */
  domain?: string;
  zones: ScenarioZone[];
  history?: Partial<History>;
  /**
   * `remembered`: the resolvers were queried before the records existed. `again`: read twice, 4 s apart; the second
   * counts.
   */
  staged?: "remembered" | "again";
  expected: Expected;
};

export const txt = (value: string, host = LABEL) => `${host} TXT "${value}"`;
