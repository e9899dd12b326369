import type { Fault, Gap } from "../dnssec/verdict.ts";
import { isRegistry } from "../names.ts";
import type { Awaits, Diagnosis, ResolverFault } from "./diagnosis.ts";
import { oldDelegationEnd } from "./known-delegation.ts";
import type { Observation, WitnessReading, ZoneWitness } from "./observation.ts";
import {
  delegatingIn,
  diagnosed,
  editorOf,
  isFailing,
  isFiltered,
  MAX_LISTED,
  majorityOf,
  namedAgainst,
  uncheckedVerdict,
  witnessVerdictOf,
} from "./publication-status.ts";

/** Why resolvers fail. Answers about the zone are enough. `isDisproved`: the zone or resolvers deny the record. */
export function diagnoseServfail(seen: Observation, isDisproved: boolean): Diagnosis | null {
  const observation = { ...seen, witnesses: seen.witnesses ?? seen.zoneWitnesses ?? null };
  const areMostFailing = witnessVerdictOf(observation) === "broken";
  const zoneFault = isDisproved ? zoneFaultOf(observation) : null;
  const fault = areMostFailing ? resolverFaultOf(observation) : zoneFault;
  if (!areMostFailing && !fault) return null;
  if (areMostFailing && isOldDelegation(observation, fault)) return null;
  const failing = (observation.witnesses ?? []).filter(isFailing);
  const allErrors = failing.flatMap(({ extendedErrors }) => extendedErrors);
  const errors = new Map(allErrors.map((error) => [`${error.code} ${error.text}`, error]));
  const observed = {
    resolvers: failing.map(({ name }) => name),
    extendedErrors: [...errors.values()].slice(0, MAX_LISTED),
    ...(fault && { fault }),
  };
  return diagnosed("servfail", observed, fault ? awaitedBy(fault, observation.domain) : "provider");
}

const OLD_DELEGATION_FAULTS: readonly string[] = ["unsigned", "unreachable"];

/** Whether resolvers may fail only because they still have the earlier delegation or DS records. */
const isOldDelegation = (observation: Observation, fault: ResolverFault | null): boolean =>
  (!fault || OLD_DELEGATION_FAULTS.includes(fault.type)) && oldDelegationEnd(observation) !== null;

/** Like isOldDelegation, for a record on all nameservers: resolvers fail, or ask silent or earlier servers. */
export function isLagging(observation: Observation): boolean {
  const { unlisted } = observation;
  const readings = observation.witnesses ?? [];
  const failed = readings.filter((witness) => isFailing(witness) || witness.result === "timeout");
  const isMajority = failed.length > 0 && failed.length >= majorityOf(readings);
  const others = namedAgainst(observation);
  const areListed = others.some(({ host }) => unlisted.some((server) => server.host === host));
  const mayBeOld = isMajority || (others.length > 0 && !areListed);
  return mayBeOld && isOldDelegation(observation, resolverFaultOf(observation));
}

function awaitedBy(fault: ResolverFault, domain: string): Awaits {
  if (fault.type === "unsigned") return "resolvers";
  if (fault.type === "filtered") return "claimant";
  if (!("dsKeyTags" in fault)) return "provider";
  return editorOf(fault.zone, domain, fault.parent);
}

/** The fault in the zone's DNSSEC that prevents a proof. Null if there is none, or if it is a registry's. */
export function zoneFaultOf({ validation, domain }: Observation): ResolverFault | null {
  if (validation?.verdict !== "indeterminate" && validation?.verdict !== "bogus") return null;
  const { reason } = validation;
  if (!("zone" in reason) || isRegistry(reason.zone, domain)) return null;
  return faultAsReported(reason);
}

function resolverFaultOf(observation: Observation): ResolverFault | null {
  const { witnesses, validation, delegation } = observation;
  const failing: (WitnessReading | ZoneWitness)[] = (witnesses ?? []).filter(isFailing);
  const isMajority = (matches: (witness: WitnessReading | ZoneWitness) => boolean) =>
    failing.filter(matches).length * 2 > failing.length;
  if (isMajority(isFiltered)) return { type: "filtered" };
  const isTimeout = (witness: WitnessReading) => witness.result === "timeout";
  const isUnreadable = uncheckedVerdict(witnesses) === "fails";
  const fault = isUnreadable ? null : zoneFaultOf(observation);
  if (fault) return fault;
  const zone = delegation.type === "delegated" ? delegation.zone : "";
  if (isUnreadable || isMajority(isTimeout))
    return observation.capitals
      ? { type: "capitals", zone }
      : { type: answersOverUdp(observation) ? "unreachable" : "no_udp" };
  if (isMajority((witness) => "keys" in witness && !witness.keys))
    return { type: "keys_unanswered", zone };
  const { reason } = validation?.verdict === "insecure" ? validation : {};
  // Resolvers may support more algorithms, digests and iterations than our validator does.
  const isUnsigned = reason?.type === "unsigned" || reason?.type === "opt_out";
  return isUnsigned ? { type: "unsigned", zone: reason.zone } : null;
}

const answersOverUdp = ({ servers, exchanges }: Observation): boolean =>
  exchanges.some(
    ({ transport, address, result }) =>
      transport === "udp" && result !== "timeout" && servers.some((one) => one.address === address),
  );

const toIsoTime = (seconds: number) => new Date(seconds * 1_000).toISOString();

function faultAsReported(fault: Extract<Fault | Gap, { zone: string }>): ResolverFault | null {
  const { zone } = fault;
  switch (fault.type) {
    case "ds_without_keys":
    case "ds_matches_no_key": {
      const { parent, ttl, ...rest } = fault;
      const delegating = parent === null ? {} : delegatingIn({ zone, parent });
      return { ...rest, secondsRemembered: ttl ?? 0, ...delegating };
    }
    case "signatures_expired":
      return { type: fault.type, zone, expiredAt: toIsoTime(fault.at) };
    case "signatures_not_yet_valid":
      return { type: fault.type, zone, validFrom: toIsoTime(fault.at) };
    case "signatures_missing":
    case "signatures_invalid":
    case "denial_missing":
    case "keys_unanswered":
    case "capitals":
      return { type: fault.type, zone };
    // It is no fault if something was not read or is just outside its time. The servers do have the value.
    default:
      return null;
  }
}
