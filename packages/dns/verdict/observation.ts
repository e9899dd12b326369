import type { Judgement } from "../dnssec/verdict.ts";

/**
 * "tcp_refused": it answers over UDP only. "case_changed": over UDP only, in other letter case. "too_large": cut short over
 * TCP too. "is_alias": its name is an alias, which is not followed. "ipv6_only": it has only IPv6 addresses, and this
 * machine has no IPv6 route.
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

/** RCODEs that answer a question about a name. YXDOMAIN: a DNAME substitution made the name too long. */
const CONCLUSIVE_RCODES = new Set(["NOERROR", "NXDOMAIN", "YXDOMAIN"]);

export function rcodeFailure(rcode: string): "servfail" | "refused" | "malformed" | null {
  if (CONCLUSIVE_RCODES.has(rcode)) return null;
  if (rcode === "SERVFAIL") return "servfail";
  return rcode === "REFUSED" || rcode === "NOTAUTH" || rcode === "NOTIMP" ? "refused" : "malformed";
}

export type WitnessFailure = "timeout" | "refused" | "servfail" | "malformed" | "untrusted";

/** Times in milliseconds. */
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
  /** Recursion available; exchanges stored before this field was added lack it. */
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
  /** TTL of the TXT RRset in seconds; null without one. */
  ttl: number | null;
  /** A CNAME or DNAME in the answer, and its owner name. Never followed. */
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
  /** The SOA question for the zone, and whose SOA record the answer has. */
  soa: "answered" | Failure;
  owner: string | null;
  /** The A question for the challenge name in lower case, without EDNS; null if not asked. */
  plain: "answered" | Failure | null;
};

export type ServerReading = {
  /** Lower case, no trailing dot. */
  host: string;
  address: string | null;
  result: "answered" | Failure;
  /** The authoritative answer: present if `result` is "answered", or if TCP did not confirm the answer. */
  answer: TxtAnswer | null;
  latencyMs: number | null;
  alias?: string;
  control?: Control;
  /** The nameservers in its copy of the zone. Asked, like `own`, only if servers disagree or all fail. */
  listed?: string[];
  /** Its addresses in its own zone, if the delegation's address is not among them (stale glue). */
  own?: string[];
  /** The registry says that the domain of this name does not exist. */
  unregistered?: true;
};

export type WitnessReading = {
  name: string;
  address: string;
  /** "unasked": its turn comes later. */
  result: "answered" | WitnessFailure | "unasked";
  answer: TxtAnswer | null;
  /** Nameservers of the zone where the walk ended, as it knows them: lower case, sorted. Null if it gave none. */
  nameservers: string[] | null;
  ad: boolean;
  /** RFC 8914 extended errors of its answer. */
  extendedErrors: { code: number; text: string }[];
  /** RCODE of the same question with CD=1; asked only after a SERVFAIL. */
  uncheckedRcode: string | null;
  latencyMs: number | null;
  /** The TTL of a denial that it made just now, in seconds. Left out if its denial of the record cannot be compared. */
  fresh?: number;
  /** Seconds left of the zone's DS records in its cache: asked only if our own validation passes. */
  dsTtl?: number;
};

/** How a witness resolves the zone: its answer about the SOA, and about other questions. */
export type ZoneWitness = WitnessReading & {
  /** Whether it answers for DNSKEY, unvalidated (CD=1) and not from expired data (RFC 8914, code 3). */
  keys: boolean;
  /** Whether it answers for the parent zone; null unless it is slow with the SOA while the servers are quick to us. */
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

/** Places and types at which the token counts as a near miss, in order of precedence. */
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
  /** The value at the name: for token_as_host any TXT value, or ""; for an MX record its target. */
  value: string;
  others: number;
  servers: string[];
};

export type Delegation =
  /** `nameservers` come from the parent, lower case, sorted; `ttl` is that of the parent's NS RRset, in seconds. */
  | { type: "delegated"; zone: string; parent: string; nameservers: string[]; ttl: number }
  | { type: "none"; parent: string; rcode: string }
  /** The root or the registry (`zone`) did not answer: a failure on our side. */
  | { type: "unreachable"; zone: string };

/** Why a read stopped early; null if it finished. "tcp": nothing answers over TCP, not even root and registries. */
export type Limit = "packets" | "deadline" | "referrals" | "tcp" | null;

/** What one read of a challenge saw: plain JSON with all that decisions and diagnoses need. */
export type Observation = {
  version: 1;
  at: number;
  durationMs: number;
  /** `domain` is the ASCII name D, `label` H, `challengeName` H.D, `token` T. */
  domain: string;
  label: string;
  challengeName: string;
  token: string;
  delegation: Delegation;
  /** One per delegated name, in order; then servers of the parent zone that answer for the name without T. */
  servers: ServerReading[];
  /** Servers that delegate the name to `zone`, while others do not. Ignored: these `nameservers` were not asked. */
  strays: { host: string; zone: string; nameservers: string[] }[];
  /** Silent servers of the zones between the registry and this one, and of zones with the nameservers' names. */
  silentAbove: string[];
  /** TXT at each address of nameservers that only witnesses list, one entry without addresses; null if no name differs. */
  named: ServerReading[] | null;
  /** Servers in the zone's own NS RRset but not in the parent's; asked only if no delegated server has T. */
  unlisted: ServerReading[];
  /** Servers delegated in earlier reads but not in this one; asked only if no delegated server has T. */
  former: ServerReading[];
  /** The parent zone, and the name in it that has T. Null if others or a registry own the zone, or if it was not asked. */
  parent: { zone: string; name: string | null; nameservers: string[] } | null;
  soa: Soa | null;
  /** The zone's serial on one server with T, asked only if other servers answer without T; otherwise null. */
  holder: { host: string; serial: number } | null;
  /** Types present at H.D, as reported by a server that answered NODATA for TXT; excludes CNAME. */
  typesAtName: string[];
  /** The answer and the path, repeated over TCP; null if not read. `differs`: the server gave the token over UDP only. */
  confirmation: { host: string; address: string; confirmed: boolean; differs?: true } | null;
  /** The wildcard that answers at H.D, "*.acme.com"; false if there is none; null if not asked or not answered. */
  wildcard: string | false | null;
  misplaced: MisplacedRecord[];
  /** Null if the witnesses were not needed; empty if none is configured. */
  witnesses: WitnessReading[] | null;
  /** If witnesses are asked one by one: those that denied the record, and when the next may be asked after each. */
  tried?: Denier[];
  /** Null until a read sees a delegation. */
  known?: KnownDelegation | null;
  /** A public resolver, not a witness, that has the record although no server has it; null if there is none. */
  outside?: string | null;
  /** Asked if no server has the record, never about the challenge name; null if not asked, absent in old evidence. */
  zoneWitnesses?: ZoneWitness[] | null;
  /** Null unless witnesses see a record that every server has, or fail only when they validate, or most are silent. */
  validation: Judgement | null;
  /** The RRsets behind a secure verdict, as encodeChain writes them; null for any other verdict. */
  chain: Uint8Array | null;
  /** Over UDP the servers only answer questions in lower case. */
  capitals?: true;
  /** Only resolvers were asked: each of `servers` then has the answer of one of them. */
  byResolvers?: true;
  /** Set for a record of another type than TXT; its values are in `answer`. */
  type?: "CNAME";
  /** The accepted value that was found in place of the token. */
  accepted?: string;
  /** A CNAME was asked for and is missing: the addresses and texts at the name. */
  instead?: { type: string; data: string[] }[];
  /** For a CNAME: whether its target exists, and the addresses there; null if not answered. */
  target?: { exists: boolean; addresses: string[] } | null;
  /** Nothing answers on port 53, so `validation` judges a resolver's answers over HTTPS. `held`: all resolvers, in turn. */
  shut?: { held: RestingResolver[] };
  packets: number;
  limit: Limit;
  exchanges: Exchange[];
};

/** What reads of a claim know about its delegation. `until`: when resolvers have forgotten an older one, epoch ms; or 0. */
export type KnownDelegation = { listing: string[]; ttl: number; until: number };

/** A resolver not to ask for the challenge name before `until`, epoch ms, when its cached denial expires. */
export type RestingResolver = { resolver: string; until: number };

/** `ends`: when its denial should expire. `again`: denied anew after that, in the first (1), second (2) … such read. */
export type Denier = RestingResolver & { ends?: number; again?: number };

export type Findings = Pick<
  Observation,
  "unlisted" | "former" | "parent" | "typesAtName" | "wildcard" | "misplaced" | "zoneWitnesses"
>;

/** An observation as evidenceOf bounds and escapes it for storage. The chain is in the receipt. */
export type Evidence = Omit<Observation, "chain">;
