import type { Judgement } from "@deed/dns/dnssec/verdict.ts";
import type { Assurance, Statement } from "./statement.ts";

/** Octets of a file; honest receipts have a tenth of it. */
export const MAX_RECEIPT = 64 * 1024;

/** Each part is examined after those before it. */
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

/** What was found of one part. `shown`: it holds, for those whom sentences.ts names. `not_shown`: nothing is said. */
type Finding<
  Part extends PartName,
  State extends "shown" | "not_shown" | "wrong",
  Code extends string,
  Facts = Record<never, never>,
> = Code extends string ? { part: Part; state: State; code: Code; facts: Facts } : never;

/** The key that signed, and those that were given, as RFC 7638 thumbprints. */
type Keys = { thumbprint: string; given: string[] };
type Member = { member: string };
export type Stamped = { by: string; at: string; until: string };

/** Times are in seconds since 1970. */
export type PartReport =
  | Finding<"file", "shown", "read", { octets: number }>
  | Finding<"file", "wrong", "too_large", { limit: number }>
  | Finding<"file", "wrong", "not_json">
  | Finding<"file", "wrong", "member", Member>
  | Finding<"signature", "shown", "valid">
  /** "platform": it has no Web Crypto, or lacks Ed25519. */
  | Finding<"signature", "wrong", "encoding" | "header" | "kid" | "invalid" | "platform">
  /** Signs still, by a history of keys; or whether it has ended is not known, without one. */
  | Finding<"key", "shown", "expected" | "end_unknown", Keys>
  | Finding<"key", "not_shown", "not_given", Keys>
  | Finding<"key", "wrong", "another", Keys>
  /** It ended then. A stamp shows that it signed before; or only the statement does; or that says after. */
  | Finding<"key", "shown" | "not_shown", "before_end" | "ended", Keys & { at: string }>
  | Finding<"key", "wrong", "after_end" | "compromised", Keys & { at: string }>
  | Finding<"statement", "shown", "consistent", { rule: string }>
  /** JSON that is not as RFC 8785 has it, or has another shape. */
  | Finding<"statement", "wrong", "not_json" | "not_canonical">
  | Finding<"statement", "wrong", "member", Member>
  /** The member contradicts the others, or the rule that the statement names. */
  | Finding<"statement", "wrong", "contradiction", Member>
  /** Within an hour of the proof. Later, it shows only that the statement existed; before, it shows a lie. */
  | Finding<"stamp", "shown" | "not_shown" | "wrong", "stamped" | "later" | "early", Stamped>
  /** As if there were none: it leads to no root that is known here, or is none of this statement. */
  | Finding<"stamp", "not_shown", "unknown", Stamped>
  | Finding<"stamp", "not_shown", "none" | "unconfirmed">
  | Finding<"token", "shown", "bound">
  | Finding<"token", "not_shown", "not_bound">
  /** It is of a key that was given, and another signed. It fits no holder, name and key of the statement. */
  | Finding<"token", "wrong", "issuer" | "another" | "succession">
  | Finding<
      "dnssec",
      "shown",
      "valid" | "unsigned",
      { zones: string[]; from: number; until: number }
    >
  | Finding<"dnssec", "not_shown", "indeterminate">
  /** No trust anchor given is at the name or above it. This platform lacks an algorithm of the chain (Ed448). */
  | Finding<"dnssec", "not_shown", "no_anchor" | "algorithm">
  | Finding<"dnssec", "wrong", "missing" | "unexpected" | "encoding">
  /** The chain shows another thing than the statement says. */
  | Finding<"dnssec", "wrong", "signed">
  | Finding<"dnssec", "wrong", "invalid", Exclude<Judgement, { verdict: "secure" }>>
  | Finding<"holder", "shown", "opened">
  | Finding<"holder", "not_shown", "not_asked">
  | Finding<"holder", "wrong", "another" | "opening">
  | Finding<PartName, "not_shown", "unread">;

type Wrong<Part> = Extract<PartReport, { part: Part; state: "wrong" }>["code"];

export type Report = {
  /** `bad`: a part is wrong. `weaker`: none is, but no key was given, or less is shown than the assurance required. */
  verdict: "good" | "weaker" | "bad";
  /** Null if nothing was shown, as without the chain of a proof by signatures alone. */
  assurance: Assurance | null;
  parts: PartReport[];
  /** Null unless signature, shape and consistency hold. */
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
