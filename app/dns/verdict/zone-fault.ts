import type { Fault, Gap, Insecurity } from "../dnssec/verdict.ts";
import type { ResolverFault } from "./diagnosis.ts";
import type { Observation } from "./observation.ts";
import { delegatingIn } from "./observed-lists.ts";
import { uncheckedVerdict } from "./publication-status.ts";
import { isRegistry } from "./registry.ts";

/**
 * Why the zone's DNSSEC keeps the record from proving anything, by our own validation. Null if it does not, or if the
 * fault is a registry's.
 */
export function zoneFaultOf({ validation, domain }: Observation): ResolverFault | null {
  if (validation?.verdict === "indeterminate") return silenceOf(validation.reason, domain);
  if (validation?.verdict !== "bogus" || !("zone" in validation.reason)) return null;
  return isRegistry(validation.reason.zone, domain) ? null : faultAsReported(validation.reason);
}

/** Why resolvers fail although the zone's nameservers answer; null if nothing that was read explains it. */
export function resolverFaultOf(observation: Observation): ResolverFault | null {
  const { witnesses, validation } = observation;
  if (uncheckedVerdict(witnesses) === "fails") return { type: "unreachable" };
  if (validation?.verdict === "insecure") return unsignedBy(validation.reason);
  return zoneFaultOf(observation);
}

const silenceOf = (reason: Gap, domain: string): ResolverFault | null =>
  reason.type === "keys_unanswered" && !isRegistry(reason.zone, domain)
    ? { type: "keys_unanswered", zone: reason.zone }
    : null;

/** Resolvers may support more algorithms, digests and iterations than our validator. */
const unsignedBy = ({ type, zone }: Insecurity): ResolverFault | null =>
  type === "unsigned" || type === "opt_out" ? { type: "unsigned", zone } : null;

const iso = (seconds: number) => new Date(seconds * 1_000).toISOString();

function faultAsReported(fault: Extract<Fault, { zone: string }>): ResolverFault | null {
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
