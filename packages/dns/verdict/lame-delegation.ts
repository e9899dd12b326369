import { isIPv4, isIPv6 } from "node:net";
import { isAtOrBelow } from "../names.ts";
import { type Awaits, diagnosed, type FailedNameserver } from "./diagnosis.ts";
import type { Observation, ServerReading } from "./observation.ts";
import { delegatingOf, failedOf } from "./publication-status.ts";

/** A fault in the parent zone's entry for a nameserver, not in the server itself. */
export type ListingFault = "alias" | "address" | "glue";

/**
 * "address": an address instead of a name, alone or with a zone appended. "glue": a name inside the zone without its
 * address (RFC 1034 section 4.2.1). Null for other faults.
 */
export function listingFault(
  { host, result }: Pick<ServerReading, "host" | "result">,
  zone: string,
): ListingFault | null {
  if (result === "is_alias") return "alias";
  if (result !== "no_address") return null;
  if (isIPv4(host.split(".").slice(0, 4).join(".")) || isIPv6(host)) return "address";
  return isAtOrBelow(host, zone) ? "glue" : null;
}

/** Failures of a server that nevertheless serves the zone. */
const SERVING_FAILURES = ["tcp_refused", "case_changed", "too_large", "ipv6_only"];

export const isDeadCut = (
  nameservers: readonly Pick<ServerReading, "result">[],
  zone: string,
  challengeName: string,
): boolean =>
  zone === challengeName && nameservers.every(({ result }) => !SERVING_FAILURES.includes(result));

export function lameDelegation(observation: Observation, servers: readonly ServerReading[]) {
  const nameservers = failedOf(servers);
  const observed = { nameservers, ...delegatingOf(observation.delegation) };
  return diagnosed("lame_delegation", observed, awaitedFor(nameservers, observation));
}

/** The claimant removes a dead cut, the delegating party mends an entry, the operator the rest. */
function awaitedFor(
  nameservers: readonly FailedNameserver[],
  { delegation, challengeName }: Observation,
): Awaits {
  if (delegation.type !== "delegated" || nameservers.length === 0) return "registrar";
  const { zone } = delegation;
  if (isDeadCut(nameservers, zone, challengeName)) return "claimant";
  if (nameservers.some((one) => listingFault(one, zone) === null)) return "provider";
  return delegatingOf(delegation).parent === undefined ? "registrar" : "claimant";
}
