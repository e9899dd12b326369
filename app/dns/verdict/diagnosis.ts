import type { AnswerSize } from "../message-size.ts";
import type { Failure, ProbeKind } from "./observation.ts";
import type { SerialHistory } from "./serials.ts";

export type Awaits = "claimant" | "provider" | "registrar" | "resolvers";
export type Corruption = "quoted" | "whitespace" | "prefix" | "suffix" | "case" | "truncated";
export type NearMissKind = Extract<
  ProbeKind,
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
  | "ns_target"
>;

/** Other values in the record set that holds this one; left out where there are none. */
type Shared = { others?: number };

/** The zone is delegated from one that somebody edits, where the record may have been saved. */
export type DelegatedZone = { zone: string; parent: string; nameservers: string[] };

/** The zone above that delegates this one; left out where a registry does. */
type Delegating = { parent?: string };

/**
 * What the servers are that a record stands on and that are not all the zone has. `listed`: it is on those the zone is
 * delegated to, and `nameservers` are those that the zone itself names. `name`: where in the zone above.
 */
export type Elsewhere =
  | ({ type: "unlisted" } & Delegating)
  | ({ type: "listed" } & Delegating)
  | { type: "former" }
  | { type: "parent"; zone: string; name: string };

/**
 * Why resolvers answer SERVFAIL for what the zone's nameservers answer. `zone`: where the fault is, the claim's or one
 * above it; `secondsRemembered`: how long resolvers may keep a DS record that is changed.
 */
export type ResolverFault =
  /** They fail without validating too. */
  | { type: "unreachable" }
  /** Nothing vouches for keys of the zone, so that there is nothing to validate. */
  | { type: "unsigned"; zone: string }
  | ({ type: "ds_without_keys"; dsKeyTags: number[] } & AtParent)
  | ({ type: "ds_matches_no_key"; dsKeyTags: number[]; keyTags: number[] } & AtParent)
  | { type: "signatures_expired"; zone: string; expiredAt: string }
  | { type: "signatures_not_yet_valid"; zone: string; validFrom: string }
  | { type: "signatures_missing"; zone: string };
type AtParent = { zone: string; secondsRemembered: number } & Delegating;

/**
 * A nameserver that gave no answer to go by, and what came instead. `bytes` and `records` come with "too_large",
 * `target` with "is_alias".
 */
export type FailedNameserver = {
  host: string;
  result: Failure;
  target?: string;
} & Partial<AnswerSize>;

/**
 * Where a record stands that is not on every nameserver: `nameservers` answer without it; those of `noAnswer` were asked
 * and say neither.
 */
export type Publication = {
  nameservers: string[];
  publishedOn: string[];
  noAnswer?: FailedNameserver[];
};

/** A nameserver whose serial is higher than that of `published`, a copy that has the record. */
export type StuckCopy = {
  host: string;
  serial: number;
  published: { host: string; serial: number };
};

/** What resolvers hold that do not have the record yet. */
export type Held = "nothing" | "earlier_token" | "other_values";

/**
 * What a resolver gets in place of the record. `nameservers`: those it knows of the zone, where the zone is delegated to
 * none of them.
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
 * `observed` of each of the thirteen codes. Text in it is bounded and made visible (visible.ts). What is optional is
 * left out where it does not hold or could not be told, and in diagnoses stored before it was looked for.
 */
export type ObservedByCode = {
  domain_appended: { name: string } & Shared;
  record_at_apex: { name: string; value: string } & Shared;
  record_on_www: { name: string; value: string } & Shared;
  /** `pieces`: of how many records the token would have to be put together. */
  value_formatted: { value: string; damage: Corruption[]; pieces?: number } & Shared;
  expired_token: { value: string; claimEndedAt: string } & Shared;
  /** `domain`: the token is this account's own, of its claim on that name. */
  foreign_token: { value: string; domain?: string } & Shared;
  no_matching_record: { values: string[]; wildcard: boolean; wildcardName?: string };
  /** `record`: what stands in the zone: at the name itself, a wildcard ("*.acme.com"), or a DNAME above. */
  cname_conflict: { target: string; record?: { type: "CNAME" | "DNAME"; name: string } };
  record_absent: {
    answer: { type: "nxdomain" } | { type: "nodata"; types: string[] };
    nearMiss: ({ kind: NearMissKind; name: string } & Shared) | null;
    /** The wildcard whose records of other types answer there. */
    wildcardName?: string;
    delegated?: DelegatedZone;
  };
  not_published: Publication & {
    serial: number | null;
    /** The zone's serial moves with its records, and has not moved since the claim's first read. */
    unchanged?: true;
    stuck?: StuckCopy;
    /** Who gets another answer than this service, where every nameserver has the record. */
    resolvers?: OtherAnswer[];
    elsewhere?: Elsewhere;
    wildcardName?: string;
    delegated?: DelegatedZone;
  };
  negative_cache: { secondsRemaining: number; held?: Held };
  servfail: {
    resolvers: string[];
    extendedErrors: { code: number; text: string }[];
    /** Left out where nothing that was read explains it, and in diagnoses stored before it was looked for. */
    fault?: ResolverFault;
  };
  lame_delegation: { nameservers: FailedNameserver[] } & Delegating;
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

/** What is wrong, who must act, what was seen. Its sentences come from sentences.ts when it is shown. */
export type Diagnosis = {
  [C in DiagnosisCode]: { code: C; awaits: Awaits; observed: ObservedByCode[C] };
}[DiagnosisCode];

/**
 * A wait that only time ends. `until` is epoch milliseconds; `observed` is left out where nameservers disagree on a
 * delegation rather than on the record.
 */
export type Wait =
  | { reason: "negative_cache"; until: number }
  | { reason: "nameserver_sync"; until: number; observed?: Publication };

/** What earlier reads of the same claim left behind. */
export type History = SerialHistory & {
  /** Zone serial at this claim's first read that saw one. */
  firstSerial: number | null;
  /** When a read first saw the token on some but not all nameservers, epoch milliseconds. */
  partialSince: number | null;
  /** When resolvers that lacked a record which every nameserver had should all have it, epoch milliseconds. */
  resolversDue: number | null;
  /** Tokens of ended claims of this account on this name. */
  endedTokens: { token: string; endedAt: number }[];
  /** Name of another domain of this account whose claim has the token; null where none has. */
  domainOf: (token: string) => string | null;
  /** Form of the service's tokens: prefix, for example "service_v1_", before 40 hex digits. */
  tokenPrefix: string;
};

/** What is known of a claim before its first read. */
export const UNREAD: Omit<History, "endedTokens" | "domainOf" | "tokenPrefix"> = {
  firstSerial: null,
  partialSince: null,
  resolversDue: null,
  serials: null,
  otherSerials: () => [],
};

/** What a read comes to. Exactly one of diagnosis and wait on `absent`, save negative_cache, which has both. */
export type Decision =
  | { outcome: "found" }
  | { outcome: "absent"; diagnosis: Diagnosis; wait: Wait | null }
  | { outcome: "absent"; diagnosis: null; wait: Wait }
  | { outcome: "unresolvable" };

export type Provider =
  | "cloudflare"
  | "route53"
  | "godaddy"
  | "namecheap"
  | "google-domains"
  | "vercel"
  | "other";
