import type { Judgement } from "@deed/dns/dnssec/verdict.ts";
import type { Assurance, Statement } from "./statement.ts";

/** The most octets of a file. Honest receipts have a tenth of this. */
export const MAX_RECEIPT = 64 * 1024;

/** The parts, in the order of the checks. */
export const PART_NAMES = {
  file: "File",
  signature: "Signature",
  key: "Key",
  statement: "Statement",
  stamp: "Stamp",
  token: "Token",
  dnssec: "DNSSEC",
  holder: "Holder",
};
type PartName = keyof typeof PART_NAMES;

/** The result for one part. "shown": proved to the readers that sentences.ts names. "not_shown": unknown. */
type Finding<
  Part extends PartName,
  State extends "shown" | "not_shown" | "wrong",
  Code extends string,
  Facts = Record<never, never>,
> = Code extends string ? { part: Part; state: State; code: Code; facts: Facts } : never;

/** The key that signed, and the given keys, as RFC 7638 thumbprints. */
type Keys = { thumbprint: string; given: string[] };
type Member = { member: string };
export type StampFacts = { by: string; at: string; until: string };

/** Times are in seconds since 1970. */
export type PartReport =
  | Finding<"file", "shown", "read", { octets: number }>
  | Finding<"file", "wrong", "too_large", { limit: number }>
  | Finding<"file", "wrong", "not_json">
  | Finding<"file", "wrong", "member", Member>
  | Finding<"signature", "shown", "valid">
  /** "platform": this platform has no Web Crypto, or lacks Ed25519. */
  | Finding<"signature", "wrong", "encoding" | "header" | "kid" | "invalid" | "platform">
  /** "expected": a key history says that it still signs. "end_unknown": there is no history. */
  | Finding<"key", "shown", "expected" | "end_unknown", Keys>
  | Finding<"key", "not_shown", "not_given", Keys>
  | Finding<"key", "wrong", "another", Keys>
  /** The key ended at `at`: a stamp, or only the statement, says that it signed before. */
  | Finding<"key", "shown" | "not_shown", "before_end" | "ended", Keys & { at: string }>
  | Finding<"key", "wrong", "after_end" | "compromised", Keys & { at: string }>
  | Finding<"statement", "shown", "consistent", { rule: string }>
  /** The payload is not JSON, or not canonical JSON (RFC 8785). */
  | Finding<"statement", "wrong", "not_json" | "not_canonical">
  | Finding<"statement", "wrong", "member", Member>
  /** The member contradicts the others, or the rule named in the statement. */
  | Finding<"statement", "wrong", "contradiction", Member>
  /** "stamped": within an hour of the proof. "later": shows only that it existed then. "early": its date is false. */
  | Finding<"stamp", "shown" | "not_shown" | "wrong", "stamped" | "later" | "early", StampFacts>
  /** The stamp counts as none: it leads to no root known here, or is for another statement. */
  | Finding<"stamp", "not_shown", "unknown", StampFacts>
  | Finding<"stamp", "not_shown", "none" | "unconfirmed">
  | Finding<"token", "shown", "bound">
  | Finding<"token", "not_shown", "not_bound">
  /** "issuer": made by a given key, but another key signed. "another": does not fit the holder, name and key. */
  | Finding<"token", "wrong", "issuer" | "another" | "succession">
  | Finding<
      "dnssec",
      "shown",
      "valid" | "unsigned",
      { zones: string[]; from: number; until: number }
    >
  | Finding<"dnssec", "not_shown", "indeterminate">
  /** No given trust anchor is at or above the name, or this platform lacks the chain's algorithm (Ed448). */
  | Finding<"dnssec", "not_shown", "no_anchor" | "algorithm">
  | Finding<"dnssec", "wrong", "missing" | "unexpected" | "encoding">
  /** The chain contradicts the statement. */
  | Finding<"dnssec", "wrong", "signed">
  | Finding<"dnssec", "wrong", "invalid", Exclude<Judgement, { verdict: "secure" }>>
  | Finding<"holder", "shown", "opened">
  | Finding<"holder", "not_shown", "not_asked">
  | Finding<"holder", "wrong", "another" | "opening">
  | Finding<PartName, "not_shown", "unread">;

type Wrong<Part> = Extract<PartReport, { part: Part; state: "wrong" }>["code"];

export type Report = {
  /** "bad": a part is wrong. "weaker": no key was given, or less is shown than the required assurance. */
  verdict: "good" | "weaker" | "bad";
  /** Null if nothing was shown, for example a proof by signatures alone whose chain is missing. */
  assurance: Assurance | null;
  parts: PartReport[];
  /** Null unless signature, shape and consistency are right. */
  statement: Statement | null;
};

export class Failed extends Error {
  constructor(readonly report: PartReport) {
    super(report.code);
  }
}

export function demand<Part extends PartName>(
  holds: unknown,
  part: Part,
  code: Wrong<Part>,
  facts: object = {},
): asserts holds {
  if (!holds) throw new Failed({ part, state: "wrong", code, facts } as PartReport);
}
