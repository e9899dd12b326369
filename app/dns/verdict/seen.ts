import { createHash } from "node:crypto";
import { codeOf, type Decision } from "./diagnosis.ts";
import { summaryOf } from "./evidence.ts";
import type { Evidence } from "./observation.ts";

/** What a read saw, to compare it with other reads of its claim. */
export type Seen = {
  /** Its outcome, with the code of the diagnosis or the wait; null if our side could not read, which changes nothing. */
  verdict: string | null;
  /** A digest of all that decided it: equal if two reads saw the same. */
  facts: string;
};

/** What differs between two reads although nobody changed anything that the verdict rests on. */
const PASSING = new Set([
  "at",
  "durationMs",
  "packets",
  "ttl",
  "until",
  "secondsRemaining",
  "secondsRemembered",
  "serial",
]);

/** Servers give the values of a name in any order. */
const lasting = (key: string, value: unknown) =>
  PASSING.has(key)
    ? undefined
    : key === "values" && Array.isArray(value)
      ? [...value].sort()
      : value;

/**
 * Reads saw the same if they have the same verdict and delegation, and each server and witness gave the same kind of
 * answer. Their times may differ.
 */
export function seenBy(decision: Decision, evidence: Evidence): Seen {
  const facts = [decision, evidence.delegation, evidence.limit, summaryOf(evidence)];
  return {
    verdict: decision.outcome === "unresolvable" ? null : `${decision.outcome} ${codeOf(decision)}`,
    facts: createHash("sha256")
      .update(JSON.stringify(facts, lasting))
      .digest("base64url")
      .slice(0, 16),
  };
}
