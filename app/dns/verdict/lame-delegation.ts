import type { Awaits, Diagnosis, FailedNameserver } from "./diagnosis.ts";
import { isDeadCut, listingFault } from "./listed-hosts.ts";
import type { Observation, ServerReading } from "./observation.ts";
import { delegatingOf, failedOf } from "./observed-lists.ts";

/** None of the delegated nameservers gives an answer that can be confirmed, or there are no nameservers. */
export function lameDelegation(
  { delegation, challengeName }: Observation,
  servers: readonly ServerReading[],
): Diagnosis {
  const nameservers = failedOf(servers);
  const above = delegatingOf(delegation);
  return {
    code: "lame_delegation",
    awaits:
      delegation.type === "delegated"
        ? awaitedFor(nameservers, delegation.zone, above.parent, challengeName)
        : "registrar",
    observed: { nameservers, ...above },
  };
}

/**
 * The claimant removes surplus records or a dead zone cut; the delegating party corrects a wrong entry; the
 * server's operator must fix anything else.
 */
function awaitedFor(
  nameservers: readonly FailedNameserver[],
  zone: string,
  parent: string | undefined,
  challengeName: string,
): Awaits {
  if (nameservers.length === 0) return "registrar";
  if (nameservers.every(({ result }) => result === "too_large")) return "claimant";
  if (isDeadCut(nameservers, zone, challengeName)) return "claimant";
  if (nameservers.some((one) => listingFault(one, zone) === null)) return "provider";
  return parent === undefined ? "registrar" : "claimant";
}
