import type { Bytes } from "./records.ts";

/** Where a record is. Times are in seconds since 1970, names and zones as "acme.test", record types as "TXT". */
type RecordPlace = { zone: string; name: string; records: string };

/** Why a name counts as unsigned. The zones above it prove this. */
export type Insecurity =
  | { type: "unsigned"; zone: string; parent: string }
  /** `parent` uses opt-out, so an unsigned delegation may exist at `zone` (RFC 5155 section 6). */
  | { type: "opt_out"; zone: string; parent: string }
  | { type: "ds_unsupported"; zone: string; algorithms: number[]; digestTypes: number[] }
  /** The denials of `zone` use more NSEC3 iterations than the limit (RFC 9276 section 3.2). */
  | { type: "iterations"; zone: string; iterations: number };

export type Cost = { verifications: number; digests: number; rounds: number };

/** `parent` has the DS records of `zone`, with this TTL in seconds. Both are null if a trust anchor replaces them. */
type DsPlace = { zone: string; parent: string | null; ttl: number | null; dsKeyTags: number[] };

export type Fault =
  | ({ type: "ds_without_keys" } & DsPlace)
  | ({ type: "ds_matches_no_key"; keyTags: number[] } & DsPlace)
  | ({ type: "signatures_expired"; at: number } & RecordPlace)
  | ({ type: "signatures_not_yet_valid"; at: number } & RecordPlace)
  | ({ type: "signatures_missing" } & RecordPlace)
  | ({ type: "signatures_invalid"; keyTags: number[] } & RecordPlace)
  /** There is no proof that a record does not exist: DS at a delegation, or the name itself if a wildcard answered. */
  | ({ type: "denial_missing" } & RecordPlace)
  /** Only answers to questions with capital letters are bogus; answers to lower-case questions are valid. */
  | { type: "capitals"; zone: string }
  /** All signatures over the answer are older than the oldest allowed. */
  | ({ type: "signatures_too_old" } & RecordPlace)
  | ({ type: "value_absent" } & RecordPlace)
  /** The chain is not in canonical form, or has more or fewer records than the proof needs. */
  | { type: "not_canonical" };

export type Gap =
  | ({ type: "not_read" } & RecordPlace)
  | { type: "keys_unanswered"; zone: string }
  /** The signatures are expired or not valid yet, by so little that a clock may be wrong. */
  | ({ type: "signatures_barely_untimely" } & RecordPlace)
  /** No trust anchor with a supported algorithm and digest is at the name or above it. */
  | { type: "no_anchor" }
  /** The zone is signed only with Ed448, which this platform lacks. */
  | { type: "no_ed448"; zone: string }
  /** The name is not valid, or the time is not between 1970 and 2106. */
  | { type: "not_a_question" }
  | { type: "limit"; limit: keyof Cost | "keys" };

export type Judgement =
  | { verdict: "secure" }
  | { verdict: "insecure"; reason: Insecurity }
  | { verdict: "bogus"; reason: Fault }
  | { verdict: "indeterminate"; reason: Gap };

export type Validation = Judgement & {
  /** Zones with authenticated keys, starting with the anchor's zone. */
  zones: string[];
  /** The records that the verdict rests on, as encodeChain writes them. */
  chain: Bytes;
  /** The time in which all signatures of the chain are valid; null without signatures. */
  period: { from: number; until: number } | null;
  cost: Cost;
};
