import type { Awaits, Diagnosis, ResolverFault } from "./diagnosis.ts";
import type { Observation } from "./observation.ts";
import { MAX_LISTED } from "./observed-lists.ts";
import { proofStandingOf } from "./proof-standing.ts";
import { isServfail, witnessVerdictOf } from "./publication-status.ts";
import { resolverFaultOf, zoneFaultOf } from "./zone-fault.ts";

/**
 * Diagnoses broken DNSSEC: a majority of the witnesses answers SERVFAIL while the zone's nameservers answer, with the
 * cause if known; or our own validation finds the zone at fault, whether or not witnesses fail.
 */
export function diagnoseServfail(observation: Observation): Diagnosis | null {
  const isBroken = witnessVerdictOf(observation) === "broken";
  const isDisproved = proofStandingOf(observation) === "disproved";
  const fault = isBroken
    ? resolverFaultOf(observation)
    : isDisproved
      ? zoneFaultOf(observation)
      : null;
  if (!isBroken && !fault) return null;
  const failing = (observation.witnesses ?? []).filter(isServfail);
  const errors = new Map<string, { code: number; text: string }>();
  for (const error of failing.flatMap(({ extendedErrors }) => extendedErrors))
    errors.set(`${error.code} ${error.text}`, error);
  return {
    code: "servfail",
    awaits: fault ? awaitedBy(fault) : "provider",
    observed: {
      resolvers: failing.map(({ name }) => name),
      extendedErrors: [...errors.values()].slice(0, MAX_LISTED),
      ...(fault && { fault }),
    },
  };
}

function awaitedBy(fault: ResolverFault): Awaits {
  switch (fault.type) {
    case "ds_without_keys":
    case "ds_matches_no_key":
      return fault.parent === undefined ? "registrar" : "claimant";
    case "unsigned":
      return "resolvers";
    default:
      return "provider";
  }
}
