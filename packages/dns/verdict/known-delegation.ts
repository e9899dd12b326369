import { isAtOrBelow } from "../names.ts";
import type { KnownDelegation, Observation } from "./observation.ts";
import { isDelegatedToAny, isFailing, MAX_LISTED, majorityOf } from "./publication-status.ts";

/** Resolvers keep a delegation at most this long (RFC 8767 section 4 names a week; public ones keep two days at most). */
const LONGEST_CACHED_MS = 48 * 3600 * 1000;

/** What the registry lists: the nameservers, and the addresses of those inside the zone. */
function listingOf({ delegation, servers }: Observation): string[] {
  if (delegation.type !== "delegated") return [];
  const { zone, nameservers } = delegation;
  const glue = servers.flatMap(({ host, address }) =>
    address && isAtOrBelow(host, zone) ? address : [],
  );
  return [...nameservers, ...glue.sort()].slice(0, 2 * MAX_LISTED);
}

/** What is known about the delegation after this read. `until` stays once found: later failures have another cause. */
export function nextKnown(observation: Observation, known?: KnownDelegation | null) {
  const { at, delegation, witnesses, zoneWitnesses } = observation;
  if (delegation.type !== "delegated") return known ?? null;
  const listing = listingOf(observation);
  const readings = witnesses ?? zoneWitnesses ?? [];
  const failing = readings.filter(isFailing);
  const isMajority = (count: number) => count >= majorityOf(readings) && count > 0;
  const lists = failing.flatMap(({ nameservers }) => (nameservers?.length ? [nameservers] : []));
  const otherListCount = lists.filter((hosts) => !isDelegatedToAny(observation, hosts)).length;
  const dsTtls = failing.flatMap(({ dsTtl }) => dsTtl ?? []);
  const endTimes = [
    known && known.listing.join() !== listing.join() ? known.ttl : 0,
    !known?.until && isMajority(otherListCount) ? delegation.ttl : 0,
    !known?.until && isMajority(dsTtls.length) ? Math.max(...dsTtls) : 0,
  ].map((seconds) => (seconds > 0 ? at + Math.min(seconds * 1000, LONGEST_CACHED_MS) : 0));
  return { listing, ttl: delegation.ttl, until: Math.max(known?.until ?? 0, ...endTimes) };
}

/** Until when resolvers' cached copies of an old delegation may alone explain failures; null if they cannot. */
export const oldDelegationEnd = ({ known, at }: Observation): number | null =>
  known && known.until > at ? known.until : null;
