import type { Judgement } from "../dnssec/verdict.ts";

/**
 * How a server fails. "tcp_refused": it answers over UDP only. "case_changed": so too, and in other letter case.
 * "too_large": its answer is cut short over TCP too. "is_alias": its name is an alias, which is not followed.
 * "ipv6_only": it has only IPv6 addresses, and this machine has no IPv6 route.
 */
export const FAILURES = [
  "timeout",
  "refused",
  "servfail",
  "not_authoritative",
  "no_address",
  "blocked_address",
  "malformed",
  "tcp_refused",
  "case_changed",
  "too_large",
  "is_alias",
  "ipv6_only",
] as const;
export type Failure = (typeof FAILURES)[number];

/** RCODEs that answer a question about a name. With YXDOMAIN, a DNAME substitution made the name too long. */
const CONCLUSIVE_RCODES = new Set(["NOERROR", "NXDOMAIN", "YXDOMAIN"]);

export function rcodeFailure(rcode: string): "servfail" | "refused" | "malformed" | null {
  if (CONCLUSIVE_RCODES.has(rcode)) return null;
  if (rcode === "SERVFAIL") return "servfail";
  return rcode === "REFUSED" || rcode === "NOTAUTH" || rcode === "NOTIMP" ? "refused" : "malformed";
}

export type WitnessFailure = "timeout" | "refused" | "servfail" | "malformed" | "untrusted";

/** A question that was sent, and its result. Times are in milliseconds. */
export type Exchange = {
  server: string;
  address: string;
  transport: "udp" | "tcp" | "tls" | "https";
  question: { name: string; type: string };
  at: number;
  latencyMs: number | null;
  result: "answered" | Failure | WitnessFailure;
  rcode: string | null;
  aa: boolean;
  ad: boolean;
  tc: boolean;
  /** Recursion available. Exchanges that were stored before this field was added lack it. */
  ra?: boolean;
};

/** The fields of a SOA record that a read uses (RFC 1035 section 3.3.13); times in seconds. */
export type Soa = {
  zone: string;
  serial: number;
  refresh: number;
  minimum: number;
  ttl: number;
};

export type RecordType = "TXT" | "CNAME";

export type TxtAnswer = {
  rcode: string;
  /** One entry per record, its strings joined (RFC 1035 section 3.3.14) and decoded as UTF-8. Not bounded yet. */
  values: string[];
  /** The TTL of the TXT RRset in seconds; null without one. */
  ttl: number | null;
  /** A CNAME or DNAME in the answer, with its owner name. It is never followed. */
  alias: { type: "CNAME" | "DNAME"; name: string; target: string } | null;
  soa: Soa | null;
};

/** Why a server fails, as its answers to other questions show. */
export const REASONS = [
  "no_zone",
  "no_copy",
  "zone_above",
  "resolver",
  "unregistered",
  "silent",
  "txt",
  "name",
  "underscore",
  "capitals",
  "blocks_us",
] as const;
export type Reason = (typeof REASONS)[number];

/** Why no record can be added at a domain's nameservers. */
export const PARKED = ["parking", "expired", "unconfirmed"] as const;
export type ParkedReason = (typeof PARKED)[number];

/** A server's answers to control questions, used only for the diagnosis. */
export type Control = {
  /** The result of the SOA question for the zone. `owner` is the owner of the SOA record in the answer. */
  soa: "answered" | Failure;
  owner: string | null;
  /** The result of the A question for the challenge name in lower case, without EDNS; null if it was not asked. */
  plain: "answered" | Failure | null;
};

export type ServerReading = {
  /** The server's name, in lower case, without a trailing dot. */
  host: string;
  address: string | null;
  result: "answered" | Failure;
  /** The authoritative answer: present if `result` is "answered", or if TCP did not confirm the answer. */
  answer: TxtAnswer | null;
  latencyMs: number | null;
  alias?: string;
  control?: Control;
  /** The nameservers in its copy of the zone. Like `own`, this is asked only if servers disagree or all fail. */
  listed?: string[];
  /** Its addresses in its own zone, if the delegation's address is not among them (stale glue). */
  own?: string[];
  /** Set if the registry says that the domain of this name does not exist. */
  unregistered?: true;
};

export type WitnessReading = {
  name: string;
  address: string;
  /** A witness is "unasked" if its turn comes later. */
  result: "answered" | WitnessFailure | "unasked";
  answer: TxtAnswer | null;
  /** The zone's nameservers as this witness knows them, in lower case, sorted. Null if it gave none. */
  nameservers: string[] | null;
  ad: boolean;
  /** The extended errors (RFC 8914) of its answer. */
  extendedErrors: { code: number; text: string }[];
  /** The RCODE of the same question with CD=1, which is asked only after a SERVFAIL. */
  uncheckedRcode: string | null;
  latencyMs: number | null;
  /** The TTL of a denial that it made just now, in seconds. Left out if its denial of the record cannot be compared. */
  fresh?: number;
  /** Seconds that its cache keeps the zone's DS records. Asked only if our own validation passes. */
  dsTtl?: number;
};

/** How a witness resolves the zone: its answer about the SOA, and its answers to other questions. */
export type ZoneWitness = WitnessReading & {
  /** Whether it answers for DNSKEY, unvalidated (CD=1) and not from expired data (RFC 8914, code 3). */
  keys: boolean;
  /** Whether it answers for the parent zone. Null unless it is slow with the SOA while the servers are quick to us. */
  parent: boolean | null;
};

/** Possible damage to a token, in the order of the message. */
export const CORRUPTIONS = [
  "quoted",
  "whitespace",
  "prefix",
  "suffix",
  "case",
  "lookalike",
  "truncated",
] as const;

/** Places and types at which the token is a near miss, in order of precedence. */
export const NEAR_MISS_KINDS = [
  "ns_target",
  "mx_target",
  "spf_type",
  "no_underscore",
  "misspelled",
  "quoted_host",
  "host_doubled",
  "domain_repeated",
  "domain_doubled",
  "www_in_front",
  "asterisk",
  "labels_swapped",
  "dot_typed",
  "mail_policy",
  "alias_target",
  "parent",
  "zone_apex",
  "between",
  "token_as_host",
] as const;
export type NearMissKind = (typeof NEAR_MISS_KINDS)[number];
export type ProbeKind = NearMissKind | "domain_appended" | "apex" | "challenge_on_www" | "www";

/** A record at a wrong place, confirmed by a second server if there is one, and not from a wildcard. */
export type MisplacedRecord = {
  kind: ProbeKind;
  name: string;
  /** The value at the name. For token_as_host it is any TXT value, or ""; for an MX record its target. */
  value: string;
  others: number;
  servers: string[];
};

export type Delegation =
  /** `nameservers` come from the parent, in lower case, sorted. `ttl` is that of the parent's NS RRset, in seconds. */
  | { type: "delegated"; zone: string; parent: string; nameservers: string[]; ttl: number }
  | { type: "none"; parent: string; rcode: string }
  /** The root or the registry, `zone`, did not answer, which is a failure on our side. */
  | { type: "unreachable"; zone: string };

/** Why a read stopped early; null if it finished. "tcp": nothing answers over TCP, not even root and registries. */
export type Limit = "packets" | "deadline" | "referrals" | "tcp" | null;

/** What one read of a challenge saw: plain JSON with all that decisions and diagnoses need. */
export type Observation = {
  version: 1;
  at: number;
  durationMs: number;
  /** The record is at `challengeName`, which is `label`.`domain`, in ASCII. Its value is `token`. */
  domain: string;
  label: string;
  challengeName: string;
  token: string;
  delegation: Delegation;
  /** One per delegated name, in order. Servers of the parent zone that answer for the name without the token follow. */
  servers: ServerReading[];
  /** Servers that delegate the name to `zone` while others do not. These `nameservers` were not asked. */
  strays: { host: string; zone: string; nameservers: string[] }[];
  /** Silent servers of the zones between the registry and this one, and of zones with the nameservers' names. */
  silentAbove: string[];
  /** TXT at each address of nameservers that only witnesses list, one entry without addresses; null without names. */
  named: ServerReading[] | null;
  /** Servers in only the zone's own NS RRset, not in the parent's; asked only if no delegated server has the token. */
  unlisted: ServerReading[];
  /** Servers that only earlier reads saw delegated; asked only if no delegated server has the token. */
  former: ServerReading[];
  /** The parent zone, and the name in it that has the token. Null if not asked, or if the claimant cannot edit it. */
  parent: { zone: string; name: string | null; nameservers: string[] } | null;
  soa: Soa | null;
  /** The zone's serial on one server with the token. Asked only if other servers answer without it; otherwise null. */
  holder: { host: string; serial: number } | null;
  /** The types at the challenge name, without CNAME, according to a server that answered NODATA for TXT. */
  typesAtName: string[];
  /** Whether TCP confirmed answer and path; null if not read. `differs`: the server has the token over UDP only. */
  confirmation: { host: string; address: string; confirmed: boolean; differs?: true } | null;
  /** The wildcard that answers for the challenge name, "*.acme.com"; false if there is none; null if unknown. */
  wildcard: string | false | null;
  misplaced: MisplacedRecord[];
  /** Null if the witnesses were not needed; empty if none is configured. */
  witnesses: WitnessReading[] | null;
  /** Witnesses that denied the record, and when the next may be asked after each, if they are asked one by one. */
  tried?: Denier[];
  /** What reads of the claim know about its delegation; null until one sees it. */
  known?: KnownDelegation | null;
  /** A public resolver, not a witness, that has the record although no server has it; null if there is none. */
  outside?: string | null;
  /** The witnesses on the zone, asked if no server has the record; null if not asked, absent in old evidence. */
  zoneWitnesses?: ZoneWitness[] | null;
  /** Null unless witnesses see a record that every server has, or fail only when they validate, or most are silent. */
  validation: Judgement | null;
  /** The RRsets behind a secure verdict, as encodeChain writes them; null for any other verdict. */
  chain: Uint8Array | null;
  /** Set if the servers answer over UDP only questions in lower case. */
  capitals?: true;
  /** Set if only resolvers were asked: each of `servers` then has the answer of one of them. */
  byResolvers?: true;
  /** Set for a record of another type than TXT; its values are in `answer`. */
  type?: "CNAME";
  /** The accepted value that was found in place of the token. */
  accepted?: string;
  /** If a CNAME was asked for and is missing, the addresses and texts at the name. */
  instead?: { type: string; data: string[] }[];
  /** For a CNAME, whether its target exists, and the addresses there; null if not answered. */
  target?: { exists: boolean; addresses: string[] } | null;
  /** Set if nothing answers on port 53: `validation` judges answers over HTTPS. `held` has all resolvers, in turn. */
  shut?: { held: RestingResolver[] };
  packets: number;
  limit: Limit;
  exchanges: Exchange[];
};

/** A claim's delegation as reads know it. `until` is when resolvers have forgotten an older one, in epoch ms; or 0. */
export type KnownDelegation = { listing: string[]; ttl: number; until: number };

/** A resolver not to ask for the challenge name before `until`, in epoch ms, when its cached denial expires. */
export type RestingResolver = { resolver: string; until: number };

/** Its denial should expire at `ends`. If it denies anew after that, `again` is the number of that read: 1, 2 … */
export type Denier = RestingResolver & { ends?: number; again?: number };

export type Findings = Pick<
  Observation,
  "unlisted" | "former" | "parent" | "typesAtName" | "wildcard" | "misplaced" | "zoneWitnesses"
>;

/** An observation as evidenceOf bounds and escapes it for storage. The chain is in the receipt. */
export type Evidence = Omit<Observation, "chain">;
