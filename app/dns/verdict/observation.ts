import type { AnswerSize } from "../message-size.ts";
import type { Soa } from "../soa.ts";
/**
 * What one read of a challenge saw: plain JSON, enough to decide and to diagnose without asking again.
 * The reader (challenge.ts) writes it; decide.ts, diagnose.ts and wait.ts read it; none of them does I/O.
 */

/**
 * How a nameserver failed to give an authoritative answer that can be confirmed. "tcp_refused": over UDP it answers, over
 * TCP not an octet comes. "case_changed": the same, and over UDP the question came back in other letters. "is_alias": its
 * name is one, and not followed. "ipv6_only": this machine has no way to any address it has.
 */
export type Failure =
  | "timeout"
  | "refused"
  | "servfail"
  | "not_authoritative"
  | "no_address"
  | "blocked_address"
  | "malformed"
  | "tcp_refused"
  | "case_changed"
  | "too_large"
  | "is_alias"
  | "ipv6_only";

/** How a witness failed to answer. "untrusted": its certificate does not hold. */
export type WitnessFailure = "timeout" | "refused" | "servfail" | "malformed" | "untrusted";

/** One question put to one address, and what came back. Times in milliseconds. */
export type Exchange = {
  /** Host name of the server asked, or the configured name of a witness. */
  server: string;
  address: string;
  transport: "udp" | "tcp" | "tls" | "https";
  question: { name: string; type: string };
  /** When it was sent, epoch milliseconds. */
  at: number;
  /** Null where nothing usable came back. */
  latencyMs: number | null;
  result: "answered" | Failure | WitnessFailure;
  /** RCODE mnemonic ("NOERROR", "NXDOMAIN", ...), null without an answer. */
  rcode: string | null;
  aa: boolean;
  ad: boolean;
  tc: boolean;
};

/** The answer to TXT at one name. */
export type TxtAnswer = {
  rcode: string;
  /** One entry a record, its strings joined (RFC 1035 section 3.3.14), decoded as UTF-8. Unbounded here; bounded where stored or shown. */
  values: string[];
  /** TTL of the TXT RRset in seconds; null without one. */
  ttl: number | null;
  /** A CNAME or DNAME in the answer, and the name it stands at there. Never followed. */
  alias: { type: "CNAME" | "DNAME"; name: string; target: string } | null;
  /** SOA of the authority section of a negative answer. */
  soa: Soa | null;
};

/** What one delegated nameserver name said about TXT at the challenge name. */
export type ServerReading = {
  /** Lower case, no trailing dot. */
  host: string;
  /** The address that answered, or the last one tried; null where there was none to try. */
  address: string | null;
  result: "answered" | Failure;
  /** Authoritative: present when `result` is "answered", and where it could not be confirmed over TCP. */
  answer: TxtAnswer | null;
  latencyMs: number | null;
  /** Of a "too_large" answer. */
  size?: AnswerSize;
  /** What the name of an "is_alias" server is an alias of. */
  alias?: string;
};

/** A server that hands the challenge name to another zone, while others of its zone do not. */
export type Stray = {
  host: string;
  zone: string;
  /** Lower case, sorted. */
  nameservers: string[];
};

/** What one witness, a recursive validating resolver, said. */
export type WitnessReading = {
  name: string;
  address: string;
  result: "answered" | WitnessFailure;
  answer: TxtAnswer | null;
  /** Of the zone the walk ended in, as the witness knows it: lower case, sorted. Null where it did not say. */
  nameservers: string[] | null;
  /** The AD flag of its answer. */
  ad: boolean;
  /** RFC 8914 extended errors of its answer. */
  extendedErrors: { code: number; text: string }[];
  /** RCODE of the same question with CD=1; asked only after a SERVFAIL. */
  uncheckedRcode: string | null;
  latencyMs: number | null;
};

/** Where a misplaced record is looked for: wrong names, and at the right one wrong types. */
export type ProbeKind =
  | "domain_appended"
  | "apex"
  | "challenge_on_www"
  | "www"
  | "no_underscore"
  | "misspelled"
  | "host_doubled"
  | "parent"
  | "token_as_host"
  | "quoted_host"
  | "domain_repeated"
  | "zone_apex"
  | "between"
  | "mx_target"
  | "spf_type"
  | "ns_target";

/** A record found where it does not belong: confirmed on a second server where there is one, no wildcard. */
export type Misplaced = {
  kind: ProbeKind;
  name: string;
  /** The value seen there; for token_as_host whatever stands at the name, or ""; of an MX its target. */
  value: string;
  /** How many other TXT values stand at the name. */
  others: number;
  servers: string[];
};

/** What the zone above has of the token, where this one is delegated from a zone that somebody edits. */
export type ParentReading = {
  /** No registry's. */
  zone: string;
  /** Where the token was seen there, on one of them; null where it was not. */
  name: string | null;
  nameservers: string[];
};

/** When a signature holds (epoch milliseconds), and which key made it (RFC 4034 section 3.1). */
export type Signature = {
  keyTag: number;
  algorithm: number;
  inception: number;
  expiration: number;
};

/** What was read of the DNSSEC of one zone, to tell why resolvers refuse an answer of it or of a zone below. */
export type DnssecReading = {
  zone: string;
  parent: string;
  /** The parent's DS records; `fits`: one of the zone's keys is the one it is of. Null where the parent did not say. */
  ds: { keyTag: number; algorithm: number; digestType: number; fits: boolean }[] | null;
  /** Seconds: of the DS RRset; null without one. */
  dsTtl: number | null;
  /** The zone's keys as its own servers have them; null where none said. */
  keys: { keyTag: number; algorithm: number; isEntryPoint: boolean }[] | null;
  /** Signatures of the key set. */
  keySignatures: Signature[];
  /** Signatures of TXT at the challenge name; null where no server said, and of zones above. */
  answerSignatures: Signature[] | null;
};

export type Delegation =
  /** `nameservers` are the parent's, lower case, sorted; `ttl` of the parent's NS RRset in seconds. */
  | { type: "delegated"; zone: string; parent: string; nameservers: string[]; ttl: number }
  /** The registry answers, and delegates nothing there. */
  | { type: "none"; parent: string; rcode: string }
  /** The root or the registry (`zone`) stayed silent: our side. */
  | { type: "unreachable"; zone: string };

/**
 * Why a read stopped before it was through; null where it was not stopped. "tcp": a zone's servers had to be asked over
 * TCP, and nobody answered there, the root and the registries neither.
 */
export type Limit = "packets" | "deadline" | "referrals" | "pace" | "tcp" | null;

export type Observation = {
  version: 1;
  /** Start of the read, epoch milliseconds. */
  at: number;
  durationMs: number;
  /** ASCII name D; the label H; the challenge name H.D; the token T. */
  domain: string;
  label: string;
  challengeName: string;
  token: string;
  delegation: Delegation;
  /**
   * One entry a delegated nameserver name, in its order; then servers of the parent zone that answer for the name
   * themselves, without T. Empty without a delegation.
   */
  servers: ServerReading[];
  /** Their cut does not count, and nobody it names was asked. */
  strays: Stray[];
  /** Servers that the zone's own NS RRset names and the parent does not; asked only when no delegated server has T. */
  unlisted: ServerReading[];
  /** Servers that earlier reads found delegated and this one did not; asked only when no delegated server has T. */
  former: ServerReading[];
  /** What the zone above says; null where that is a registry's, and where it was not asked. */
  parent: ParentReading | null;
  /** SOA of the zone as its own servers gave it. */
  soa: Soa | null;
  /** The zone's serial on one server that has T, asked where others answer without it; null where it was not. */
  holder: { host: string; serial: number } | null;
  /** Types present at H.D as far as a NODATA answer's server told when asked for others (CNAME excluded). */
  typesAtName: string[];
  /** The winning answer once more over TCP, and the way to the servers with it; null where it was not reached. */
  confirmation: { host: string; address: string; confirmed: boolean } | null;
  /** Name of the wildcard that answers at H.D, "*.acme.com"; false: none does; null: not asked, or no answer. */
  wildcard: string | false | null;
  misplaced: Misplaced[];
  /** Null where the witnesses were not needed; empty where none is configured. */
  witnesses: WitnessReading[] | null;
  /** From the registry's zone down; null where the witnesses gave no cause to look. */
  dnssec: DnssecReading[] | null;
  packets: number;
  limit: Limit;
  exchanges: Exchange[];
};

/** An observation bounded for storage: at most 20 values of 255 characters an answer, bad characters made visible. */
export type Evidence = Observation;

/** What an evidence is trimmed to after 30 days. */
export type EvidenceSummary = {
  version: 1;
  at: number;
  durationMs: number;
  packets: number;
  zone: string | null;
  servers: {
    host: string;
    result: "answered" | Failure;
    rcode: string | null;
    hasToken: boolean;
  }[];
  witnesses: { name: string; rcode: string | null; ad: boolean; hasToken: boolean }[];
};
