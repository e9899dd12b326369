import type { Awaits, Diagnosis, ResolverFault } from "./diagnosis.ts";
import { type DnssecFault, dnssecFault, usableDs } from "./dnssec-fault.ts";
import type { DnssecReading, Observation } from "./observation.ts";
import { delegatingIn, MAX_LISTED } from "./observed-lists.ts";
import { isServfail, uncheckedVerdict, witnessVerdictOf } from "./publication-status.ts";

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

/** Null if nothing that was read explains the SERVFAIL. */
function faultOf({ witnesses, dnssec, at }: Observation): ResolverFault | null {
  const unchecked = uncheckedVerdict(witnesses);
  if (unchecked === "fails") return { type: "unreachable" };
  // From the registry down: below the first unsigned zone nothing is validated.
  for (const reading of dnssec ?? []) {
    if (reading.ds === null) return null;
    if (usableDs(reading.ds).length === 0) return { type: "unsigned", zone: reading.zone };
    const fault = dnssecFault(reading, at);
    if (fault) return resolverFaultOf(fault, reading);
  }
  return null;
}

const iso = (at: number) => new Date(at).toISOString();

/** The fault as reported. */
function resolverFaultOf(fault: DnssecFault, reading: DnssecReading): ResolverFault {
  const { zone } = reading;
  const ds = { zone, secondsRemembered: reading.dsTtl ?? 0, ...delegatingIn(reading) };
  switch (fault.type) {
    case "ds_without_keys":
    case "ds_matches_no_key":
      return { ...fault, ...ds };
    case "signatures_expired":
      return { type: fault.type, zone, expiredAt: iso(fault.at) };
    case "signatures_not_yet_valid":
      return { type: fault.type, zone, validFrom: iso(fault.at) };
    case "signatures_missing":
      return { type: fault.type, zone };
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
