import { isIPv4, isIPv6 } from "node:net";
import { isAtOrBelow, isBelow, isHostName, ownedName, parentOf } from "../names.ts";
import type { Awaits, FailedNameserver, ObservedByCode } from "./diagnosis.ts";
import type { Observation, Reason, ServerReading } from "./observation.ts";
import { parkedIn } from "./parked.ts";
import {
  delegatingOf,
  delegationEditor,
  diagnosed,
  failedOf,
  glueEditor,
  isAnswered,
  staleGlueOf,
} from "./publication-status.ts";

/** A fault in the parent zone's entry for a nameserver, not in the server itself. */
export type ListingFault = "alias" | "address" | "appended" | "glue";

/** What was typed as a server's name, if a panel appended the zone or a zone above it, as in ns3.lab.net.acme.com. */
export function typedName(host: string, zone: string): string | null {
  for (let base = zone; isAtOrBelow(base, ownedName(zone)); base = parentOf(base))
    if (isBelow(host, base) && isHostName(host.slice(0, -base.length - 1)))
      return host.slice(0, -base.length - 1);
  return null;
}

/**
 * "address": an address instead of a name, alone or with a zone appended. "appended": a panel appended a zone to the
 * name. "glue": a name inside the zone without its address (RFC 1034 section 4.2.1). Null for other faults.
 */
export function listingFault(
  { host, result }: Pick<ServerReading, "host" | "result">,
  zone: string,
): ListingFault | null {
  if (result === "is_alias") return "alias";
  if (result !== "no_address") return null;
  if (isIPv4(host.split(".").slice(0, 4).join(".")) || isIPv6(host)) return "address";
  if (typedName(host, zone) !== null) return "appended";
  return isAtOrBelow(host, zone) ? "glue" : null;
}

/** Failures of servers that do serve the zone. */
const SERVING_FAILURES = ["tcp_refused", "case_changed", "too_large", "ipv6_only"];

export const isDeadCut = (servers: readonly FailedNameserver[], zone: string, name: string) =>
  zone === name && servers.every(({ result }) => !SERVING_FAILURES.includes(result));

/** Whether a server's SOA is that of a zone above: then it answers for any name, as parking servers do. */
function isOfParent({ host, answer, control }: ServerReading, { delegation }: Observation) {
  const owner = control?.owner ?? answer?.soa?.zone ?? null;
  const isDelegated = delegation.type === "delegated" && delegation.nameservers.includes(host);
  return owner !== null && isDelegated && isBelow(delegation.zone, owner);
}

function reasonOf(server: ServerReading, observation: Observation): Reason | undefined {
  const { control, address } = server;
  if (isOfParent(server, observation)) return "zone_above";
  if (!control) return;
  const { soa, plain } = control;
  if (soa === "answered" && plain === "answered") return "txt";
  // A filter refuses or drops questions. If the question fails in another way, the name itself is broken.
  if (soa === "answered") return server.result === "servfail" ? "name" : "underscore";
  if (plain === "answered") return "capitals";
  if (soa === "servfail") return "no_copy";
  if (soa === "timeout" && plain === "timeout") {
    const polled = observation.zoneWitnesses ?? [];
    return polled.filter(({ keys }) => keys).length * 2 > polled.length ? "blocks_us" : "silent";
  }
  if (soa !== "refused" && soa !== "not_authoritative") return;
  const isOpen = observation.exchanges.some((sent) => sent.address === address && sent.ra);
  return isOpen ? "resolver" : "no_zone";
}

/** A fault if all servers that answer have only a zone above the delegated one, whose wildcard may answer any name. */
export function diagnoseCatchAll(observation: Observation) {
  const servers = observation.servers.map((server) =>
    isOfParent(server, observation) ? { ...server, result: "not_authoritative" as const } : server,
  );
  return servers.some(isAnswered) ? null : lameDelegation(observation, servers);
}

export function lameDelegation(observation: Observation, servers: readonly ServerReading[]) {
  const nameservers = failedOf(servers).map((failed): FailedNameserver => {
    const server = servers.find(({ host }) => host === failed.host);
    const reason = server && reasonOf(server, observation);
    return { ...failed, ...(reason && { reason }) };
  });
  const { delegation } = observation;
  const delegationFacts = { ...delegatingOf(delegation), ...staleGlueOf(delegation, servers) };
  const observed = { nameservers, ...delegationFacts, ...parkedIn(observation) };
  const { glue } = observed;
  const awaits = glue ? glueEditor(observation, glue) : awaitedFor(observed, observation);
  return diagnosed("lame_delegation", observed, awaits);
}

/** The claimant removes a dead cut, the delegator corrects an entry or ends parking, the operator does the rest. */
function awaitedFor(observed: ObservedByCode["lame_delegation"], observation: Observation): Awaits {
  const { nameservers, parked } = observed;
  const { delegation, challengeName } = observation;
  const editor = delegationEditor(observation);
  if (delegation.type !== "delegated" || nameservers.length === 0 || parked) return editor;
  const { zone } = delegation;
  if (isDeadCut(nameservers, zone, challengeName)) return "claimant";
  const isMislisted = (server: FailedNameserver) =>
    listingFault(server, zone) || server.reason === "unregistered" || server.reason === "resolver";
  return nameservers.every(isMislisted) ? editor : "provider";
}
