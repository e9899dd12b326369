import type { Fault, Insecurity } from "../dnssec/verdict.ts";
import type { Awaits, Diagnosis, ResolverFault } from "./diagnosis.ts";
import type { Observation } from "./observation.ts";
import { delegatingIn, MAX_LISTED } from "./observed-lists.ts";
import { isServfail, uncheckedVerdict, witnessVerdictOf } from "./publication-status.ts";
import { isRegistry } from "./registry.ts";

/** Diagnoses SERVFAIL from a majority of the witnesses while the zone's nameservers answer, with the cause if known. */
export function diagnoseServfail(observation: Observation): Diagnosis | null {
  const { witnesses, token } = observation;
  if (witnessVerdictOf(witnesses, token) !== "broken") return null;
  const failing = (witnesses ?? []).filter(isServfail);
  const errors = new Map<string, { code: number; text: string }>();
  for (const error of failing.flatMap(({ extendedErrors }) => extendedErrors))
    errors.set(`${error.code} ${error.text}`, error);
  const fault = faultOf(observation);
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

/** Null if nothing that was read explains the SERVFAIL, or if the fault is a registry's. */
function faultOf({ witnesses, validation, domain }: Observation): ResolverFault | null {
  if (uncheckedVerdict(witnesses) === "fails") return { type: "unreachable" };
  if (validation?.verdict === "insecure") return unsignedBy(validation.reason);
  if (validation?.verdict !== "bogus" || !("zone" in validation.reason)) return null;
  return isRegistry(validation.reason.zone, domain) ? null : resolverFaultOf(validation.reason);
}

/** Resolvers may support more algorithms, digests and iterations than our validator. */
const unsignedBy = ({ type, zone }: Insecurity): ResolverFault | null =>
  type === "unsigned" || type === "opt_out" ? { type: "unsigned", zone } : null;

const iso = (seconds: number) => new Date(seconds * 1_000).toISOString();

/** The fault as reported. */
function resolverFaultOf(fault: Extract<Fault, { zone: string }>): ResolverFault | null {
  const { zone } = fault;
  switch (fault.type) {
    case "ds_without_keys":
    case "ds_matches_no_key": {
      const { parent, ttl, ...rest } = fault;
      const delegating = parent === null ? {} : delegatingIn({ zone, parent });
      return { ...rest, secondsRemembered: ttl ?? 0, ...delegating };
    }
    case "signatures_expired":
      return { type: fault.type, zone, expiredAt: iso(fault.at) };
    case "signatures_not_yet_valid":
      return { type: fault.type, zone, validFrom: iso(fault.at) };
    case "signatures_missing":
    case "signatures_invalid":
    case "denial_missing":
      return { type: fault.type, zone };
    // The servers have the value.
    case "value_absent":
      return null;
  }
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
