import type { Bytes } from "./records.ts";

/** Times are in seconds since 1970; names and zones as "acme.test"; record types as "TXT". */
type At = { zone: string; name: string; records: string };

/** Why a name counts as unsigned, which the zones above it prove. */
export type Insecurity =
  | { type: "unsigned"; zone: string; parent: string }
  /** `parent` leaves out unsigned delegations, so there may be one at `zone` (RFC 5155 section 6). */
  | { type: "opt_out"; zone: string; parent: string }
  | { type: "ds_unsupported"; zone: string; algorithms: number[]; digestTypes: number[] }
  /** The denials of `zone` take more NSEC3 iterations than the limit (RFC 9276 section 3.2). */
  | { type: "iterations"; zone: string; iterations: number };

export type Cost = { verifications: number; digests: number; rounds: number };

/** `parent` has the DS records of `zone`, with this TTL in seconds; null if an anchor stands for them. */
type ByDs = { zone: string; parent: string | null; ttl: number | null; dsKeyTags: number[] };

export type Fault =
  | ({ type: "ds_without_keys" } & ByDs)
  | ({ type: "ds_matches_no_key"; keyTags: number[] } & ByDs)
  | ({ type: "signatures_expired"; at: number } & At)
  | ({ type: "signatures_not_yet_valid"; at: number } & At)
  | ({ type: "signatures_missing" } & At)
  | ({ type: "signatures_invalid"; keyTags: number[] } & At)
  /** No proof that the record does not exist: DS at a delegation, or the name itself for an answer from a wildcard. */
  | ({ type: "denial_missing" } & At)
  /** Only in answers to questions with capital letters; those in small letters are in order. */
  | { type: "capitals"; zone: string }
  /** All signatures over the answer are older than those that count. */
  | ({ type: "signatures_too_old" } & At)
  | ({ type: "value_absent" } & At)
  /** Not the records in canonical form, or more or fewer than the proof needs. */
  | { type: "not_canonical" };

export type Gap =
  | ({ type: "not_read" } & At)
  | { type: "keys_unanswered"; zone: string }
  /** Out of its time by so little that a clock may be wrong. */
  | ({ type: "signatures_barely_untimely" } & At)
  /** No trust anchor, with a supported algorithm and digest, is at the name or above it. */
  | { type: "no_anchor" }
  /** The zone is signed by Ed448 alone, which this platform lacks. */
  | { type: "no_ed448"; zone: string }
  /** The name is not one, or the time not one of 1970 to 2106. */
  | { type: "not_a_question" }
  | { type: "limit"; limit: keyof Cost | "keys" };

export type Judgement =
  | { verdict: "secure" }
  | { verdict: "insecure"; reason: Insecurity }
  | { verdict: "bogus"; reason: Fault }
  | { verdict: "indeterminate"; reason: Gap };

export type Validation = Judgement & {
  /** Zones whose keys are authenticated, from the anchor's down. */
  zones: string[];
  /** What the verdict rests on, as encodeChain writes it. */
  chain: Bytes;
  /** The time in which all signatures of the chain are valid. */
  period: { from: number; until: number } | null;
  cost: Cost;
};
