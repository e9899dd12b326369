import type { AnswerSize } from "../message-size.ts";
import type { Failure, ProbeKind } from "./observation.ts";
import type { SerialHistory } from "./serials.ts";

export type Awaits = "claimant" | "provider" | "registrar" | "resolvers";
export type Corruption = "quoted" | "whitespace" | "prefix" | "suffix" | "case" | "truncated";

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
  "parent",
  "zone_apex",
  "between",
  "token_as_host",
] as const satisfies readonly ProbeKind[];
export type NearMissKind = (typeof NEAR_MISS_KINDS)[number];

/** Number of other values in the same RRset; omitted if there are none. */
type OtherValues = { others?: number };

/** A zone delegated from an editable zone, where the record may have been saved by mistake. */
export type DelegatedZone = { zone: string; parent: string; nameservers: string[] };

/** The parent zone that delegates this one; omitted if a registry does. */
type DelegatingZone = { parent?: string };

/**
 * The servers that have a record which not all of the zone's servers have. "listed": the delegated servers have it, and
 * `nameservers` holds the servers named by the zone's own NS RRset. `name`: the owner name in the parent zone.
 */
export type Elsewhere =
  | ({ type: "unlisted" } & DelegatingZone)
  | ({ type: "listed" } & DelegatingZone)
  | { type: "former" }
  | { type: "parent"; zone: string; name: string };

/**
 * Why resolvers answer SERVFAIL although the zone's nameservers answer. `zone`: the zone at fault, the claim's or an
 * ancestor; `secondsRemembered`: how long resolvers may cache the old DS RRset after it changes.
 */
export type ResolverFault =
  /** Resolvers fail even with validation disabled. */
  | { type: "unreachable" }
  /** A zone above has no DS record for it, so there is nothing to validate. */
  | { type: "unsigned"; zone: string }
  | ({ type: "ds_without_keys"; dsKeyTags: number[] } & AtParent)
  | ({ type: "ds_matches_no_key"; dsKeyTags: number[]; keyTags: number[] } & AtParent)
  | { type: "signatures_expired"; zone: string; expiredAt: string }
  | { type: "signatures_not_yet_valid"; zone: string; validFrom: string }
  | { type: "signatures_missing"; zone: string }
  /** In time, and not of these records by these keys. */
  | { type: "signatures_invalid"; zone: string }
  /** The zone's nameservers answer other questions, and not the one for its keys. */
  | { type: "keys_unanswered"; zone: string }
  /** The zone is signed, and does not prove what does not exist in it. */
  | { type: "denial_missing"; zone: string };
type AtParent = { zone: string; secondsRemembered: number } & DelegatingZone;

/**
 * A nameserver that gave no usable answer, and how it failed. `bytes` and `records` are set for "too_large", `target`
 * for "is_alias".
 */
export type FailedNameserver = {
  host: string;
  result: Failure;
  target?: string;
} & Partial<AnswerSize>;

/**
 * Where a partly published record is. `nameservers` answer without it; `noAnswer` gave no usable answer. `secondRead`: a
 * second read that finds the same proves it.
 */
export type Publication = {
  nameservers: string[];
  publishedOn: string[];
  noAnswer?: FailedNameserver[];
  secondRead?: true;
};

/** A nameserver with a higher serial than `published`, the copy that has the record. */
export type StuckCopy = {
  host: string;
  serial: number;
  published: { host: string; serial: number };
};

/** What resolvers without the record have cached. */
export type HeldAnswer = "nothing" | "earlier_token" | "other_values";

/**
 * What a resolver gets instead of the record. `nameservers`: the zone's nameservers as the resolver knows them, set
 * only if the zone is delegated to none of them.
 */
export type OtherAnswer = {
  name: string;
  answer:
    | { type: "nxdomain" }
    | { type: "nodata" }
    | { type: "alias"; target: string }
    | { type: "values"; values: string[] };
  nameservers?: string[];
};

/**
 * `observed` of each of the thirteen codes. Its text is bounded and escaped (escape-untrusted.ts). Optional fields are
 * omitted if they do not apply or are unknown, and in diagnoses stored before the field existed.
 */
export type ObservedByCode = {
  domain_appended: { name: string } & OtherValues;
  record_at_apex: { name: string; value: string } & OtherValues;
  record_on_www: { name: string; value: string } & OtherValues;
  /** `pieces`: how many records the token is split across. */
  value_formatted: { value: string; damage: Corruption[]; pieces?: number } & OtherValues;
  expired_token: { value: string; claimEndedAt: string } & OtherValues;
  /** `domain`: the account's other domain whose claim has this token. */
  foreign_token: { value: string; domain?: string } & OtherValues;
  no_matching_record: { values: string[]; wildcard: boolean; wildcardName?: string };
  /** `record`: the alias in the zone: at the name itself, a wildcard ("*.acme.com"), or a DNAME at an ancestor. */
  cname_conflict: { target: string; record?: { type: "CNAME" | "DNAME"; name: string } };
  record_absent: {
    answer: { type: "nxdomain" } | { type: "nodata"; types: string[] };
    nearMiss: ({ kind: NearMissKind; name: string } & OtherValues) | null;
    /** The wildcard whose records of other types match the name. */
    wildcardName?: string;
    delegated?: DelegatedZone;
  };
  not_published: Publication & {
    serial: number | null;
    /** The zone's serial moves with its records and has not moved since the claim's first read. */
    unchanged?: true;
    stuck?: StuckCopy;
    /** Resolvers that get a different answer than this service although every nameserver has the record. */
    resolvers?: OtherAnswer[];
    elsewhere?: Elsewhere;
    wildcardName?: string;
    delegated?: DelegatedZone;
  };
  negative_cache: { secondsRemaining: number; held?: HeldAnswer };
  servfail: {
    resolvers: string[];
    extendedErrors: { code: number; text: string }[];
    /** Omitted if nothing that was read explains it, and in diagnoses stored before this field existed. */
    fault?: ResolverFault;
  };
  lame_delegation: { nameservers: FailedNameserver[] } & DelegatingZone;
};

export type DiagnosisCode = keyof ObservedByCode;

export const DIAGNOSIS_CODES = [
  "domain_appended",
  "record_at_apex",
  "record_on_www",
  "value_formatted",
  "expired_token",
  "foreign_token",
  "no_matching_record",
  "cname_conflict",
  "record_absent",
  "not_published",
  "negative_cache",
  "servfail",
  "lame_delegation",
] as const satisfies readonly DiagnosisCode[];

/** What is wrong, who must act, and what was seen. copy/sentences.ts renders it as text. */
export type Diagnosis = {
  [C in DiagnosisCode]: { code: C; awaits: Awaits; observed: ObservedByCode[C] };
}[DiagnosisCode];

/**
 * A wait that only time ends. `until` is epoch milliseconds; `observed` is omitted if the nameservers disagree about a
 * delegation rather than the record.
 */
export type Wait =
  | { reason: "negative_cache"; until: number }
  | { reason: "nameserver_sync"; until: number; observed?: Publication };

/** What earlier reads of the same claim recorded. */
export type History = SerialHistory & {
  /** Zone serial at the first read of this claim that saw one. */
  firstSerial: number | null;
  /** When a read first saw the token on some but not all nameservers, epoch milliseconds. */
  partialSince: number | null;
  /** When resolvers should have a record that every nameserver already has, epoch milliseconds. */
  resolversDue: number | null;
  /** From when a read that finds the same again proves the record, epoch milliseconds. */
  secondReadAt: number | null;
  /** Uniform in [0, 1), drawn for this read. */
  chance: number;
  /** Tokens of ended claims of this account on this name. */
  endedTokens: { token: string; endedAt: number }[];
  /** The account's other domain whose claim has this token; null if there is none. */
  domainOf: (token: string) => string | null;
  /** Prefix of the service's tokens, for example "service_v1_", before 40 hex digits. */
  tokenPrefix: string;
};

/** What is known of a claim before its first read. */
export const UNREAD: Omit<History, "endedTokens" | "domainOf" | "tokenPrefix"> = {
  firstSerial: null,
  partialSince: null,
  resolversDue: null,
  secondReadAt: null,
  chance: 0,
  serials: null,
  otherSerials: () => [],
};

/** The result of a read. `absent` has either a diagnosis or a wait, except negative_cache, which has both. */
export type Decision =
  | { outcome: "found" }
  | { outcome: "absent"; diagnosis: Diagnosis; wait: Wait | null }
  | { outcome: "absent"; diagnosis: null; wait: Wait }
  | { outcome: "unresolvable" };

/** The diagnosis or wait of an absent record, and the empty string otherwise. */
export const codeOf = (decision: Decision): string =>
  decision.outcome === "absent" ? (decision.diagnosis?.code ?? decision.wait?.reason ?? "") : "";

export type Provider =
  | "cloudflare"
  | "route53"
  | "godaddy"
  | "namecheap"
  | "google-domains"
  | "vercel"
  | "other";
